/**
 * The channel to one worker, with one listener for all that comes through it: messages of its agent, requests of
 * node:cluster, and what the program sends, which may be anything. Bytes that are not a message, and messages that only
 * look like those of Node, would crash the primary, since Node (20 to 26) throws an uncaught exception; one that never
 * ends, and replies that are never read, would fill its memory. Descriptors are closed at once, since Node keeps those
 * that no message mentions and may listen on the others: only connections that the agent hands over are kept.
 */
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { within } from '../../shared/deadline.js';
import { ClusterMessages } from './cluster-messages.js';

/**
 * @import { ChildProcess, Serializable } from 'node:child_process'
 * @import { Reason } from '../../protocol/shapes.js'
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 *
 * @typedef {{close: () => void}} Handle
 * @typedef {Record<string, any>} Message of the agent. Programs can forge it
 *
 * @typedef {object} ChannelHandle
 * @property {(data?: ArrayBuffer) => void} onread without data: the channel has ended
 * @property {(request: object, text: string, sent?: object) => number} writeUtf8String returns 0, or the error as a negative number
 * @property {number} bytesRead so far
 * @property {Handle | null} pendingHandle a descriptor that came with the data
 *
 * @typedef {object} ChannelListener
 * @property {() => void} ready the program sent 'ready' or `{ready: true}`
 * @property {(message: unknown) => void} message any other message of the program
 * @property {(error: Error & {reason?: Reason}) => void} broken called once; nothing more can be read
 * @property {(code: string) => void} lost a message could not be written, for lack of memory for example, or its socket
 *   not be received. A worker whose request to listen gets no reply would wait for it forever, and Node reports the loss
 *   at most to whoever sent the message
 */

/** Of messages between the primary and the agent. Node shows programs no message whose cmd begins with NODE_. */
export const AGENT_CMD = 'NODE_NODECLUSTER';
/** For a reply; added to an agent's own deadline, since its event loop may be busy. */
export const GRACE_MS = 1000;
/** Bytes of one message: far more than a program has to say to its parent, and no danger to the primary. */
const MAX_MESSAGE = 16 * 1024 ** 2;
/** Replies; with what Node keeps for each, they occupy about 10 MB. */
const MAX_UNREAD = 10_000;
const NEWLINE = 0x0a;
/** The worker has closed its end, or has exited, which is noticed anyway. */
const CLOSED = [constants.errno.EPIPE, constants.errno.ECONNRESET];
/** Messages of a program to its parent that wait to be written. */
const MAX_PENDING = 100;
const SEND_TIMEOUT_MS = 2000;
/** To a program that sends its parent a handle: it was received and has been closed. @type {Record<string, (key: unknown) => object>} */
const HANDLE_REPLIES = {
  NODE_HANDLE: () => ({ cmd: 'NODE_HANDLE_ACK' }),
  // Without these replies, the server that the handle belongs to would never be closed.
  NODE_SOCKET_NOTIFY_CLOSE: (key) => ({ cmd: 'NODE_SOCKET_ALL_CLOSED', key }),
  NODE_SOCKET_GET_COUNT: (key) => ({ cmd: 'NODE_SOCKET_COUNT', key, count: 0 }),
};

/** @param {'long' | 'unread'} what @param {number} limit */
function excess(what, limit) {
  return Object.assign(new Error(`channel: ${what}`), { reason: { kind: 'channel', what, limit } });
}

/** @type {WeakMap<ChildProcess, WorkerChannel>} */
const channels = new WeakMap();

/** @param {ChildProcess} child @returns {WorkerChannel} always the same one of a process */
export function channelTo(child) {
  const channel = channels.get(child) ?? new WorkerChannel(child);
  channels.set(child, channel);
  return channel;
}

