/** Whether a full-screen display is possible, and which characters the terminal has. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Context } from '../context.js'
 * @import { TtyOutput } from './screen.js'
 */

/**
 * @typedef {object} TtyInput the part of process.stdin that is used
 * @property {(isRaw: boolean) => unknown} setRawMode
 * @property {() => unknown} resume
 * @property {() => unknown} pause
 * @property {(event: string, listener: (...args: any[]) => void) => unknown} on
 * @property {(event: string, listener: (...args: any[]) => void) => unknown} off
 *
 * @typedef {{input: TtyInput, output: TtyOutput}} Tty
 */

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
 * @returns {boolean} whether it has block and line characters; the console of Linux has few
 */
export function supportsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }) {
  return TERM !== 'linux' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
