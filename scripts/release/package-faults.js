/** Which packages are behind without a reason. The table in docs/maintaining.md has a row for each, with the reason. */

/** A name, what of the package is used, and why it is not the newest. */
const ROW = /^\| `([^`]+)` +\|[^|]+\|(.*)\|$/gm;

/** @param {string} page docs/maintaining.md @returns {Record<string, string>} by package, why it is behind; empty: it is not */
export function reasonsIn(page) {
  return Object.fromEntries([...page.matchAll(ROW)].map(([, name, why]) => [name, why.trim()]));
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
