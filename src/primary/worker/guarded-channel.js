/**
 * A worker may write anything to its channel: bytes that are not a message, messages that only look
 * like those of Node and node:cluster, or one that never ends. The first two would crash the primary,
 * since Node (20 to 26) throws an uncaught exception when it parses or handles them; the last would
 * fill its memory, since Node limits no message. So would the replies to its requests, if it never reads
 * them. It may also send descriptors, which are closed at once: Node keeps those that no message
 * mentions, and may listen on the others. Only connections that the agent hands on are kept.
 */
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { AGENT_CMD } from './agent-reports.js';
import { ClusterMessages } from './cluster-messages.js';

/** @import { ChildProcess } from 'node:child_process' */

/**
 * @typedef {object} ChannelHandle
 * @property {(data?: ArrayBuffer) => void} onread without data: the channel has ended
 * @property {(request: object, text: string, sent?: object) => number} writeUtf8String returns 0, or the error as a negative number
 * @property {number} bytesRead so far
 * @property {{close: () => void} | null} pendingHandle a descriptor that came with the data
 */

/** Bytes of one message: far more than a program has to say to its parent, and no danger to the primary. */
const MAX_MESSAGE = 16 * 1024 ** 2;
/** Replies; with what Node keeps for each, they occupy about 10 MB. */
const MAX_UNREAD = 10_000;
const NEWLINE = 0x0a;
/** The worker has closed its end, or has exited, which is noticed anyway. */
const CLOSED = [constants.errno.EPIPE, constants.errno.ECONNRESET];

/** Its message says what the worker did. */
class ExceededLimit extends Error {}

/** @param {Error} error that broke a channel @returns {string} what the worker did */
export function describeBreak(error) {
  const invalid = 'wrote invalid data to the channel to its parent';
  return error instanceof ExceededLimit ? error.message : invalid;
}

/** @type {WeakSet<ChildProcess>} */
const broken = new WeakSet();

/**
 * Node keeps every message back while a handle is on its way to the child, which may be blocked, or die.
 * @param {ChildProcess} child
 * @param {object} message
 * @param {() => void} onWritten also if it fails
 */
export function sendAtOnce(child, message, onWritten) {
  const channel = /** @type {{_handleQueue?: unknown}} */ (/** @type {unknown} */ (child));
  const queue = channel._handleQueue;
  channel._handleQueue = null;
  child.send(message, onWritten);
  channel._handleQueue = queue;
}

/** @param {ChildProcess} child @returns {boolean} whether nothing that it sends is read any more */
export function isChannelBroken(child) {
  return broken.has(child);
}

/**
 * @param {ChildProcess} child
 * @param {(error: Error) => void} onBroken called once; nothing that comes later is read
 */
export function guardChannel(child, onBroken) {
  const guard = (/** @type {() => unknown} */ receive) => {
    try {
      return receive();
    } catch (error) {
      if (!broken.has(child)) onBroken(/** @type {Error} */ (error));
      broken.add(child);
      return true;
    }
  };
  const checkLength = lengthCheck();
  const received = new ReceivedHandle();
  guardParsing(child, received, (receive, data) => {
    if (broken.has(child) && data) return;
    guard(() => {
      if (data) checkLength(data);
      receive();
    });
  });
  const messages = new ClusterMessages(unacknowledgedBy(child));
  const send = limitedSend(child);
  const { emit } = child;
  // Node emits in a tick of its own, so the exception can be caught only here.
  child.emit = (/** @type {any[]} */ ...event) => {
    const deliver = () => Reflect.apply(emit, child, event);
    if (event[0] !== 'internalMessage') return deliver();
    const [, message] = event;
    if (isSurplus(message)) return emitSurplus(child, message.msg, received.take());
    return guard(() => {
      const handleReply = replyToHandle(message);
      if (handleReply) received.close();
      const { accepted, reply } = handleReply
        ? { accepted: false, reply: handleReply }
        : messages.judge(message);
      if (accepted) return deliver();
      if (reply && child.connected) send(reply);
      // What a program sent along with a handle.
      return message.msg === undefined || child.emit('message', message.msg);
    });
  };
}

/**
 * @param {ChildProcess} child
 * @param {unknown} message
 * @param {{close: () => void} | null} handle of the connection
 */
function emitSurplus(child, message, handle) {
  // Only with `scheduling: fair` is there a listener.
  return child.emit('surplus', message, handle) || void handle?.close();
}

