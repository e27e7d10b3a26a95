/** How keys and words may be spelled. */

/** For "Did you mean …?". @param {string} word @param {Iterable<string>} known @returns {string|null} null: none is near enough */
export function nearest(word, known) {
  let best = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
    else if (candidate.length > 2 && word.startsWith(candidate)) best ??= candidate;
  }
  return best;
}

/** Damerau–Levenshtein: a swap of neighbours is one step. @param {string} a @param {string} b */
function editDistance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i][j] = Math.min(change, rows[i - 1][j] + 1, rows[i][j - 1] + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

/** @param {string} key killTimeout or kill-timeout @returns {string} kill_timeout */
export function snakeCase(key) {
  return key.replace(/-/g, '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** @param {string} key kill_timeout or kill-timeout @returns {string} killTimeout */
export function camelCase(key) {
  return key.replace(/[_-]([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} key @param {readonly string[]} [aliases] all in snake_case @returns {string[]} what a file may say, the key first */
export function spellingsOf(key, aliases = []) {
  const all = [key, ...aliases].flatMap((name) => [name, camelCase(name), name.replace(/_/g, '-')]);
  return [...new Set(all)];
}
