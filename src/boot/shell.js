/**
 * @param {string} text
 * @returns {string} a word of a shell's command line, quoted where it must be
 */
export function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {readonly string[]} words @returns {string} */
export function shellLine(words) {
  return words.map(shellWord).join(' ');
}
