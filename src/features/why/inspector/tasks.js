/** What the process for the inspector can be asked for, step by step. */
import { within } from '../../../shared/deadline.js';
import { describeNative, judgeSignal, readStack } from './stack.js';
import { openSession } from './session.js';
import { once } from 'node:events';
import net from 'node:net';
import { withShortPath } from '../../../shared/unix-socket.js';

/**
 * @import { Stack } from '../../../protocol/shapes.js'
 * @import { Opened } from '../primary-inspector.js'
 * @import { Session } from './session.js'
 * @import { Socket } from 'node:net'
 */

/**
 * @typedef {object} Order
 * @property {'stack' | 'cpu' | 'heap'} kind
 * @property {number} pid
 * @property {boolean} needsSignal its event loop does not turn, so that its agent opens no inspector
 * @property {number} [durationMs]
 * @property {string} [socket] where the command connects that wants the profile
 *
 * @typedef {object} Primary
 * @property {() => Promise<Opened>} open asks it to open the inspector
 * @property {(message: {type: 'listening' | 'left'}) => void} send left: the worker is free for the next one
 * @property {Promise<void>} lost it has exited
 *
 * @typedef {Omit<Stack, 'at'>} StackResult
 */

/** For Node to open its inspector after the signal: at once, unless it is in a native call. */
const OPEN_MS = 2000;
/** For the command to connect. */
const CONNECT_MS = 10_000;

/** @param {Order} order @param {Primary} primary @returns {Promise<StackResult>} */
export async function takeStack({ pid }, { open }) {
  const refusal = judgeSignal(pid);
  if (refusal !== null) return { ...refusal, frames: [] };
  const { url, error } = (await within(open(), OPEN_MS)) ?? {};
  if (error !== undefined) return { state: 'unknown', frames: [], note: error };
  if (url === undefined) return withoutFrames(pid);
  try {
    const session = await openSession(url);
    const frames = await readStack(session);
    await session.closeInspector();
    return frames ? { state: 'blocked', frames, note: null } : await withoutFrames(pid);
  } catch (thrown) {
    return { state: 'unknown', frames: [], note: `could not be seen: ${reasonOf(thrown)}` };
  }
}

/** @param {number} pid @returns {Promise<StackResult>} */
async function withoutFrames(pid) {
  return { state: 'native', frames: [], note: await describeNative(pid) };
}

/** @param {Order} order @param {Primary} primary */
export async function takeProfile(order, primary) {
  const accept = await listenForCommand(String(order.socket));
  primary.send({ type: 'listening' });
  const command = await within(accept(), CONNECT_MS);
  if (command === null) return {};
  const failure = await record(order, primary, command);
  primary.send({ type: 'left' });
  if (failure === null) await command.end({ done: {} });
  else await command.end({ error: failure });
  return {};
}

/** @param {Order} order @param {Primary} primary @param {CommandSocket} command */
async function record(order, { open, lost }, command) {
  const { kind, durationMs = 0 } = order;
  const { url, wasOpen = false, error } = await askForInspector(order, open);
  if (url === undefined) return `it ${error}`;
  let isOrphaned = false;
  try {
    const session = await openSession(url);
    const close = async () => {
      if (wasOpen) session.leave();
      else await session.closeInspector();
    };
    // A heap is read to its end, for nobody too: Node (20 to 26) can end by SIGSEGV if its inspector is closed meanwhile.
    if (kind === 'cpu') {
      // The command has exited, and what is left is for nobody; or the primary has, which would close it later.
      void command.lost.then(close);
      void lost.then(() => (isOrphaned = true)).then(close);
    }
    const write = (/** @type {string} */ text) => command.write(text);
    const hasEnded =
      kind === 'heap'
        ? await recordHeap(session, write)
        : await recordCpu(session, { durationMs, stopped: command.stopped }, write);
    if (hasEnded) session.leave();
    else await close();
    return null;
  } catch (thrown) {
    return isOrphaned ? 'its primary has exited' : reasonOf(thrown);
  }
}

