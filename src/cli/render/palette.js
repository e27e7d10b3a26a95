/** Colours by meaning. Foreground only, because the theme of the terminal is not known. */
import { Chalk } from 'chalk';

/** @import { ChalkInstance } from 'chalk' */

/**
 * @typedef {object} Terminal
 * @property {number | null} width columns; null: no limit (a pipe)
 * @property {boolean} colours whether ANSI colours may be used
 * @property {boolean} [isTerminal] false for a pipe or a file
 */

const plain = new Chalk({ level: 0 });
const coloured = new Chalk({ level: 1 });

/**
 * As chalk decides: `--no-color` and NO_COLOR win, then `--color` and FORCE_COLOR (0 or false: none;
 * any other value: colours), then whether it is a terminal. All levels show the same 16 colours.
 * @param {object} stream
 * @param {boolean} stream.isTerminal
 * @param {Record<string, string | undefined>} stream.env
 * @param {readonly string[]} stream.argv
 * @returns {boolean}
 */
export function usesColours({ isTerminal, env, argv }) {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  if (env.NO_COLOR || flags.includes('--no-color')) return false;
  if (flags.includes('--color')) return true;
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  return isTerminal && env.TERM !== 'dumb';
}

/**
 * @param {Pick<Terminal, 'colours'>} terminal
 * @returns {ChalkInstance}
 */
export function paint({ colours }) {
  return colours ? coloured : plain;
}

/** @type {Record<string, 'green' | 'yellow' | 'red' | 'gray'>} */
const statusColours = {
  online: 'green',
  starting: 'yellow',
  draining: 'yellow',
  stopping: 'yellow',
  backoff: 'red',
  errored: 'red',
  unresponsive: 'red',
  failed: 'red',
  stopped: 'gray',
  exited: 'gray',
};

/**
 * @param {string} status of a worker or an app, or the kind of a progress event
 * @param {Pick<Terminal, 'colours'>} terminal
 * @param {string} [text] shown instead of the status
 * @returns {string} the status in its colour
 */
export function paintStatus(status, terminal, text = status) {
  const colour = statusColours[status];
  return colour ? paint(terminal)[colour](text) : text;
}
