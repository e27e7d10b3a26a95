'use strict';
/**
 * Connections on their way between the primary and this worker, in both directions: src/lifecycle/lease.cjs. The primary
 * hands one over, and a worker that was blocked, or stopped by a signal, asks whether it is still its own.
 */
const { Leases, mustAsk } = require('../lifecycle/lease.cjs');
const channel = require('./channel.cjs');
const { apply, asProgram, clockMs, guarded, setImmediate, setTimeout } = require('./guard.cjs');

/**
 * @import { Worker } from 'node:cluster'
 * @import { Client, ListenHandle } from './channel.cjs'
 * @import { Servers } from './servers.cjs'
 * @import { LeaseState } from '../lifecycle/lease.cjs'
 */

/** Connections that the primary has not yet decided about. @type {Map<number, {accept: () => void, client: Client}>} */
const asked = new Map();

/** @param {Worker} worker this process @param {Servers} servers */
function watchHandedOver(worker, servers) {
  /** @type {{client: Client, seq: number, leaseMs: number} | null} */
  let current = null;
  // Then node:cluster acknowledges the connection and gives it to the server.
  channel.onMessage('connection', ({ seq, leaseMs }, client) => {
    if (typeof leaseMs === 'number') current = { client, seq, leaseMs };
  });
  const ask = guarded((/** @type {Client} */ client, /** @type {() => void} */ accept) => {
    const lease = current?.client === client ? current : null;
    current = null;
    const isWritten = lease !== null && channel.isFlushed();
    // It has just been acknowledged.
    if (!lease || !mustAsk({ leaseMs: lease.leaseMs, nowMs: clockMs(), isWritten })) return false;
    asked.set(lease.seq, { accept, client });
    channel.send('late', { asked: [lease.seq] });
    return true;
  });
  servers.onListening.add((server) => {
    /** @type {{_handle: ListenHandle}} */
    const { _handle: handle } = /** @type {any} */ (server);
    const { onconnection } = handle;
    handle.onconnection = (error, client) => {
      const accept = () => asProgram(() => apply(onconnection, handle, [error, client]));
      if (!ask(client, accept)) accept();
    };
  });
  channel.onMessage('decided', (message) => {
    const kept = new Set(message.kept);
    for (const seq of message.asked) decide(seq, !kept.has(seq));
  });
  // The primary that has just died may have given them to other workers.
  const takeAll = guarded(() => {
    for (const [seq] of asked) decide(seq, false);
  });
  worker.once('disconnect', takeAll);
}

/** @param {number} seq @param {boolean} isOwn */
function decide(seq, isOwn) {
  const connection = asked.get(seq);
  asked.delete(seq);
  if (isOwn) connection?.accept();
  else connection?.client.close();
}

/** The worker hands over its surplus to the primary, which hands each connection over to another worker. */

/** Connections that were sent and are not confirmed. A channel has room for more messages. */
const MAX_SENT = 16;
/** Connections that wait until fewer are sent. Each has been accepted, so this limits no descriptors. */
const MAX_WAITING = 1024;
/** A lease. A primary that takes longer is too busy to be sent others. */
const SLOW_MS = 500;
const MIN_LOOK_MS = 20;

/**
 * @typedef {{key: string, address: {open: () => number, hasRoom: boolean}, client: Client, keep: () => void}} Connection
 *   key: as node:cluster names the address; keep: serves it here
 */

class Surplus {
  #worker;
  /** @type {Connection[]} */
  #waiting = [];
  /** @type {Leases<Connection & {seq: number, leaseMs: number, state: LeaseState}>} */
  #leases;
  #sent;
  /** Those that were taken back. The primary will ask. @type {Set<number>} */
  #takenBack = new Set();
  #seq = 0;
  /** Whether the primary has not confirmed the oldest one in time. */
  #isSlow = false;

  /** @param {Worker} worker this process */
  constructor(worker) {
    this.#worker = worker;
    const { bytesRead } = channel;
    const world = { bytesRead, clockMs, after: setTimeout, afterReads: setImmediate };
    this.#leases = new Leases(world, MIN_LOOK_MS, (overdue, isLate) => {
      for (const { seq } of overdue) {
        this.#takenBack.add(seq);
        this.#takeBack(seq);
      }
      this.#isSlow = isLate;
      // Also if only later ones were late: without any that is sent, no reply would end their wait.
      if (isLate) this.keepIf();
    });
    this.#sent = this.#leases.entries;
    channel.onMessage('confirmed', (message) =>
      this.#onConfirmed(message.latest, message.returned),
    );
    // Numbers of connections whose lease was over when they were confirmed.
    channel.onMessage('late', ({ asked }) => {
      const kept = asked.filter((/** @type {number} */ seq) => this.#takenBack.delete(seq));
      channel.send('decided', { asked, kept });
    });
    // Before the agent drains the worker. Not of the process: a listener there would keep it alive.
    worker.prependOnceListener(
      'disconnect',
      guarded(() => this.#onDisconnect()),
    );
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

  /** @param {(connection: Connection) => boolean} isKept of those that wait; default: all */
  keepIf(isKept = () => true) {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const connection of waiting) {
      if (isKept(connection)) connection.keep();
      else this.#waiting.push(connection);
    }
  }

  /** @param {Connection} connection */
  #send(connection) {
    const { key, address, client } = connection;
    const seq = ++this.#seq;
    const leaseMs = clockMs() + SLOW_MS;
    const data = { key, seq, leaseMs, open: address.open(), waiting: this.#waiting.length };
    const onFailed = () => this.#takeBack(seq);
    // Before it is sent: what fails here must not be served in two places.
    this.#sent.set(seq, { ...connection, seq, leaseMs, state: 'sent' });
    const isSent = channel.sendConnection('surplus', data, client, onFailed);
    if (isSent) this.#leases.watch();
    else this.#sent.delete(seq);
    return isSent;
  }

  /** @param {number | undefined} latest all up to this number are confirmed @param {number | undefined} returned */
  #onConfirmed(latest = 0, returned) {
    if (returned !== undefined) this.#takeBack(returned);
    for (const [seq, { client }] of this.#sent) {
      if (seq > latest) break;
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

  /** @param {number} seq of a connection that the primary does not have, or must not hand over */
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
    this.keepIf();
  }
}

module.exports = { watchHandedOver, asked, Surplus };
