'use strict';
/**
 * `scheduling: fair`: a worker that has as many connections at an address as the primary allows hands the next one over,
 * before it becomes a socket of the program.
 */
const { onMessage, send } = require('./channel.cjs');
const { apply, asProgram, before, guarded, setTimeout } = require('./guard.cjs');
const { Surplus } = require('./leases.cjs');
const { countConnections } = require('./servers.cjs');

/**
 * @import { Worker } from 'node:cluster'
 * @import { Server } from 'node:net'
 * @import { Client, ListenHandle } from './channel.cjs'
 * @import { Servers } from './servers.cjs'
 */

/** Between two reports while connections come. */
const REPORT_INTERVAL_MS = 100;
/** A count is not reported if it differs from the last report by a smaller part. */
const NOTEWORTHY = 1 / 8;

class FairShare {
  /** What was handed over and may come back. */
  surplus;
  /** What the primary has said of a socket that the program is about to listen on. @type {WeakMap<object, {key: string, limit: number | null}>} */
  #granted = new WeakMap();
  /** By key, as node:cluster names it. @type {Map<string, Address>} */
  #addresses = new Map();
  /** The latest that were sent, by key: they overtake the reply to a request to listen. @type {Map<string, {limit: number | null}>} */
  #limits = new Map();
  /** Those that the primary has handed over, which stay here. @type {WeakSet<Client>} */
  #kept = new WeakSet();
  #isPausing = false;

  /** @param {Worker} worker this process @param {Servers} servers */
  constructor(worker, servers) {
    this.surplus = new Surplus(worker);
    onMessage('connection', ({ key }, client) => {
      this.#kept.add(client);
      const address = this.#addresses.get(key);
      // The primary has counted it.
      if (address) address.reported += 1;
    });
    onMessage('socket', ({ key, connectionLimit: limit }, handle) => {
      if (limit !== undefined) this.#granted.set(handle, { key, limit });
    });
    servers.onListening.add(guarded((server) => this.#watch(server)));
    onMessage('connection-limits', (message) => this.#setLimits(message));
  }

  /** @returns {Record<string, number> | undefined} open connections by key, where they have changed */
  takeChanges() {
    /** @type {[string, number][]} */
    const changes = [];
    for (const [key, address] of this.#addresses) {
      const open = address.open();
      const difference = Math.abs(open - address.reported);
      if (difference <= address.reported * NOTEWORTHY) continue;
      address.reported = open;
      changes.push([key, open]);
    }
    return changes.length > 0 ? Object.fromEntries(changes) : undefined;
  }

  /** @param {Server} server that listens */
  #watch(server) {
    /** @type {{_handle: ListenHandle}} */
    const { _handle: handle } = /** @type {any} */ (server);
    const granted = this.#granted.get(handle);
    if (!granted) return;
    const { key } = granted;
    const { limit } = { ...granted, ...this.#limits.get(key) };
    const { onconnection } = handle;
    const address = new Address(server, limit);
    this.#addresses.set(key, address);
    before(handle, 'close', () => {
      this.surplus.keepIf((each) => each.address === address);
      this.#addresses.delete(key);
      this.#limits.delete(key);
    });
    const report = guarded(() => this.#report());
    const accept = (/** @type {number} */ error, /** @type {Client | undefined} */ client) => {
      asProgram(() => apply(onconnection, handle, [error, client]));
      report();
    };
    const handOver = guarded(
      (/** @type {number} */ error, /** @type {Client | undefined} */ client) => {
        if (error || !client || address.hasRoom || this.#kept.has(client)) return false;
        address.reported = address.open();
        return this.surplus.add({ key, address, client, keep: () => accept(0, client) });
      },
    );
    handle.onconnection = (error, client) => {
      if (!handOver(error, client)) accept(error, client);
    };
  }

  /** @param {Record<string, any>} message */
  #setLimits({ limits }) {
    for (const [key, limit] of Object.entries(limits)) {
      const address = this.#addresses.get(key);
      this.#limits.set(key, { limit });
      if (!address) continue;
      address.limit = limit;
      this.surplus.keepIf((each) => each.address === address && address.hasRoom);
    }
  }

  /** At once: a slow request on the connection may block this process now. Others after a pause. */
  #report() {
    if (this.#isPausing) return;
    const connections = this.takeChanges();
    if (!connections) return;
    send('connections', { connections });
    this.#isPausing = true;
    const end = () => {
      this.#isPausing = false;
      this.#report();
    };
    setTimeout(end, REPORT_INTERVAL_MS).unref();
  }
}

/** One address that this worker accepts connections at. */
class Address {
  #server;
  /** The open connections that the primary knows of. */
  reported = 0;

  /** @param {Server} server @param {number | null} limit null: none */
  constructor(server, limit) {
    this.#server = server;
    this.limit = limit;
  }

  get hasRoom() {
    const { maxConnections, dropMaxConnection } =
      /** @type {{maxConnections?: number, dropMaxConnection?: boolean}} */ (this.#server);
    // node:cluster gives what exceeds it to another worker, unless the program wants it closed.
    const most = (!dropMaxConnection && maxConnections) || Infinity;
    return this.limit === null || this.open() < Math.min(this.limit, most);
  }

  /** @returns {number} open connections */
  open() {
    return countConnections(this.#server);
  }
}

module.exports = { FairShare };
