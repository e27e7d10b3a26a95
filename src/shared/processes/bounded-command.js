/** Runs a command without a shell, for a limited time and with limited output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { within } from '../deadline.js';
import { shortText } from '../quoting.js';
import { sendSignal } from './signal.js';

/** @import { ChildProcess } from 'node:child_process' */

const KEPT_OUTPUT = 2000;
/** Characters. To read more would take time from what else this process does. */
const MAX_OUTPUT = 16 * 1024 * 1024;
/** ms after its exit for the end of its output: a process that has left its group may hold the pipe forever. */
const HELD_MS = 100;

/**
 * @typedef {object} CommandContext
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {number} [uid]
 * @property {number} [gid] with either of the two, it has no supplementary groups
 *
 * @typedef {object} CommandLimits
 * @property {number} timeoutMs after which it is killed
 * @property {AbortSignal} [ended] its result is of no use any more: it is killed
 * @property {number} [maxStdout] characters of stdout, which is kept as a whole, while stderr is not read
 *
 * @typedef {object} CommandOutcome
 * @property {{code: number | null, signal: string | null, error: string | null}} exit error: the code of
 *   the error because of which it could not be started
 * @property {string | null} excess why it was killed, in words that follow its name
 * @property {boolean} hasLeft what it has started may still run, outside of its process group
 * @property {string} lastLine of its output, shortened
 * @property {string} stdout if it was to be kept
 */

/**
 * Kills what the command started with it, also when it has exited by itself. Never rejects.
 * @param {readonly string[]} command
 * @param {CommandContext} context
 * @param {CommandLimits} limits
 * @param {string} [input] on its stdin
 */
export async function runBounded([file, ...args], context, limits, input = '') {
  const { timeoutMs, ended = new AbortController().signal, maxStdout } = limits;
  /** @type {ChildProcess} */
  let child;
  try {
    // It leads a process group of its own, so that what it starts can be killed with it.
    const stderr = maxStdout === undefined ? 'pipe' : 'ignore';
    child = spawn(file, args, { ...context, stdio: ['pipe', 'pipe', stderr], detached: true });
  } catch (thrown) {
    return { exit: notStarted(thrown), excess: null, hasLeft: false, lastLine: '', stdout: '' };
  }
  /** @type {string | null} */
  let excess = null;
  const kill = () => {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
  };
  const killFor = (/** @type {string} */ reason) => {
    excess ??= reason;
    kill();
  };
  const timer = setTimeout(killFor, timeoutMs, `did not exit within ${timeoutMs / 1000} s`);
  ended.addEventListener('abort', kill);
  if (ended.aborted) kill();
  writeInput(child, input);
  const closed = once(child, 'close').catch(() => []);
  const output = keepOutput(child, maxStdout, killFor);
  const exit = await exitOf(child);
  clearTimeout(timer);
  ended.removeEventListener('abort', kill);
  // What it left behind may still hold its pipes.
  kill();
  // This process may have been busy for all that time: what is in the pipe by then is read.
  const isHeld = (await within(closed, HELD_MS)) === null;
  if (isHeld) await nextTurn();
  for (const stream of child.stdio ?? []) stream?.destroy();
  const { end, stdout } = output;
  const lastLine = excerpt(end.trimEnd().split('\n').at(-1) ?? '');
  return { exit, excess, hasLeft: isHeld || excess !== null, lastLine, stdout };
}

/** @param {ChildProcess} child @returns {Promise<CommandOutcome['exit']>} */
function exitOf(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(notStarted(error)));
    // After the output that is in its pipes.
    child.on('exit', (code, signal) => setImmediate(resolve, { code, signal, error: null }));
  });
}

/** @param {unknown} thrown */
function notStarted(thrown) {
  const { message, code: error = message } = /** @type {NodeJS.ErrnoException} */ (thrown);
  return { code: null, signal: null, error };
}

/** The command need not read it. @param {ChildProcess} child @param {string} input */
function writeInput({ stdin }, input) {
  stdin?.on('error', () => {}).end(input);
}

/**
 * @param {ChildProcess} child
 * @param {number | undefined} maxStdout
 * @param {(reason: string) => void} onExcess
 */
function keepOutput(child, maxStdout, onExcess) {
  const kept = { end: '', stdout: '' };
  let length = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      kept.end = (kept.end + text).slice(-KEPT_OUTPUT);
      length += text.length;
      const most = maxStdout ?? MAX_OUTPUT;
      if (length > most) onExcess(`wrote more than ${most / 1024 ** 2} MB`);
      else if (maxStdout !== undefined) kept.stdout += text;
    });
  }
  return kept;
}

const MAX_EXCERPT = 100;

/** @param {string} text @param {number} [maxLength] in characters @returns one line, shortened */
export function excerpt(text, maxLength = MAX_EXCERPT) {
  return shortText(text.replace(/[\s\p{C}]+/gu, ' ').trim(), maxLength);
}
