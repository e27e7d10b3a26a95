const MAX_EXCERPT = 100;

/**
 * @param {string} text of a program
 * @param {number} [maxLength] in characters
 * @returns {string} one line, shortened
 */
export function excerpt(text, maxLength = MAX_EXCERPT) {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
