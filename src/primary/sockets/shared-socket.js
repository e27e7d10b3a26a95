/** @import { SocketRules, TcpHandle } from './listening-socket.js' */

/**
 * One socket that the workers share and accept from by themselves. The primary only keeps its handle
 * open, so that connections that no worker accepts wait in the kernel's queue.
 */
export class SharedSocket {
  isHeld = false;

  /** @param {string} name @param {TcpHandle} handle @param {SocketRules<SharedSocket>} rules */
  constructor(name, handle, rules) {
    this.name = name;
    this.handle = handle;
    this.rules = rules;
  }

  /** @returns {[string, TcpHandle][]} those that are open, by their names */
  get handles() {
    return [[this.name, this.handle]];
  }

  /** @param {number} _slot @param {TcpHandle} handle of the same address, which nobody accepts from */
  inherit(_slot, handle) {
    if (handle !== this.handle) handle.close();
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

  /** Its workers accept by themselves until they drain. */
  stopAccepting() {}

  get isIdle() {
    return true;
  }

  /** Those that wait do so in the kernel's queue. */
  giveUpWaiting() {}

  /** @param {() => void} [callback] */
  end(callback) {
    this.isHeld = false;
    delete (/** @type {{close?: unknown}} */ (this.handle).close);
    this.handle.close(callback);
  }
}
