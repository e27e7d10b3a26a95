/** Words quoted for a shell, for the units of systemd, and as values of logs. */

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

/** systemd replaces variables too. @param {string} text @returns {string} one word */
export function quoteArgument(text) {
  const value = text.replaceAll('$', '$$$$');
  return /^[\w@:,./+-]+$/.test(value) ? value : quote(value);
}

/** @param {string} text @returns {string} in quotes */
export function quote(text) {
  // Single quotes keep a script with double quotes readable; both know the same escapes.
  const mark = text.includes('"') && !text.includes("'") ? "'" : '"';
  const escaped = percent(text).replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`);
  // systemd ends a line at \r too.
  const oneLine = escaped.replace(/[\n\r]/g, (end) => (end === '\n' ? '\\n' : '\\r'));
  return `${mark}${oneLine}${mark}`;
}

/** @param {string} text @returns {string} without specifiers */
export function percent(text) {
  return text.replaceAll('%', '%%');
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
