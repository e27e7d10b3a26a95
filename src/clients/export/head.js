/** The comment at the head of every exported text. */
/** @import { Warning } from './engines.js' */

/**
 * @param {string} engine
 * @param {string} source
 * @param {readonly Warning[]} warnings
 * @param {string} body
 * @returns {string} the whole text
 */
export function commentedText(engine, source, warnings, body) {
  const head = [
    `Written by \`nodecluster export ${engine}\` from ${source}.`,
    ...warnings.map(({ app, text }) => `Warning: ${app === null ? '' : `${app}: `}${text}`),
  ];
  return `${head.map((line) => `# ${printable(line)}\n`).join('')}${body}`;
}

/**
 * @param {string} text that may contain anything
 * @returns {string} on one line
 */
export function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}
