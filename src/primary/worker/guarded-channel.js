/**
 * A worker may write anything to its channel: bytes that are not a message, messages that only look
 * like those of Node and node:cluster, or one that never ends. The first two would crash the primary,
 * since Node (20 to 26) throws an uncaught exception when it parses or handles them; the last would
 * fill its memory, since Node limits no message.
 */
import { ClusterMessages } from './cluster-messages.js';
import { unacknowledgedBy } from './unacknowledged.js';

/** @import { ChildProcess } from 'node:child_process' */

/**
 * @typedef {object} ChannelHandle
 * @property {(data?: ArrayBuffer) => void} onread without data: the channel has ended
 */

/** Bytes of one message: far more than a program has to say to its parent, and no danger to the primary. */
const MAX_MESSAGE = 16 * 1024 ** 2;
const NEWLINE = 0x0a;

/** Its message says what the worker did. */
export class LongMessage extends Error {}

/** @type {WeakSet<ChildProcess>} */
const broken = new WeakSet();

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
  guardParsing(child, (receive, data) => {
    if (broken.has(child) && data) return;
    guard(() => {
      if (data) checkLength(data);
      receive();
    });
  });
  const messages = new ClusterMessages(unacknowledgedBy(child));
  const { emit } = child;
  // Node emits in a tick of its own, so the exception can be caught only here.
  child.emit = (/** @type {any[]} */ ...event) => {
    const deliver = () => Reflect.apply(emit, child, event);
    if (event[0] !== 'internalMessage') return deliver();
    return guard(() => {
      const verdict = messages.judge(event[1]);
      if (verdict.accepted) return deliver();
      if (verdict.reply && child.connected) child.send(verdict.reply, () => {});
      return closeHandle(event[2]);
    });
  };
  // A handle that a program sends is not used, and its other end would wait forever.
  child.on('message', (_message, handle) => closeHandle(handle));
}

/** @returns {(data: ArrayBuffer) => void} throws when a message is too long */
function lengthCheck() {
  let length = 0;
  return (data) => {
    const bytes = Buffer.from(data);
    const first = bytes.indexOf(NEWLINE);
    length += first === -1 ? bytes.length : first;
    if (length > MAX_MESSAGE) {
      throw new LongMessage(`sent its parent a message of more than ${MAX_MESSAGE / 1024 ** 2} MB`);
    }
    if (first !== -1) length = bytes.length - bytes.lastIndexOf(NEWLINE) - 1;
  };
}

/**
 * @param {ChildProcess} child
 * @param {(receive: () => void, data?: ArrayBuffer) => unknown} guard
 */
function guardParsing(child, guard) {
  const handle = handleOf(child);
  if (!handle) return;
  const { onread } = handle;
  handle.onread = function (data) {
    guard(() => Reflect.apply(onread, this, [data]), data);
  };
}

/**
 * The symbol exists on Node 20 to 26; without it parsing is not guarded.
 * @param {ChildProcess} child
 * @returns {ChannelHandle | undefined}
 */
function handleOf(child) {
  const key = Object.getOwnPropertySymbols(child).find(
    ({ description }) => description === 'kChannelHandle',
  );
  return key && /** @type {any} */ (child)[key];
}

/** @param {any} handle a Socket, a Server, a datagram Socket, or nothing */
function closeHandle(handle) {
  if (handle?.destroy) handle.destroy();
  else handle?.close?.();
}
