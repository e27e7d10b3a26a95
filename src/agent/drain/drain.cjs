'use strict';
/**
 * The end of a worker's service, without losing a request:
 * stop accepting → every answer is its connection's last → wait for the connections to end →
 * tell the primary → stay until it has settled, so that what it had sent meanwhile is refused.
 */
const net = require('node:net');
const { send } = require('../channel.cjs');
const { closeAfterAnswers } = require('../serve/last-answers.cjs');
const { goAway } = require('./go-away.cjs');
const { countConnections } = require('../serve/servers.cjs');

/** @import { Servers, TrackedServer } from '../serve/servers.cjs' */

/** How often the connections are counted when no server says that it has closed. */
const COUNT_EVERY_MS = 100;
/** Before this, a connection without a request may just have been opened to bring one. */
const IDLE_GRACE_MS = 500;

class Drain {
  /** @param {Servers} servers */
  constructor(servers) {
    this.servers = servers;
    /** @type {TrackedServer[]} */
    this.draining = [];
    /** @type {NodeJS.Timeout | undefined} referenced: the process must stay until it is settled */
    this.timer = undefined;
    this.reported = false;
    this.begunMs = 0;
    /** @param {number} open connections */
    this.report = (open) => send('drained', { open });
  }

  /**
   * Nobody is there to report to.
   * @param {() => void} goOn called when it is drained, or is so already
   */
  outlive(goOn) {
    if (this.reported) goOn();
    else this.report = goOn;
  }

  /**
   * @param {{timeoutMs?: number, idle?: 'keep' | 'close'}} order `idle: 'close'`: nobody takes
   *   over, so connections without a request are not waited for
   */
  begin({ timeoutMs = 30_000, idle = 'keep' }) {
    if (this.timer || this.reported) return;
    this.draining = [...this.servers.listening];
    closeAfterAnswers(this.draining);
    for (const server of this.draining) stopAccepting(server);
    for (const session of this.servers.http2Sessions) goAway(session);
    // A connection that was taken before may still be in its TLS handshake. What is said to a client
    // before it has said a word itself may keep its first stream from being read.
    this.servers.onSession.add((session) => session.once('remoteSettings', () => goAway(session)));
    this.begunMs = performance.now();
    const deadline = this.begunMs + timeoutMs;
    this.timer = setInterval(() => this.#check(deadline, idle), COUNT_EVERY_MS);
    for (const server of this.draining) server.once('close', () => this.#check(deadline, idle));
    this.#check(deadline, idle);
  }

  /**
   * The primary has heard that this worker is drained; what it had sent before has come. With its
   * servers closed the program might end here, before the stop signal and its own handler of it.
   * @param {{signal: string | null}} next what the primary does now; null: it sends a message
   */
  settle({ signal }) {
    const release = () => clearInterval(this.timer);
    if (signal === null) release();
    // Without a handler the signal's default ends the process; a listener would prevent that.
    else if (process.listenerCount(signal) > 0) process.once(signal, release);
    send('settled');
  }

  /**
   * @param {number} deadline
   * @param {'keep' | 'close'} idle
   */
  #check(deadline, idle) {
    const closesIdle = idle === 'close' && performance.now() - this.begunMs >= IDLE_GRACE_MS;
    if (closesIdle) for (const server of this.draining) server.closeIdleConnections?.();
    const open = this.draining.reduce((sum, server) => sum + countConnections(server), 0);
    if (this.reported || (open > 0 && performance.now() < deadline)) return;
    this.reported = true;
    this.report(open);
  }
}

module.exports = { Drain };

/**
 * Only net's own close: http's resets idle connections whose next request may be in flight. And
 * the program's own shutdown handler may call server.close() again, and must not get an error.
 * @param {TrackedServer} server
 */
function stopAccepting(server) {
  let closed = false;
  server.once('close', () => (closed = true));
  net.Server.prototype.close.call(server);
  server.close = function (callback) {
    this.closeIdleConnections?.();
    if (typeof callback === 'function') {
      if (closed) setImmediate(callback);
      else this.once('close', () => callback());
    }
    return this;
  };
}
