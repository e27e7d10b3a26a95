/** The functions that JavaScript is in, as the debugger shows them; what the process does, as the system shows it, where it shows none. */
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../../errors/error.js';
import { within } from '../../../shared/deadline.js';
import { readText } from '../../../shared/files/inspect-path.js';
import { activityOf } from '../../../shared/processes/activity.js';

/** @import { StackFrame } from '../../../protocol/shapes.js' */

const OPEN_MS = 5000;
/** On a busy machine it takes more than a second, and the port must not stay open while the event loop is blocked. */
const CLOSE_MS = 3000;
/** Characters. The program can forge what is said here. */
const MAX_REASON = 200;

/**
 * A session with the inspector of a Node process: https://chromedevtools.github.io/devtools-protocol/v8/. It is also
 * answered while JavaScript runs without a pause. It emits events of the protocol, and replies by their id.
 */
class Session extends EventEmitter {
  #lastId = 0;

  /** @param {WebSocket} socket */
  constructor(socket) {
    super();
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      const { id, method, params, ...reply } = JSON.parse(data);
      this.emit(method ?? String(id), params ?? reply);
    };
    // What waits for a reply is rejected: the worker has exited, or its inspector has been closed.
    this.on('error', () => {});
    socket.onclose = () => this.emit('error', new Error('the worker has exited'));
  }

  /** @param {string} method @param {object} [params] @throws {Error} it was refused, or the session is closed */
  async request(method, params = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) throw new Error('the worker has exited');
    const id = ++this.#lastId;
    const replies = once(this, String(id));
    this.socket.send(JSON.stringify({ id, method, params }));
    const [{ error }] = await replies;
    if (error) throw new Error(String(error.message).slice(0, MAX_REASON));
  }

  /** Closes the inspector itself, also while JavaScript runs without a pause. */
  async closeInspector() {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    // It has no reply: the connection ends with the inspector.
    this.request('Runtime.evaluate', { expression: 'process._debugEnd()' }).catch(() => {});
    await within(closed, CLOSE_MS);
  }
}

/** @param {string} url @throws {Error} it does not answer */
export async function openSession(url) {
  const socket = new WebSocket(url);
  const opened = new Promise((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  });
  if (await within(opened, OPEN_MS)) return new Session(socket);
  throw new Error('it does not answer');
}

/** From a call in the middle of a long loop this takes 0.1 s. */
const PAUSE_MS = 3000;
const MAX_FRAMES = 30;
const MAX_TEXT = 500;
/** Of this package, whose agent runs in the worker. */
const OWN = fileURLToPath(new URL('../', import.meta.url));

/** Stops the program for a moment. @param {Session} session @returns {Promise<StackFrame[] | null>} null: no JavaScript runs */
export async function readStack(session) {
  /** URLs by the id of a script. @type {Map<string, string>} */
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ scriptId, url }) => void urls.set(scriptId, url));
  const paused = once(session, 'Debugger.paused');
  // The session may end first.
  paused.catch(() => {});
  await session.request('Debugger.enable');
  await session.request('Debugger.pause');
  const pause = await within(paused, PAUSE_MS);
  await session.request('Debugger.disable');
  if (pause === null) return null;
  /** @type {any[]} */
  const frames = pause[0].callFrames.slice(0, MAX_FRAMES);
  return frames.map(({ functionName, location }) => ({
    name: String(functionName).slice(0, MAX_TEXT),
    ...placeOf(urls.get(location.scriptId) ?? ''),
    line: Number(location.lineNumber) + 1,
    column: Number(location.columnNumber ?? 0) + 1,
  }));
}

/** @param {string} url @returns {Pick<StackFrame, 'file' | 'origin'>} */
function placeOf(url) {
  const path = url.startsWith('file:') ? attempt(() => fileURLToPath(url), url) : url;
  const file = path.slice(0, MAX_TEXT);
  if (file.startsWith('node:')) return { file, origin: 'node' };
  return { file, origin: file.startsWith(OWN) ? 'nodecluster' : 'program' };
}

/** Long enough for CPU time, which the system counts in steps of 10 ms. */
const SAMPLE_MS = 300;
/** Share of that time from which on a process works and does not wait. */
const BUSY = 0.3;

/** Why SIGUSR1 does not open its inspector. @param {number} pid @returns {{state: 'stopped' | 'unknown', note: string} | null} */
export function judgeSignal(pid) {
  if (activityOf(pid)?.isStopped) {
    return { state: 'stopped', note: 'is stopped by SIGSTOP; `kill -CONT` lets it continue' };
  }
  const caught = /^SigCgt:\s*([\da-f]+)$/m.exec(readText(`/proc/${pid}/status`))?.[1];
  const bit = 1n << BigInt(constants.signals.SIGUSR1 - 1);
  if (caught === undefined || (BigInt(`0x${caught}`) & bit) !== 0n) return null;
  return { state: 'unknown', note: 'does not open its inspector: SIGUSR1 would end it' };
}

/** @param {number} pid whose JavaScript does not run @returns {Promise<string>} what it does, in words that follow 'it' */
export async function describeNative(pid) {
  const before = activityOf(pid)?.cpuMs;
  await sleep(SAMPLE_MS);
  const after = activityOf(pid)?.cpuMs;
  if (before === undefined || after === undefined) return 'has exited';
  if (after - before >= BUSY * SAMPLE_MS) {
    return 'works in native code, such as crypto, zlib or an addon';
  }
  const child = readChild(pid);
  const what = child ? `, while its child process ${child} runs` : '';
  return `waits in a native call, such as execSync or a synchronous read${what}`;
}

/** proc(5): those that the main thread has started, the latest last. @param {number} pid */
function readChild(pid) {
  const child = readText(`/proc/${pid}/task/${pid}/children`).trim().split(' ').at(-1);
  const words = child ? readText(`/proc/${child}/cmdline`).split('\0').filter(Boolean) : [];
  return words.length > 0 ? `${child} (${words.join(' ').slice(0, 80)})` : null;
}
