/** Which packages are behind without a reason. The list in docs/maintaining.md has each, with the reason. */

/** @param {string} page docs/maintaining.md @returns {Record<string, string>} by package, why it is behind; empty: it is not */
export function reasonsIn(page) {
  const items = page.split(/^- `/m).slice(1);
  const whyOf = (/** @type {string} */ item) => item.split('\n\n')[0].split(/\sBehind: /)[1];
  return Object.fromEntries(items.map((item) => [item.split('`')[0], whyOf(item)?.trim() ?? '']));
}

/**
 * @param {Record<string, {wanted?: string, latest?: string, summary?: string}>} outdated what `npm outdated --json` prints:
 *   `wanted` is the newest that package.json allows. Without a network there is only `error`.
 * @param {string} page docs/maintaining.md
 * @returns {string[]} why it may not be released
 */
export function packageFaults({ error, ...outdated }, page) {
  if (error) return [`npm outdated: ${error.summary}`];
  const reasons = reasonsIn(page);
  return Object.entries(outdated)
    .filter(([name, { wanted, latest }]) => wanted !== latest && !reasons[name])
    .map(
      ([name, { wanted, latest }]) =>
        `${name} is at ${wanted}, and ${latest} exists: update it, or say why not in docs/maintaining.md.`,
    );
}
