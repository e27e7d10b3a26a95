/** Renders an error: what failed and why, what to do, and the code under which docs/errors.md explains it. */
import { jsonText, maskText } from '../../show/mask.js';
import { paint } from './palette.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { Terminal } from './palette.js'
 */

/**
 * @param {NodeclusterError} error
 * @param {Terminal} terminal
 * @returns {string}
 */
export function renderError(error, terminal) {
  const { red, bold, dim } = paint(terminal);
  const message = `${red(bold('error:'))} ${maskText(error.message)}`;
  const text = error.hint ? `${message}\n  ${maskText(error.hint)}` : message;
  return `${text} ${dim(`[${error.code}]`)}`;
}

/**
 * @param {NodeclusterError} error
 * @returns {string} for `--json`
 */
export function renderErrorJson(error) {
  const { code, message, hint, exitCode, data } = error;
  return jsonText({ error: { code, message, hint, exitCode, data } });
}
