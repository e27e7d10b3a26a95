/** Renders an error: what failed and why, then what to do. */
import { jsonText, maskText } from './mask.js';
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
  const { red, bold } = paint(terminal);
  const message = `${red(bold('error:'))} ${maskText(error.message)}`;
  return error.hint ? `${message}\n  ${maskText(error.hint)}` : message;
}

/**
 * @param {NodeclusterError} error
 * @returns {string} for `--json`
 */
export function renderErrorJson(error) {
  const { code, message, hint, exitCode, data } = error;
  return jsonText({ error: { code, message, hint, exitCode, data } });
}