class WorkerChannel {
  /** Nothing that the worker sends is read any more. */
  isBroken = false;
  /** What node:cluster asks for while it handles that. @type {Message | null} */
  request = null;
  /** A connection was acknowledged by the worker; null: the oldest, for which it has no descriptor left. @type {(seq: number | null, isAccepted: boolean) => void} */
  onAcknowledged = () => {};
  /** Its agent hands over a connection; null: there was no descriptor left for it. @type {((message: Message, client: any) => void) | null} */
  onConnection = null;
  /** Lets node:cluster act on a request. @type {(act: () => void, request: Message) => void} */
  #openFor = (act) => act();
  /** A server of the worker at that address has closed. @type {Set<(key: string) => void>} */
  onServerClosed = new Set();
  /** @type {ChannelListener | null} */
  #listener = null;
  /** By type. @type {Map<string, Set<(message: Message) => void>>} */
  #handlers = new Map();
  /** What waits for replies. @type {Set<() => void>} */
  #waiting = new Set();
  /** By type: requests without a reply so far that are not sent twice. @type {Map<string, Promise<Message | null>>} */
  #asked = new Map();
  cluster = new ClusterMessages();
  /** The latest that came, until the message is read that it belongs to. @type {Handle | null} */
  #received = null;
  /** Whether the latest handle was one. */
  #isConnectionSent = true;
  /** Writes the latest handle again, once. @type {(() => number) | null} */
  #repeat = null;
  /** Of the latest handle. @type {(() => void) | undefined} */
  #onRefused;
  /** By handle: what happens if the worker has no descriptor left for it; else it is ended. @type {WeakMap<object, () => void>} */
  #refusals = new WeakMap();
  #unread = 0;
  #pending = 0;
  #handleKey;