/** @param {Order} order @param {Primary['open']} open @returns {Promise<Opened>} */
async function askForInspector({ pid, needsSignal }, open) {
  const refusal = needsSignal ? judgeSignal(pid) : null;
  if (refusal !== null) return { error: refusal.note };
  return (await within(open(), OPEN_MS)) ?? { error: await describeNative(pid) };
}

/** @param {unknown} thrown */
function reasonOf(thrown) {
  return /** @type {Error} */ (thrown).message;
}

/** Characters of a profile that are passed on at a time. Node 24 sends a megabyte of a heap at once. */
const PIECE = 64 * 1024;

/** @typedef {(text: string) => Promise<void>} Write resolves when it may have more */

/**
 * @param {Session} session
 * @param {object} order
 * @param {number} order.durationMs
 * @param {Promise<void>} order.stopped ends it early, as the end of the program does
 * @param {Write} write
 * @returns {Promise<boolean>} whether the program has ended and waits for the end of the session
 * @throws {Error} the worker has exited
 */
async function recordCpu(session, { durationMs, stopped }, write) {
  // A program that has come to its end waits for this session, and would wait for the whole time.
  const exiting = session.next('NodeRuntime.waitingForDisconnect');
  await session.request('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
  await session.request('Profiler.enable');
  await session.request('Profiler.start');
  let hasEnded = false;
  void exiting.then(() => (hasEnded = true));
  await within(Promise.race([stopped, exiting, session.closed]), durationMs);
  const { profile } = await session.request('Profiler.stop');
  await write(JSON.stringify(profile));
  return hasEnded;
}

/**
 * The worker answers nothing meanwhile.
 * @param {Session} session
 * @param {Write} write
 * @returns {Promise<false>} as above
 * @throws {Error} the worker has exited
 */
async function recordHeap(session, write) {
  // While this is awaited no further piece is read, so they do not pile up here.
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => write(chunk));
  await session.request('HeapProfiler.enable');
  await session.request('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return false;
}

/**
 * The unix socket to which the command connects that wants a profile. What goes over it: lines of JSON, each
 * `{"piece": …}` of the profile; at last `{"done": …}` or `{"error": …}`.
 * @param {string} path that does not exist yet
 * @returns {Promise<() => Promise<CommandSocket>>} listens; then waits for the command
 */
async function listenForCommand(path) {
  const server = net.createServer({ allowHalfOpen: true });
  const connected = once(server, 'connection');
  withShortPath(path, (reachable) => server.listen(reachable));
  await once(server, 'listening');
  return async () => {
    const [socket] = await connected;
    server.close();
    return new CommandSocket(socket);
  };
}

class CommandSocket {
  /** The command wants what there is so far, or has exited. @type {Promise<void>} */
  stopped;
  /** The command has exited. @type {Promise<void>} */
  lost;
  #socket;

  /** @param {Socket} socket */
  constructor(socket) {
    this.#socket = socket.on('error', () => {}).resume();
    this.lost = new Promise((resolve) => socket.once('close', () => resolve()));
    const ended = new Promise((resolve) => socket.once('end', () => resolve(undefined)));
    this.stopped = Promise.race([ended, this.lost]);
  }

  /** @param {string} text of the profile @returns {Promise<void>} when it may have more */
  async write(text) {
    for (let at = 0; at < text.length && !this.#socket.destroyed; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      if (this.#socket.write(`${JSON.stringify({ piece })}\n`)) continue;
      await Promise.race([once(this.#socket, 'drain').catch(() => {}), this.lost]);
    }
  }

  /** @param {{done: object} | {error: string}} outcome @returns {Promise<void>} when it is sent */
  async end(outcome) {
    this.#socket.end(`${JSON.stringify(outcome)}\n`);
    await this.lost;
  }
}
