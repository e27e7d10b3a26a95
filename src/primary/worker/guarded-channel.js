/**
 * A worker may write anything to its channel: bytes that are not a message, or messages that only
 * look like those of Node and node:cluster. Either would crash the primary, since Node (20 to 26)
 * throws an uncaught exception when it parses or handles them.
 */
/** @import { ChildProcess } from 'node:child_process' */

/**
 * @typedef {object} ChannelHandle
 * @property {(data?: ArrayBuffer) => void} onread without data: the channel has ended
 */

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
  guardParsing(child, (receive, data) => !(broken.has(child) && data) && guard(receive));
  const { emit } = child;
  // Node emits in a tick of its own, so the exception can be caught only here.
  child.emit = (/** @type {any[]} */ ...event) => {
    const deliver = () => Reflect.apply(emit, child, event);
    return event[0] === 'internalMessage' ? guard(deliver) : deliver();
  };
  // A handle that a program sends is not used, and its other end would wait forever.
  child.on('message', (_message, handle) => closeHandle(handle));
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
