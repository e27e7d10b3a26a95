'use strict';
/**
 * A socket that the workers share, and from which this one must not accept before the primary says
 * so: others serve it, and this one has not shown yet that it can. To the program it listens.
 */
const { onMessage } = require('../channel.cjs');

module.exports = { acceptLater };

/** @typedef {{listen: (backlog: number) => number, close: (callback?: () => void) => void}} Handle */

function acceptLater() {
  /** What is to be done when it may, by the key of the address. @type {Map<string, () => void>} */
  const waiting = new Map();
  /** Nothing else may be keeping the process alive. @type {NodeJS.Timeout | undefined} */
  let timer;
  const end = (/** @type {string} */ key) => {
    waiting.delete(key);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  // Before node:cluster hands the socket to the server.
  process.prependListener(
    /** @type {any} */ ('internalMessage'),
    (/** @type {any} */ message, /** @type {any} */ handle) => {
      if (message?.cmd !== 'NODE_CLUSTER' || !message.acceptsLater) return;
      if (typeof handle?.listen !== 'function') return;
      const { key } = message;
      waiting.set(
        key,
        putOff(handle, () => end(key)),
      );
      timer ??= setInterval(() => {}, 2 ** 30);
    },
  );
  onMessage('serve', ({ key }) => {
    const accept = waiting.get(key);
    end(key);
    accept?.();
  });
}

/**
 * @param {Handle} handle
 * @param {() => void} onClosed
 * @returns {() => void} makes it accept
 */
function putOff(handle, onClosed) {
  const { listen, close } = handle;
  /** @type {number | undefined} */
  let wanted;
  // Others listen on the same socket, so that it cannot fail any more.
  handle.listen = (backlog) => {
    wanted = backlog;
    return 0;
  };
  handle.close = (...args) => {
    onClosed();
    Reflect.apply(close, handle, args);
  };
  return () => {
    handle.listen = listen;
    if (wanted !== undefined) Reflect.apply(listen, handle, [wanted]);
  };
}
