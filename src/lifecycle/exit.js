/** What an exit says about a program: the facts of it, and their words. */

/** @import { Reason } from '../protocol/shapes.js' */

const STDIN_ENDED = {
  empty: ' because its stdin, /dev/null, is empty',
  given: ' at the end of its stdin',
};

/** Whether it exited with 0 by itself: a server has failed then, a script has not. @param {Reason | null} [reason] */
export function exitedWell(reason) {
  return reason?.kind === 'exit' && reason.code === 0 && !reason.stdinEnded;
}

/**
 * `exited with code 3`: of a process, in words that follow its name.
 * @param {{code?: number | null, signal?: string | null, error?: string | null, stdinEnded?: keyof STDIN_ENDED}} exit
 */
export function describeExit({ code = null, signal, error, stdinEnded }) {
  if (signal) return `was killed by ${signal}`;
  if (code !== null) return `exited with code ${code}${stdinEnded ? STDIN_ENDED[stdinEnded] : ''}`;
  return error ? `could not be started (${errnoText(error)})` : 'could not be started';
}

/** @param {string} error of the system */
export function errnoText(error) {
  if (error === 'E2BIG') return 'E2BIG: an argument or variable, or all of them, are too large';
  if (error !== 'EMFILE') return error;
  return 'EMFILE: no file descriptor is left; raise `ulimit -n`, or LimitNOFILE of a systemd unit';
}

/** With its last words; null: it exited with 0. @param {string} file of the command @param {{exit: Parameters<typeof describeExit>[0], excess: string | null, lastLine: string}} outcome */
export function commandFailure(file, { exit, excess, lastLine }) {
  if (exit.code === 0 && excess === null) return null;
  return `${file} ${excess ?? describeExit(exit)}${lastLine === '' ? '' : `: ${lastLine}`}`;
}