/** @returns {(data: ArrayBuffer) => void} throws when a message is too long */
function lengthCheck() {
  let length = 0;
  return (data) => {
    const bytes = Buffer.from(data);
    const first = bytes.indexOf(NEWLINE);
    length += first === -1 ? bytes.length : first;
    if (length > MAX_MESSAGE) {
      throw new ExceededLimit(
        `sent its parent a message of more than ${MAX_MESSAGE / 1024 ** 2} MB`,
      );
    }
    if (first !== -1) length = bytes.length - bytes.lastIndexOf(NEWLINE) - 1;
  };
}

/** @param {ChildProcess} child @returns {(reply: object) => void} throws when it does not read them */
function limitedSend(child) {
  let unread = 0;
  return (reply) => {
    unread += 1;
    if (unread > MAX_UNREAD) {
      throw new ExceededLimit(`did not read ${MAX_UNREAD} replies from its parent`);
    }
    child.send(reply, () => (unread -= 1));
  };
}

/**
 * A worker whose request to listen gets no reply would wait for it forever, and one that may accept from now on would not know
 * it. Node reports the loss only to whoever sent the message.
 * @param {ChildProcess} child
 * @param {(code: string) => void} onLost a message could not be written, for lack of memory for example
 */
export function noticeLostMessages(child, onLost) {
  const handle = channelOf(child);
  if (!handle) return;
  const { writeUtf8String } = handle;
  handle.writeUtf8String = function (request, text, sent) {
    const result = Reflect.apply(writeUtf8String, this, [request, text, sent]);
    // A connection that could not be sent is taken back. Later: whoever sends expects no change meanwhile.
    if (result < 0 && !sent && !CLOSED.includes(-result))
      queueMicrotask(() => onLost(getSystemErrorName(result)));
    return result;
  };
}

/**
 * @param {ChildProcess} child
 * @param {ReceivedHandle} received
 * @param {(receive: () => void, data?: ArrayBuffer) => unknown} guard
 */
function guardParsing(child, received, guard) {
  const handle = channelOf(child);
  if (!handle) return;
  const { onread } = handle;
  handle.onread = function (data) {
    received.put(handle.pendingHandle);
    handle.pendingHandle = null;
    if (!data) received.close();
    guard(() => Reflect.apply(onread, this, [data]), data);
  };
}

/**
 * The symbol exists on Node 20 to 26; without it, parsing is not guarded and no connection is taken back.
 * @param {ChildProcess} child
 * @returns {ChannelHandle | undefined}
 */
export function channelOf(child) {
  const key = Object.getOwnPropertySymbols(child).find(
    ({ description }) => description === 'kChannelHandle',
  );
  return key && /** @type {any} */ (child)[key];
}

/** Handles that come through a worker's channel. All are closed but those that its agent hands on. */

/** @typedef {{close: () => void}} Handle */

/** @type {[string, (message: {key?: unknown}) => object][]} */
const REPLIES = [
  ['NODE_HANDLE', () => ({ cmd: 'NODE_HANDLE_ACK' })],
  // Without these replies, the server that the handle belongs to would never be closed.
  ['NODE_SOCKET_NOTIFY_CLOSE', ({ key }) => ({ cmd: 'NODE_SOCKET_ALL_CLOSED', key })],
  ['NODE_SOCKET_GET_COUNT', ({ key }) => ({ cmd: 'NODE_SOCKET_COUNT', key, count: 0 })],
];
const replies = new Map(REPLIES);

/**
 * The replies to a program that sends its parent a handle: it was received and has been closed.
 * @param {any} message of a worker
 * @returns {object | null} null: it is not about a handle
 */
function replyToHandle(message) {
  return replies.get(message?.cmd)?.(message) ?? null;
}

/**
 * @param {any} message of a worker
 * @returns {boolean} whether its agent hands on a connection. It expects a reply of another kind
 */
function isSurplus(message) {
  return message?.cmd === 'NODE_HANDLE' && message.msg?.cmd === AGENT_CMD;
}

/** The latest handle from one worker, until the message is read that it belongs to. */
class ReceivedHandle {
  /** @type {Handle | null} */
  #handle = null;

  /** @param {Handle | null} handle */
  put(handle) {
    if (!handle) return;
    this.close();
    this.#handle = handle;
  }

  /** @returns {Handle | null} null: the system had no descriptor left for it */
  take() {
    const handle = this.#handle;
    this.#handle = null;
    return handle;
  }

  close() {
    this.take()?.close();
  }
}

/** @type {WeakMap<ChildProcess, Map<number, any>>} */
const byWorker = new WeakMap();

/**
 * @param {ChildProcess} child
 * @returns {Map<number, any>} the connections that were sent to this worker and that it has not
 *   acknowledged, by the numbers of the messages. It is the same map at each call
 */
export function unacknowledgedBy(child) {
  const known = byWorker.get(child);
  if (known) return known;
  const sent = new Map();
  byWorker.set(child, sent);
  return sent;
}