  /** @param {ChildProcess} child with an agent, in cluster mode or in fork mode, or any other process */
  constructor(child) {
    this.child = child;
    this.#handleKey = Object.getOwnPropertySymbols(child).find(
      ({ description }) => description === 'kChannelHandle',
    );
    const { emit } = child;
    // Node emits in a tick of its own, so the exception can be caught only here.
    child.emit = (/** @type {any[]} */ ...event) => {
      if (event[0] !== 'internalMessage') return Reflect.apply(emit, child, event);
      return this.#guard(() => {
        const act = () => this.#guard(() => Reflect.apply(emit, child, event));
        if (this.#receive(event[1])) this.#openFor(act, event[1]);
        this.request = null;
        const { cmd, act: kind, key } = event[1] ?? {};
        const isClosed = cmd === 'NODE_CLUSTER' && kind === 'close' && typeof key === 'string';
        if (isClosed) this.onServerClosed.forEach((note) => note(key));
      });
    };
  }

  /** @returns {ChannelHandle | undefined} The symbol exists on Node 20 to 26; without it, parsing is not guarded and no connection is taken back */
  get handle() {
    return this.#handleKey && /** @type {any} */ (this.child)[this.#handleKey];
  }

  /** @param {Pick<ListeningSockets, 'scope' | 'openFor'>} sockets of its app */
  listensOn(sockets) {
    this.cluster.scope = sockets.scope;
    this.#openFor = (act, request) => sockets.openFor(act, this.child, request);
  }

  /** Call it once. @param {ChannelListener} listener */
  watch(listener) {
    this.#listener = listener;
    this.#guardParsing();
    this.#noticeLosses();
    this.child.on('message', (/** @type {any} */ message) => {
      // Ghost sends an object with more keys.
      if (message === 'ready' || message?.ready === true) listener.ready();
      else listener.message(message);
    });
  }

  /**
   * For messages of the agent.
   * @param {string} type
   * @param {(message: Message) => void} handle
   * @returns ends that
   */
  on(type, handle) {
    const handlers = this.#handlers.get(type) ?? new Set();
    this.#handlers.set(type, handlers.add(handle));
    return () => void handlers.delete(handle);
  }

  /**
   * If the channel breaks meanwhile, that is noticed.
   * @param {string} type
   * @param {object} [data]
   * @param {{socket?: object, onSent?: () => void, onFailed?: () => void, onRefused?: () => void}} [more] socket: which the
   *   worker gets too; onRefused: it has no descriptor left for that
   */
  send(type, data, { socket, onSent, onFailed, onRefused } = {}) {
    if (!this.child.connected) return onFailed?.();
    if (socket && onRefused) this.#refusals.set(socket, onRefused);
    const message = { cmd: AGENT_CMD, type, ...data };
    const onEnd = (/** @type {Error | null} */ error) => (error ? onFailed : onSent)?.();
    this.child.send(message, /** @type {any} */ (socket), onEnd);
  }

  /**
   * Node keeps every message back while a handle is on its way to the child, which may be blocked, or die.
   * @param {string} type
   * @param {object} data
   * @param {() => void} [onWritten] also if it fails
   */
  sendAtOnce(type, data, onWritten = () => {}) {
    if (!this.child.connected) return void setImmediate(onWritten);
    const channel = /** @type {{_handleQueue?: unknown}} */ (this.child);
    const queue = channel._handleQueue;
    channel._handleQueue = null;
    this.child.send({ cmd: AGENT_CMD, type, ...data }, onWritten);
    channel._handleQueue = queue;
  }

  /**
   * @param {string} type
   * @param {object} [data]
   * @param {{timeoutMs?: number, reply?: string}} [more] default: of the type of the request, within GRACE_MS
   * @returns {Promise<Message | null>} null: no reply
   */
  async ask(type, data, { timeoutMs = GRACE_MS, reply = type } = {}) {
    let answer = (/** @type {Message | null} */ _message) => {};
    /** @type {Promise<Message | null>} */
    const replied = new Promise((resolve) => (answer = resolve));
    const fail = () => answer(null);
    const off = this.on(reply, answer);
    this.#waiting.add(fail);
    this.send(type, data, { onFailed: fail });
    const message = await (timeoutMs === Infinity ? replied : within(replied, timeoutMs));
    off();
    this.#waiting.delete(fail);
    return message;
  }

  /**
   * Sends nothing while a reply is pending: requests would pile up for a blocked event loop.
   * @param {string} type
   * @param {object} [order]
   * @returns {Promise<Message | null>} null: the worker is dead
   */
  askOnce(type, order) {
    const pending = this.#asked.get(type);
    if (pending) return pending;
    const reply = this.ask(type, order, { timeoutMs: Infinity });
    this.#asked.set(type, reply);
    void reply.then(() => this.#asked.delete(type));
    return reply;
  }

  /** It has ended: who waits for a reply gets none. */
  close() {
    for (const fail of this.#waiting) fail();
  }

  /** @param {unknown} message for the program @returns {Promise<boolean>} whether the channel accepted it */
  async deliver(message) {
    if (!this.child.connected || this.#pending >= MAX_PENDING) return false;
    this.#pending += 1;
    const sent = new Promise((resolve) => {
      this.child.send(/** @type {Serializable} */ (message), (error) => {
        this.#pending -= 1;
        resolve(!error);
      });
    });
    return (await within(sent, SEND_TIMEOUT_MS)) ?? false;
  }

  /** @param {() => void} receive @returns {boolean} true, as an event that was heard */
  #guard(receive) {
    try {
      receive();
    } catch (error) {
      if (!this.isBroken) this.#listener?.broken(/** @type {Error} */ (error));
      this.isBroken = true;
    }
    return true;
  }

  /** @param {any} message that only Node and node:cluster see @returns {boolean} whether they do */
  #receive(message) {
    const { cmd } = message ?? {};
    if (cmd === AGENT_CMD) {
      this.#handlers.get(message.type)?.forEach((handle) => handle(message));
      return false;
    }
    if (cmd === 'NODE_CLUSTER') return this.#receiveRequest(message);
    if (cmd === 'NODE_HANDLE_NACK') return !this.#resend();
    if (!Object.hasOwn(HANDLE_REPLIES, cmd ?? '')) return true;
    if (cmd === 'NODE_HANDLE' && message.msg?.cmd === AGENT_CMD) {
      this.#receiveConnection(message.msg);
      return false;
    }
    this.#closeReceived();
    this.#reply(HANDLE_REPLIES[cmd](message.key));
    // What the program sent along with the handle.
    if (message.msg !== undefined) this.child.emit('message', message.msg);
    return false;
  }

  /**
   * The worker has no descriptor left for the latest handle; Node sends one at a time.
   * @returns whether it is sent again, since the agent may have given up a descriptor for it
   */
  #resend() {
    const repeat = this.#repeat;
    this.#repeat = null;
    if (this.#isConnectionSent) this.onAcknowledged(null, false);
    else if (repeat?.() === 0) return true;
    else if (this.#onRefused) this.#onRefused();
    else this.#listener?.lost('EMFILE');
    return false;
  }

  /** @param {Message} message */
  #receiveRequest(message) {
    const { act, ack, accepted } = message;
    if (ack !== undefined) {
      // Only this primary's own messages, of connections, are acknowledged.
      if (act === undefined) this.onAcknowledged(ack, Boolean(accepted));
      return false;
    }
    this.request = message;
    const refusal = this.cluster.judge(message);
    if (refusal?.reply) this.#reply(refusal.reply);
    return refusal === null;
  }

  /** @param {Message} message of the agent with a connection. It expects no reply of Node's */
  #receiveConnection(message) {
    const client = this.#received;
    this.#received = null;
    if (this.onConnection) this.onConnection(message, client);
    else client?.close();
  }

  /** @param {object} reply @throws it does not read them */
  #reply(reply) {
    if (!this.child.connected) return;
    this.#unread += 1;
    if (this.#unread > MAX_UNREAD) throw excess('unread', MAX_UNREAD);
    this.child.send(reply, () => (this.#unread -= 1));
  }

  #guardParsing() {
    const { handle } = this;
    if (!handle) return;
    const checkLength = lengthCheck();
    const { onread } = handle;
    const channel = this;
    handle.onread = function (data) {
      if (handle.pendingHandle) channel.#closeReceived();
      channel.#received = handle.pendingHandle ?? channel.#received;
      handle.pendingHandle = null;
      if (!data) channel.#closeReceived();
      if (channel.isBroken && data) return;
      channel.#guard(() => {
        if (data) checkLength(data);
        Reflect.apply(onread, this, [data]);
      });
    };
  }

  #closeReceived() {
    this.#received?.close();
    this.#received = null;
  }

  #noticeLosses() {
    const { handle } = this;
    if (!handle) return;
    const { writeUtf8String } = handle;
    const lost = (/** @type {number} */ errno) => this.#listener?.lost(getSystemErrorName(errno));
    handle.writeUtf8String = (request, text, sent) => {
      const result = Reflect.apply(writeUtf8String, handle, [request, text, sent]);
      // A connection that could not be sent is taken back, other than a socket to listen on.
      const isConnection = sent !== undefined && text.includes('"act":"newconn"');
      if (sent) {
        this.#isConnectionSent = isConnection;
        // node:cluster sends the same handle, and its request must not wait.
        this.#onRefused = text.includes(AGENT_CMD) ? this.#refusals.get(sent) : undefined;
        const again = () => [new /** @type {any} */ (request).constructor(), text, sent];
        this.#repeat = () => Reflect.apply(writeUtf8String, handle, again());
      }
      const isLost = result < 0 && !isConnection && !CLOSED.includes(-result);
      // Later: whoever sends expects no change meanwhile.
      if (isLost) queueMicrotask(() => lost(result));
      return result;
    };
  }
}

/** @returns {(data: ArrayBuffer) => void} throws when a message is too long */
function lengthCheck() {
  let length = 0;
  return (data) => {
    const bytes = Buffer.from(data);
    const first = bytes.indexOf(NEWLINE);
    length += first === -1 ? bytes.length : first;
    if (length > MAX_MESSAGE) throw excess('long', MAX_MESSAGE);
    if (first !== -1) length = bytes.length - bytes.lastIndexOf(NEWLINE) - 1;
  };
}
