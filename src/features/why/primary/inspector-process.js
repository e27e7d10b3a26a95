/**
 * The process that talks to the inspector of one worker, src/features/why/inspector/main.js: what it receives and sends
 * is as large as the program likes, so none of that is for a primary.
 */
import { spawn } from 'node:child_process';
import { ownNode } from '../../../shared/processes/launch.js';
import { inspectorFile } from '../../../primary/launchers/agent-file.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { NodeclusterError } from '../../../errors/error.js'
 * @import { Order } from '../inspector/tasks.js'
 */

/** Characters that it may send to the primary. */
const MAX_OUTPUT = 64 * 1024;

/**
 * @typedef {object} InspectorListener
 * @property {() => Promise<object>} open opens the inspector of the worker; the reply is sent to the process
 * @property {() => void} [listening] the command may connect to `order.socket`
 * @property {() => void} [left] it has closed its session, and may take a while to exit
 */

/**
 * @param {Order} order
 * @param {number} timeoutMs after which it is killed
 * @param {InspectorListener} on
 * @returns {Promise<Record<string, any> | null>} its result, when it has exited; null: it has none
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 */
export async function runInspector(order, timeoutMs, on) {
  /** @type {ChildProcess} */
  const child = spawn(ownNode(), [inspectorFile(), JSON.stringify(order)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, timeoutMs);
  /** @type {Record<string, any> | null} */
  let result = null;
  const answer = async (/** @type {string} */ line) => {
    const message = JSON.parse(line);
    if (message.type === 'listening') on.listening?.();
    if (message.type === 'left') on.left?.();
    if (message.type === 'result') result = message;
    if (message.type === 'open') child.stdin?.write(`${JSON.stringify(await on.open())}\n`);
  };
  // It may have exited.
  child.stdin?.on('error', () => {});
  readLines(child, (line) => void answer(line).catch(kill), kill);
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  clearTimeout(timer);
  return result;
}

/** @param {ChildProcess} child @param {(line: string) => void} onLine @param {() => void} onExcess */
function readLines({ stdout }, onLine, onExcess) {
  let received = 0;
  let unfinished = '';
  stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    received += text.length;
    if (received > MAX_OUTPUT) onExcess();
    const lines = (unfinished + text).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
