'use strict';
/**
 * A connection that the primary hands over comes with a lease. If this worker has not acknowledged it
 * by then, the primary may give it to another worker. So a worker that was blocked, or stopped by a
 * signal, asks whether the connection is still its own, and nobody reads from it until the reply.
 */
const { channelHandle, onMessage, send } = require('./channel.cjs');

/**
 * @import { Worker } from 'node:cluster'
 * @import { Server } from 'node:net'
 */

module.exports = { keepLeases, countAsked, mustAsk };

/**
 * @typedef {{close: () => void}} Client the handle of a connection
 * @typedef {{onconnection: (error: number, client: Client) => void}} Listener the handle of a server
 * @typedef {{client: Client, seq: number, leaseMs: number}} Lease
 */

/** The program may replace it. */
const { hrtime } = process;
/** Connections that the primary has not yet decided about. @type {Map<number, {accept: () => void, client: Client}>} */
const asked = new Map();

/**
 * @param {Worker} worker this process
 * @returns {(server: Server) => void} to be called before each listen of a server
 */
function keepLeases(worker) {
  /** Whose handle is not watched yet. @type {Set<Server>} */
  const unwatched = new Set();
  /** @type {Lease | null} */
  let current = null;
  const takeLease = (/** @type {Client} */ client) => {
    const lease = current?.client === client ? current : null;
    current = null;
    return lease;
  };
  // First: node:cluster's listener acknowledges the connection and gives it to the server.
  process.prependListener(
    /** @type {any} */ ('internalMessage'),
    (/** @type {any} */ message, /** @type {any} */ client) => {
      if (message?.act !== 'newconn' || typeof message.leaseMs !== 'number' || !client) return;
      current = { client, seq: message.seq, leaseMs: message.leaseMs };
      for (const server of unwatched) if (watch(server, takeLease)) unwatched.delete(server);
    },
  );
  onMessage('decided', ({ seq, isYours }) => decide(seq, isYours === true));
  // The primary that has just died may have given them to other workers.
  worker.once('disconnect', () => asked.forEach((_, seq) => decide(seq, false)));
  return (server) => void unwatched.add(server);
}

/** @returns {number} connections that the primary has not yet decided about */
function countAsked() {
  return asked.size;
}

/**
 * @param {Server} server
 * @param {(client: Client) => Lease | null} takeLease
 * @returns {boolean} whether it has a handle
 */
function watch(server, takeLease) {
  const { _handle: handle } = /** @type {{_handle?: Listener | null}} */ (
    /** @type {unknown} */ (server)
  );
  if (!handle?.onconnection) return false;
  const { onconnection } = handle;
  handle.onconnection = (error, client) => {
    const accept = () => Reflect.apply(onconnection, handle, [error, client]);
    const lease = takeLease(client);
    if (lease === null || isKept(lease)) return accept();
    asked.set(lease.seq, { accept, client });
    send('late', { seq: lease.seq });
  };
  return true;
}

/** @param {Lease} lease of a connection that has just been acknowledged */
function isKept({ leaseMs }) {
  const isWritten = isChannelFlushed();
  const [seconds, nanoseconds] = hrtime();
  return !mustAsk({ leaseMs, nowMs: seconds * 1e3 + nanoseconds / 1e6, isWritten });
}

/** @param {number} seq @param {boolean} isOwn */
function decide(seq, isOwn) {
  const connection = asked.get(seq);
  asked.delete(seq);
  if (isOwn) connection?.accept();
  else connection?.client.close();
}

/** @returns {boolean} whether everything that was sent to the primary has been written */
function isChannelFlushed() {
  const { _handleQueue: queue } = /** @type {any} */ (process);
  return queue === null && channelHandle()?.writeQueueSize === 0;
}

/**
 * Whose a connection is that was handed to this worker: the worker's side of `primary/sockets/lease.js`.
 * @param {{leaseMs: number, nowMs: number, isWritten: boolean}} facts `isWritten`: the acknowledgement
 *   has been written to the channel; `nowMs`: a time after that
 * @returns {boolean} whether only the primary knows whose the connection is
 */
function mustAsk({ leaseMs, nowMs, isWritten }) {
  return !isWritten || nowMs > leaseMs;
}
