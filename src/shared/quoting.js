/** Words quoted for a shell, and as values of logs. */

/** @param {string} text @returns {string} a word of a shell's command line, quoted where it must be */
export function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {readonly string[]} words */
export function shellLine(words) {
  return words.map(shellWord).join(' ');
}

/** @param {string} text @returns {string} in double quotes, as JSON and every version of YAML read it */
export function jsonString(text) {
  const escape = (/** @type {string} */ unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escape);
}

/** @param {unknown} value anything that JSON can hold @returns {string} in `key=value` */
export function valueText(value) {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** @param {string} text @param {number} maxLength in characters */
export function shortText(text, maxLength) {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
