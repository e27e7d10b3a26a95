const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PIECE = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/**
 * Splits as a shell does: spaces, quotes and backslashes, but no variables.
 * @param {string} line
 * @returns {string[]|null} null if a quote is not closed
 */
export function splitWords(line) {
  const words = line.match(WORD) ?? [];
  if (line.replace(WORD, '').trim() !== '') return null;
  return words.map((word) =>
    word.replace(PIECE, (_, escaped, double, single) => {
      if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
      return escaped ?? single;
    }),
  );
}
