/**
 * What a worker writes to its channel may be no message at all, or one that only looks like one of
 * Node's or node:cluster's own. Either would end the primary: Node parses it, or acts on it, and
 * throws out of the event loop (all of Node 20 to 26).
 */
/** @import { ChildProcess } from 'node:child_process' */

/**
 * @typedef {object} ChannelHandle
 * @property {(data?: ArrayBuffer) => void} onread without data: the channel has ended
 */

/**
 * @param {ChildProcess} child
 * @param {(error: Error) => void} onBroken called once; nothing that is written afterwards is read
 */
export function guardChannel(child, onBroken) {
  let isBroken = false;
  const attempt = (/** @type {() => unknown} */ receive) => {
    try {
      return receive();
    } catch (error) {
      if (!isBroken) onBroken(/** @type {Error} */ (error));
      isBroken = true;
      return true;
    }
  };
  guardParsing(child, (receive, data) => !(isBroken && data) && attempt(receive));
  const { emit } = child;
  // Node emits in a tick of its own, where nobody else could catch.
  child.emit = (/** @type {any[]} */ ...event) => {
    const deliver = () => Reflect.apply(emit, child, event);
    return event[0] === 'internalMessage' ? attempt(deliver) : deliver();
  };
  // Nobody takes what a program sends along, and left open its other end would wait for ever.
  child.on('message', (_message, handle) => closeHandle(handle));
}

/**
 * @param {ChildProcess} child
 * @param {(receive: () => void, data?: ArrayBuffer) => unknown} guarded
 */
function guardParsing(child, guarded) {
  const handle = handleOf(child);
  if (!handle) return;
  const { onread } = handle;
  handle.onread = function (data) {
    guarded(() => Reflect.apply(onread, this, [data]), data);
  };
}

/**
 * The symbol is there on Node 20 to 26; without it the channel stays unguarded.
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
