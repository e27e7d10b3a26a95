/** Runs the command of an alarm, without a shell. */
import { spawn } from 'node:child_process';
import { describeExit } from '../../lifecycle/restart-policy.js';
import { sendSignal } from '../../shared/processes/signal.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Failure } from '../../lifecycle/alarms/delivery.js'
 * @import { CommandContext } from './context.js'
 */

/** Characters of the output, whose end says what failed. */
const MAX_OUTPUT = 2000;
const MAX_LINE = 200;
/** Nothing changes by itself. */
const FINAL_ERRORS = ['ENOENT', 'EACCES', 'ENOTDIR', 'ENOEXEC', 'EPERM', 'E2BIG'];

/**
 * @typedef {object} Limits
 * @property {number} timeoutMs after which it is killed, with what it started
 * @property {AbortSignal} ended it is killed too
 */

/**
 * @param {readonly string[]} command
 * @param {CommandContext} context
 * @param {string} input
 * @param {Limits} limits
 * @returns {Promise<Failure | null>} null: it exited with 0
 */
export function runCommand([file, ...args], context, input, { timeoutMs, ended }) {
  return new Promise((resolve) => {
    // It leads a process group of its own, so that what it starts can be killed with it.
    const child = spawn(file, args, { ...context, stdio: 'pipe', detached: true });
    const kill = () => killGroup(child);
    ended.addEventListener('abort', kill);
    let output = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    const finish = (/** @type {string | null} */ fault, isFinal = false) => {
      clearTimeout(timer);
      ended.removeEventListener('abort', kill);
      // What it left behind may still hold its pipes.
      kill();
      for (const stream of child.stdio ?? []) stream?.destroy();
      resolve(fault === null ? null : { reason: `${file} ${fault}${lastLine(output)}`, isFinal });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-MAX_OUTPUT);
      });
    }
    child.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) =>
      finish(`could not be started (${code})`, FINAL_ERRORS.includes(String(code))),
    );
    child.once('exit', (code, signal) => {
      if (isLate) finish(`did not exit within ${timeoutMs / 1000} s`);
      // After the output that is in its pipes.
      else setImmediate(() => finish(code === 0 ? null : describeExit({ code, signal })));
    });
    // It need not read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    if (ended.aborted) kill();
  });
}

/** @param {ChildProcess} child */
function killGroup({ pid }) {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
}

/** @param {string} output */
function lastLine(output) {
  const line = (output.trimEnd().split('\n').at(-1) ?? '').trim().slice(0, MAX_LINE);
  return line === '' ? '' : `: ${line}`;
}
