/** A health check that is a command. */
import { spawn } from 'node:child_process';
import { describeExit } from '../../lifecycle/restart-policy.js';
import { sendSignal } from '../../shared/processes/signal.js';
import { workerEnvironment } from '../launchers/environment.js';
import { markOfCheck } from '../processes/strays.js';
import { excerpt } from './target.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/** Of the output, whose end says what failed. */
const MAX_OUTPUT = 2000;

/** @typedef {Pick<WorkerHandle, 'launch' | 'slot' | 'pid' | 'mark'>} CheckedWorker */

/**
 * @param {readonly string[]} command
 * @param {CheckedWorker} worker
 * @param {number} timeoutMs after which it is killed, with what it started
 * @param {AbortSignal} ended the worker needs no check any more: it is killed too
 * @returns {Promise<string | null>} why it failed; null: it exited with 0
 */
export function runCommand([file, ...args], worker, timeoutMs, ended) {
  return new Promise((resolve) => {
    const child = startCommand(file, args, worker);
    const kill = () => killGroup(child);
    ended.addEventListener('abort', kill);
    let output = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    const finish = (/** @type {string | null} */ failure) => {
      clearTimeout(timer);
      ended.removeEventListener('abort', kill);
      // It leads a group of its own, and what it left behind may still hold its pipes.
      kill();
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      resolve(failure === null ? null : `${file} ${failure}${lastLine(output)}`);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-MAX_OUTPUT);
      });
    }
    child.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) =>
      finish(`could not be started (${code})`),
    );
    child.once('exit', (code, signal) => {
      if (isLate) finish(`did not exit within ${timeoutMs / 1000} s`);
      // After the output that is in its pipes.
      else setImmediate(() => finish(code === 0 ? null : describeExit({ code, signal })));
    });
  });
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {CheckedWorker} worker
 */
function startCommand(file, args, { launch, slot, pid, mark }) {
  return spawn(file, args, {
    cwd: launch.cwd,
    env: { ...workerEnvironment(launch, slot, markOfCheck(mark)), NODECLUSTER_PID: String(pid) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** @param {ChildProcess} child */
function killGroup({ pid }) {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
}

/** @param {string} output */
function lastLine(output) {
  const line = excerpt(output.trimEnd().split('\n').at(-1) ?? '');
  return line === '' ? '' : `: ${line}`;
}
