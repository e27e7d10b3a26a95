/** Whether a full-screen display is possible, and which characters the terminal can show. */
import { NodeclusterError } from '../../errors/error.js';

/** @import { Context } from '../context.js' */

/** @typedef {{input: typeof process.stdin, output: typeof process.stdout}} Tty */

/**
 * @param {Context} context
 * @returns {Tty}
 * @throws {NodeclusterError} E_NO_TERMINAL
 */
export function requireTerminal({ command, tty, env }) {
  if (tty === null) throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'not one' });
  if (isDumb(env)) throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'TERM=dumb' });
  return tty;
}

/** @param {Context['env']} env */
export function isDumb({ TERM }) {
  return TERM === undefined || TERM === '' || TERM === 'dumb';
}

/**
 * @param {Context['env']} env
 * @returns {boolean} whether it can show block and line-drawing characters; the Linux console has few
 */
export function supportsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }) {
  return TERM !== 'linux' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
