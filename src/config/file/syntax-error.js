/** The error of a file that cannot be parsed, with its line and a caret below. */
import { NodeclusterError } from '../../errors/error.js';
import { maskText } from '../../shared/secrets.js';

/** A width that keeps the one long line of a minified file from filling the screen. */
const EXCERPT_WIDTH = 100;

/**
 * @param {{text: string, label: string, language: string}} file
 * @param {string} reason
 * @param {{line: number, column: number}} [at]
 */
export function syntaxError({ text, label, language }, reason, at) {
  const data = { file: label, language, reason };
  if (at === undefined) return new NodeclusterError('E_CONFIG_SYNTAX', data);
  const { line, column } = at;
  const start = column > EXCERPT_WIDTH ? column - EXCERPT_WIDTH / 2 : 0;
  const whole = (text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
  const shown = whole.slice(start, start + EXCERPT_WIDTH).trimEnd();
  const gutter = `  ${line} | `;
  const masked = maskText(shown);
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(column - 1 - start)}^`;
  // What is masked has another length.
  const excerpt = masked === shown ? `${gutter}${shown}\n${caret}` : `${gutter}${masked}`;
  return new NodeclusterError('E_CONFIG_SYNTAX', { ...data, line, column, excerpt });
}
