'use strict';
/**
 * `scheduling: fair`: a worker that has as many connections at an address as the primary allows hands the next one over,
 * before it becomes a socket of the program.
 */
const net = require('node:net');
const { onHandle, onMessage, send } = require('./channel.cjs');
const { apply, asProgram, attempt, before, guarded, replace, setTimeout } = require('./guard.cjs');
const { Surplus } = require('./leases.cjs');
const { protocolOf } = require('./listening.cjs');
const { countConnections } = require('./servers.cjs');

/**
 * @import { Worker } from 'node:cluster'
 * @import { AddressInfo, Server } from 'node:net'
 * @import { Client, ListenHandle } from './channel.cjs'
 * @import { Servers, TrackedServer } from './servers.cjs'
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
  /** Connections that stay here: the primary has handed them over, or both ends are here. @type {WeakSet<Client>} */
  #kept = new WeakSet();
  #isPausing = false;

  /** @param {Worker} worker this process @param {Servers} servers */
  constructor(worker, servers) {
    this.surplus = new Surplus(worker);
    onHandle('connection', ({ key }, client) => {
      this.#kept.add(client);
      const address = this.#addresses.get(key);
      // The primary has counted it.
      if (address) address.reported += 1;
    });
    onHandle('socket', ({ key, connectionLimit: limit }, handle) => {
      if (limit !== undefined) this.#granted.set(handle, { key, limit });
    });
    servers.onListening.add(guarded((server) => this.#watch(server)));
    attempt(() => keepOwnConnections(servers, (client) => this.#kept.add(client)));
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

/**
 * A connection of this worker to its own server, of another protocol than HTTP, stays in this process. An older worker
 * might accept it, whose drain would wait for it: only the program knows whether an answer is owed.
 */

const HOST = '127.0.0.1';
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const ANY = ['::', '0.0.0.0'];

/** @typedef {Client & {fd: number, getsockname: (address: object) => void, getpeername: (address: object) => void}} Connection */

/** @param {Servers} servers @param {(client: Client) => void} note called with the server's end of each, before the server */
function keepOwnConnections({ listening, onListening }, note) {
  let isHooked = false;
  const hook = guarded((/** @type {TrackedServer} */ server) => {
    if (isHooked || protocolOf(server) !== null) return;
    const { socket, prototype } = openSocket();
    socket.close();
    const { connect, connect6 } = prototype;
    const keep = guarded(
      (/** @type {Connection} */ client, /** @type {any[]} */ [request, to, port]) => {
        const own = [...listening].find((each) => listensAt(each, to, port));
        // One that has a descriptor is bound to an address.
        if (!own || client.fd >= 0) return undefined;
        const connectTo = (/** @type {number} */ listens) =>
          apply(connect, client, [request, HOST, listens]);
        return connectInside(own, client, connectTo, note);
      },
    );
    for (const [name, act] of Object.entries({ connect, connect6 })) {
      /** @this {Connection} @param {any[]} args */
      const value = function (...args) {
        return keep(this, args) ?? apply(act, this, args);
      };
      replace(prototype, name, value);
    }
    isHooked = true;
  });
  onListening.add(hook);
}

/** @returns {{socket: any, prototype: any}} with a port that the system chose */
function openSocket() {
  // Under this name on Node 20 to 26.
  const socket = /** @type {any} */ (net)._createServerHandle(HOST, 0, 4);
  return { socket, prototype: Object.getPrototypeOf(socket) };
}

/** @param {TrackedServer} server @param {string} to @param {number} port */
function listensAt(server, to, port) {
  const bound = /** @type {AddressInfo | null} */ (server.address());
  if (protocolOf(server) !== null || bound?.port !== port) return false;
  return bound.address === to || (ANY.includes(bound.address) && LOOPBACK.test(to));
}

/**
 * @param {any} server
 * @param {Connection} client
 * @param {(port: number) => number} connectTo
 * @param {(client: Client) => void} note
 * @returns {number} 0, or the error of the system
 */
function connectInside(server, client, connectTo, note) {
  const { socket } = openSocket();
  let clientPort = 0;
  socket.onconnection = guarded((/** @type {number} */ error, /** @type {any} */ accepted) => {
    if (accepted) {
      note(accepted);
      // Another process may be faster, and is a client like any other.
      if (portOf(accepted, 'getpeername') === clientPort) socket.close();
    }
    const { _handle: handle } = server;
    if (handle) asProgram(() => apply(handle.onconnection, handle, [error, accepted]));
    else accepted?.close();
  });
  socket.unref();
  socket.listen(1);
  const result = connectTo(portOf(socket, 'getsockname'));
  attempt(() => (clientPort = portOf(client, 'getsockname')));
  if (result !== 0) socket.close();
  return result;
}

/** @param {Connection} handle @param {'getsockname' | 'getpeername'} side */
function portOf(handle, side) {
  const address = { port: 0 };
  handle[side](address);
  return address.port;
}

module.exports = { FairShare };
