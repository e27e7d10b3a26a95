/**
 * One socket that the workers share and accept from by themselves. The primary only keeps its handle
 * open: then connections that nobody accepts wait in the kernel's queue.
 */
/** @import { TcpHandle } from './listening-socket.js' */

/**
 * @typedef {object} SharedSocketRules
 * @property {() => boolean} isKept asked when the last worker has closed it
 * @property {(socket: SharedSocket) => void} onHeld
 * @property {(socket: SharedSocket) => void} onClosed
 */

export class SharedSocket {
  isHeld = false;

  /**
   * @param {string} name the address that it listens on
   * @param {TcpHandle} handle
   * @param {SharedSocketRules} rules
   */
  constructor(name, handle, rules) {
    this.name = name;
    this.handle = handle;
    this.rules = rules;
  }

  serve() {
    this.isHeld = false;
    this.handle.close = (callback) => {
      if (!this.rules.isKept()) {
        this.end(callback);
        this.rules.onClosed(this);
        return;
      }
      this.isHeld = true;
      this.rules.onHeld(this);
    };
  }

  /** @param {() => void} [callback] */
  end(callback) {
    this.isHeld = false;
    delete (/** @type {{close?: unknown}} */ (this.handle).close);
    this.handle.close(callback);
  }
}
