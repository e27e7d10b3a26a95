/**
 * Sockets that another primary listens on and serves: this one does not listen on them yet, and since
 * they listen already, that cannot fail later.
 */
/** @import { TcpHandle } from '../policies/listening-socket.js' */

export class PostponedSockets {
  /** What makes each listen, if it was asked to. @type {Map<TcpHandle, () => void>} */
  #handles = new Map();

  /** @param {TcpHandle} handle that seems to listen as soon as it is asked to */
  add(handle) {
    const { listen } = handle;
    /** @type {number | null} */
    let requestedBacklog = null;
    handle.listen = (backlog) => {
      requestedBacklog = backlog;
      return 0;
    };
    this.#handles.set(handle, () => {
      handle.listen = listen;
      if (requestedBacklog !== null) handle.listen?.(requestedBacklog);
    });
  }

  /** @param {TcpHandle} handle */
  has(handle) {
    return this.#handles.has(handle);
  }

  /** The other primary stops. */
  listen() {
    for (const listen of this.#handles.values()) listen();
    this.#handles.clear();
  }
}
