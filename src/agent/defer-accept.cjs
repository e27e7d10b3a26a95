'use strict';
/**
 * Keeps this worker from accepting on a shared socket until the primary allows it: other workers
 * serve it, and this one has not yet shown that it can. To the program the socket already listens.
 */
const { onMessage, onSocket } = require('./channel.cjs');
const { newProcessHold } = require('./servers.cjs');

/** @import { ListenHandle } from './channel.cjs' */

module.exports = { deferAccept };

function deferAccept() {
  /** Functions that make a socket accept, by key of its address. @type {Map<string, () => void>} */
  const deferred = new Map();
  const processHold = newProcessHold();
  const remove = (/** @type {string} */ key) => {
    deferred.delete(key);
    if (deferred.size === 0) processHold.release();
  };
  onSocket(({ key, acceptsLater }, handle) => {
    if (!acceptsLater) return;
    const accept = deferListen(handle, () => remove(key));
    deferred.set(key, accept);
    processHold.hold();
  });
  onMessage('serve', ({ key }) => {
    const accept = deferred.get(key);
    remove(key);
    accept?.();
  });
}

/** @param {ListenHandle} handle @param {() => void} onClosed @returns {() => void} makes it accept */
function deferListen(handle, onClosed) {
  const { listen, close } = handle;
  /** @type {number | undefined} */
  let requestedBacklog;
  // Other workers listen on the same socket, so listening cannot fail any more.
  handle.listen = (backlog) => {
    requestedBacklog = backlog;
    return 0;
  };
  handle.close = (...args) => {
    onClosed();
    Reflect.apply(close, handle, args);
  };
  return () => {
    handle.listen = listen;
    if (requestedBacklog !== undefined) Reflect.apply(listen, handle, [requestedBacklog]);
  };
}
