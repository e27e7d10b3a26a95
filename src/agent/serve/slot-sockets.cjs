'use strict';
/**
 * `scheduling: reuseport`: this worker has a socket of its own at an address, and accepts from those
 * of other slots when the primary asks it to, because their workers do not. As long as it has
 * connections it reports that its event loop turns, so that the primary soon sees when it is blocked.
 */
const { onMessage, send } = require('../channel.cjs');
const { atNextMoment } = require('../next-moment.cjs');
const { countConnections } = require('./servers.cjs');

/**
 * @import { Server } from 'node:net'
 * @import { Servers } from './servers.cjs'
 */

module.exports = { serveSlotSockets };

/**
 * @typedef {object} ListenHandle
 * @property {(error: number, client?: unknown) => void} onconnection
 * @property {(backlog: number) => number} listen
 * @property {(callback?: () => void) => void} close
 * @property {() => void} unref
 *
 * @typedef {object} Own
 * @property {ListenHandle} handle
 * @property {number} backlog
 * @property {Map<number, ListenHandle>} others by the slots that they belong to
 */

/** @param {Servers} servers */
function serveSlotSockets(servers) {
  /** By key of the address. @type {Map<string, Own>} */
  const owned = new Map();
  const reportTurns = newTurnReports(servers);
  // First, before node:cluster passes the socket to the server.
  process.prependListener(
    /** @type {any} */ ('internalMessage'),
    (/** @type {any} */ message, /** @type {any} */ handle) => {
      if (message?.cmd !== 'NODE_CLUSTER' || !message.turnsEveryMs) return;
      if (typeof handle?.listen !== 'function') return;
      const { key, turnsEveryMs } = message;
      watch(handle, {
        listens: (backlog) => owned.set(key, { handle, backlog, others: new Map() }),
        accepts: () => reportTurns(turnsEveryMs),
        closes: () => {
          for (const other of owned.get(key)?.others.values() ?? []) other.close();
          owned.delete(key);
        },
      });
    },
  );
  onMessage('accept-also', ({ key, slot }, other) => {
    const own = owned.get(key);
    if (own && other && !own.others.has(slot)) acceptAlso(own, slot, other);
    else other?.close();
  });
  onMessage('accept-no-more', ({ key, slot }) => {
    const own = owned.get(key);
    own?.others.get(slot)?.close();
    own?.others.delete(slot);
  });
}

/**
 * @param {ListenHandle} handle
 * @param {{listens: (backlog: number) => void, accepts: () => void, closes: () => void}} on
 */
function watch(handle, on) {
  const { listen, close } = handle;
  handle.listen = (backlog) => {
    on.listens(backlog);
    const { onconnection } = handle;
    handle.onconnection = (...args) => {
      on.accepts();
      Reflect.apply(onconnection, handle, args);
    };
    return Reflect.apply(listen, handle, [backlog]);
  };
  handle.close = (...args) => {
    on.closes();
    Reflect.apply(close, handle, args);
  };
}

/** @param {Own} own @param {number} slot @param {ListenHandle} other */
function acceptAlso({ handle, backlog, others }, slot, other) {
  others.set(slot, other);
  other.onconnection = (...args) => handle.onconnection(...args);
  // The worker stays alive for its own socket.
  other.unref();
  other.listen(backlog);
}

/** @param {Servers} servers @returns {(everyMs: number) => void} call it with each connection */
function newTurnReports(servers) {
  let isReporting = false;
  let hasAccepted = false;
  return (everyMs) => {
    hasAccepted = true;
    if (isReporting) return;
    isReporting = true;
    const report = () => {
      const isOpen = (/** @type {Server} */ server) => countConnections(server) > 0;
      isReporting = hasAccepted || [...servers.listening].some(isOpen);
      hasAccepted = false;
      send(isReporting ? 'turns' : 'rests');
      if (isReporting) atNextMoment(everyMs, report);
    };
    send('turns');
    atNextMoment(everyMs, report);
  };
}
