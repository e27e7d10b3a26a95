/** Whether somebody sits at a terminal that can be drawn on, and what it can show. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Context } from '../context.js'
 * @import { TtyOutput } from './screen.js'
 */

/**
 * @typedef {object} TtyInput what is used of process.stdin
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
export function needTerminal({ command, tty, env }) {
  if (tty === null) throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'not one' });
  if (isDumb(env)) throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'TERM=dumb' });
  return tty;
}

/** @param {Record<string, string | undefined>} env */
export function isDumb({ TERM }) {
  return TERM === undefined || TERM === '' || TERM === 'dumb';
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {boolean} whether it has more characters than ASCII; the console of Linux has few
 */
export function hasBlocks({ LC_ALL, LC_CTYPE, LANG, TERM }) {
  return TERM !== 'linux' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
