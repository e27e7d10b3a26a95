/** Opens and closes the inspector of one worker. Another process talks to it. */
import { spawn } from 'node:child_process';
import { channelTo } from '../../primary/worker/channel.js';
import { ownFile } from '../../primary/pool/launch.js';
import { ownNode } from '../../shared/processes/launch.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 */

/**
 * @typedef {WorkerHandle & {child: ChildProcess, pid: number}} Inspected a worker with a process
 * @typedef {{url?: string, error?: string}} Opened `error`: in words that follow 'it'
 */

const inspectorFile = ownFile('features/why/inspector/main.js');
/** Programs can forge the address, to which another process connects. */
const LOCAL = /^ws:\/\/127\.0\.0\.1:\d{1,5}\/[\da-f-]{36}$/;
/** In words that follow 'it'. */
const ELSEWHERE = 'has its inspector open at another address than 127.0.0.1';

/** @type {WeakMap<WorkerHandle, InspectorLines>} */
const linesOf = new WeakMap();

/** @param {WorkerHandle} worker that will be started @returns {(chunk: Buffer) => Buffer} what its program wrote to stderr */
export function programOutputOf(worker) {
  const lines = new InspectorLines();
  linesOf.set(worker, lines);
  return (chunk) => lines.filter(chunk);
}

/** Does not resolve while it is in a native call. @param {Inspected} worker that is blocked @returns {Promise<Opened>} */
export function openInspector(worker) {
  const lines = /** @type {InspectorLines} */ (linesOf.get(worker));
  lines.expect();
  return new Promise((resolve) => {
    lines.onOpen = (url) => resolve(LOCAL.test(url) ? { url } : { error: ELSEWHERE });
    worker.child.kill('SIGUSR1');
  });
}

/** Also what Node opens later: after a native call, or once more when the event loop turns. @param {Inspected} worker */
export function closeInspector(worker) {
  const { child } = worker;
  const lines = /** @type {InspectorLines} */ (linesOf.get(worker));
  const close = async () => {
    // When its event loop has turned, however late.
    const closed = await channelTo(child).askOnce('close-inspector');
    if (closed !== null) lines.end();
  };
  lines.onOpen = () => void close();
  void close();
}

/**
 * What comes from an inspector is as large as the program likes, so a process of its own talks to it.
 * @param {number} pid of the worker
 * @param {number} timeoutMs
 * @param {() => Promise<Opened>} open the reply is sent to the process
 * @returns {Promise<Record<string, any> | null>} null: it has no result
 */
export async function runInspector(pid, timeoutMs, open) {
  /** @type {ChildProcess} */
  const child = spawn(ownNode(), ['--experimental-websocket', inspectorFile(), String(pid)], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, timeoutMs);
  /** @type {Record<string, any> | null} */
  let result = null;
  const answer = async (/** @type {any} */ message) => {
    if (message.type === 'result') result = message;
    if (message.type === 'open') child.send(await open(), () => {});
  };
  child.on('message', (message) => answer(message).catch(kill));
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  clearTimeout(timer);
  return result;
}

/** Node writes each with one call, so other lines do not come in between. */
const LINES = new RegExp(
  [
    'Debugger listening on (ws:\\S+)\\n',
    'For help, see: https://nodejs\\.org/\\S+\\n',
    'Debugger (?:attached\\.|ending on \\S+)\\n',
    'Waiting for the debugger to disconnect\\.\\.\\.\\n',
    'Starting inspector on \\S+ failed: [^\\n]*\\n',
  ].join('|'),
  'g',
);
/** The rest of it may be in the next chunk. */
const BEGUN = /(?:Debugger [a-z]|For help, see: |Waiting for the d|Starting inspector )[^\n]*$/;
/** Lines may still be in the pipe. */
const LAST_LINES_MS = 1000;

/** What Node writes to stderr about its inspector: it is for the primary, not for the log of the program. */
export class InspectorLines {
  #isExpected = false;
  /** The beginning of such a line. */
  #begun = '';
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** Called with the address of an inspector that has opened. @type {(url: string) => void} */
  onOpen = () => {};

  expect() {
    clearTimeout(this.#timer);
    this.#isExpected = true;
  }

  end() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#isExpected = false), LAST_LINES_MS).unref();
  }

  /** @param {Buffer} chunk of stderr @returns {Buffer} what the program wrote */
  filter(chunk) {
    if (!this.#isExpected && this.#begun === '') return chunk;
    const text = this.#begun + chunk.toString('latin1');
    this.#begun = '';
    if (!this.#isExpected) return Buffer.from(text, 'latin1');
    const rest = text.replace(LINES, (_line, /** @type {string | undefined} */ url) => {
      if (url !== undefined) this.onOpen(url);
      return '';
    });
    const end = rest.search(BEGUN);
    if (end !== -1) this.#begun = rest.slice(end);
    return Buffer.from(end === -1 ? rest : rest.slice(0, end), 'latin1');
  }
}
