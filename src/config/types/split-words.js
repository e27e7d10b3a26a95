/** One line of arguments → a list, as a shell splits it: blanks, quotes, backslash. No variables. */

const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PIECE = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/**
 * @param {string} line
 * @returns {string[]|null} null when a quote is not closed
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
