'use strict';
/**
 * Connections on their way to the primary, which gives each to another worker. They are handles of
 * Node that nobody reads from. This process closes its copy when the primary has confirmed that it has
 * its own, and serves what it has not confirmed before its lease is over. A primary that is that late asks.
 */
/** The program may replace the globals. */
const { setImmediate, setTimeout } = require('node:timers');
const { channelHandle, onMessage, send, sendHandle } = require('./channel.cjs');

/** @import { Worker } from 'node:cluster' */

/** Connections that were sent and are not confirmed. A channel has room for more messages. */
const MAX_SENT = 16;
/** Connections that wait until fewer are sent. Each has been accepted, so this limits no descriptors. */
const MAX_WAITING = 1024;
/** A lease. A primary that takes longer is too busy to be sent others. */
const SLOW_MS = 500;
const MIN_LOOK_MS = 20;
/** The program may replace it. */
const { hrtime } = process;

/**
 * @typedef {{close: () => void}} Client the handle of a connection
 *
 * @typedef {object} Connection
 * @property {string} key of the address, as node:cluster names it
 * @property {{open: () => number, hasRoom: boolean}} address
 * @property {Client} client
 * @property {() => void} keep serves it here
 */

class Surplus {
  #worker;
  /** @type {Connection[]} */
  #waiting = [];
  /** By the number of the message, oldest first. @type {Map<number, Connection & {leaseMs: number}>} */
  #sent = new Map();
  /** Those that were taken back. The primary will ask. @type {Set<number>} */
  #kept = new Set();
  #seq = 0;
  #isWatched = false;
  /** Whether the primary has not confirmed the oldest one in time. */
  #isSlow = false;

  /**
   * @param {Worker} worker this process
   * @param {(limits: Record<string, number | null>) => void} setLimits which come with the replies
   */
  constructor(worker, setLimits) {
    this.#worker = worker;
    onMessage('surplus', ({ received, returned, limits = {} }) => {
      setLimits(limits);
      this.#onReply(received, returned);
    });
    onMessage('surplus-late', ({ asked }) => this.#onAsked(asked));
    // Before the agent drains the worker. Not of the process: a listener there would keep it alive.
    worker.prependOnceListener('disconnect', () => this.#onDisconnect());
  }

  /** Connections that may have to be served here after all. */
  get count() {
    return this.#sent.size + this.#waiting.length;
  }

  /** @param {Connection} connection @returns {boolean} false: it must be served here */
  add(connection) {
    if (this.#isSlow || this.#waiting.length === MAX_WAITING) return false;
    if (this.#sent.size < MAX_SENT) return this.#send(connection);
    this.#waiting.push(connection);
    return true;
  }

  /** @param {Connection['address']} address whose limit may have changed */
  keepWhatFits(address) {
    this.#keepIf((each) => each.address === address && address.hasRoom);
  }

  /** @param {Connection['address']} [address] that closes; default: all */
  keepAll(address) {
    this.#keepIf((each) => address === undefined || each.address === address);
  }

  /** @param {(connection: Connection) => boolean} isKept */
  #keepIf(isKept) {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const connection of waiting) {
      if (isKept(connection)) connection.keep();
      else this.#waiting.push(connection);
    }
  }

  /** @param {Connection} connection @returns {boolean} */
  #send(connection) {
    const { key, address, client } = connection;
    const seq = ++this.#seq;
    const leaseMs = clockMs() + SLOW_MS;
    const data = { key, seq, leaseMs, open: address.open(), waiting: this.#waiting.length };
    const onFailed = () => this.#takeBack(seq);
    if (!sendHandle('surplus', data, client, onFailed)) return false;
    this.#sent.set(seq, { ...connection, leaseMs });
    this.#watch();
    return true;
  }

  /** @param {number | undefined} received up to this number @param {number | undefined} returned */
  #onReply(received = 0, returned) {
    if (returned !== undefined) this.#takeBack(returned);
    for (const [seq, { client }] of this.#sent) {
      if (seq > received) break;
      this.#sent.delete(seq);
      client.close();
    }
    this.#isSlow = false;
    while (this.#sent.size < MAX_SENT) {
      const next = this.#waiting.shift();
      if (!next) break;
      if (next.address.hasRoom || !this.#send(next)) next.keep();
    }
  }

  /** @param {number[]} asked numbers of connections whose lease was over when they were confirmed */
  #onAsked(asked) {
    const kept = asked.filter((seq) => this.#kept.delete(seq));
    send('surplus-kept', { asked, kept });
  }

  /** @param {number} seq of a connection that the primary does not have, or must not give away */
  #takeBack(seq) {
    const connection = this.#sent.get(seq);
    this.#sent.delete(seq);
    connection?.keep();
  }

  #onDisconnect() {
    // The primary is alive and has received what was sent, unless it has died.
    const isPrimaryDead = !this.#worker.exitedAfterDisconnect;
    for (const [seq, { client }] of this.#sent) {
      if (isPrimaryDead) this.#takeBack(seq);
      else client.close();
    }
    this.#sent.clear();
    this.keepAll();
  }

  #watch() {
    if (this.#isWatched || this.#sent.size === 0) return;
    this.#isWatched = true;
    const [[oldest, { leaseMs }]] = this.#sent;
    const look = (/** @type {number | null} */ emptyMs) => {
      this.#isWatched = false;
      this.#isSlow = this.#sent.has(oldest);
      if (emptyMs !== null && this.#keepOverdue(emptyMs)) this.#isSlow = true;
      // Also if only later ones were late: without any that is sent, no reply would end their wait.
      if (this.#isSlow) this.keepAll();
      this.#watch();
    };
    // Between the two, everything is read that was there. If nothing was, the channel was empty.
    const begin = () => {
      const beganMs = clockMs();
      const bytesRead = channelHandle()?.bytesRead;
      const isEmpty = () => bytesRead !== undefined && channelHandle()?.bytesRead === bytesRead;
      setImmediate(() => look(isEmpty() ? beganMs : null));
    };
    setTimeout(begin, Math.max(MIN_LOOK_MS, leaseMs - clockMs())).unref();
  }

  /**
   * @param {number} emptyMs everything that the primary had written until then has been read
   * @returns {boolean} whether there were any
   */
  #keepOverdue(emptyMs) {
    const overdue = [...this.#sent].filter(([, { leaseMs }]) => leaseMs < emptyMs);
    for (const [seq] of overdue) {
      this.#kept.add(seq);
      this.#takeBack(seq);
    }
    return overdue.length > 0;
  }
}

/** @returns {number} on the same clock as the primary's */
function clockMs() {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

module.exports = { Surplus };
