'use strict';
/**
 * This worker accepts from the sockets that the primary sends. What the program listens on is another handle,
 * which accepts nothing itself, so the program notices none of this. At an address that has sockets of slots,
 * it accepts usually from that of its own slot; also from those of slots whose workers do not accept; from
 * none while it waits to be admitted or is unhealthy. As long as it has connections it reports that its
 * event loop turns, so that the primary soon sees when it is blocked. Where all workers have one socket, only
 * a replacement that waits to be admitted gets that later, since it has not yet shown that it can serve.
 */
const { onMessage, onSocket, send } = require('./channel.cjs');
const { atNextMoment } = require('./heartbeat.cjs');
const { newProcessHold, countConnections } = require('./servers.cjs');

/**
 * @import { Server } from 'node:net'
 * @import { ListenHandle } from './channel.cjs'
 * @import { Servers } from './servers.cjs'
 */

module.exports = { serveSlotSockets };

/** @param {Servers} servers */
function serveSlotSockets(servers) {
  /** By key of the address, also if the program is only about to listen there. @type {Map<string, Place>} */
  const places = new Map();
  const reportTurns = newTurnReports(servers);
  const placeOf = (/** @type {string} */ key) => {
    const place = places.get(key) ?? new Place();
    places.set(key, place);
    return place;
  };
  onSocket(({ key, turnsEveryMs, acceptsLater }, handle) => {
    if (!turnsEveryMs && !acceptsLater) return;
    placeOf(key).show(handle, {
      accepts: () => turnsEveryMs && reportTurns(turnsEveryMs),
      closes: () => places.delete(key),
    });
  });
  // slot null: the socket of all workers. The program may have closed its server meanwhile.
  onMessage('accept-from', ({ key, slot }, socket) => {
    const place = slot === null ? places.get(key) : placeOf(key);
    if (place) socket && place.add(slot, socket);
    else socket?.close();
  });
  onMessage('accept-no-more', ({ key, slot }) => {
    const place = places.get(key);
    place?.remove(slot);
    if (place?.isUnused) places.delete(key);
  });
}

/** One address at which this worker serves. */
class Place {
  /** What the program's server has. @type {ListenHandle | null} */
  #shown = null;
  /** Null: it does not listen. @type {number | null} */
  #backlog = null;
  /** What it accepts from, by slot. @type {Map<number | null, ListenHandle>} */
  #sockets = new Map();
  /** None of the handles keeps the process alive, since it may have no socket for a while. */
  #processHold = newProcessHold();
  #isReferenced = true;
  #accepts = () => {};

  get isUnused() {
    return this.#shown === null && this.#sockets.size === 0;
  }

  /** @param {ListenHandle} handle @param {{accepts: () => void, closes: () => void}} on */
  show(handle, { accepts, closes }) {
    this.#shown = handle;
    this.#accepts = accepts;
    const { close } = handle;
    handle.listen = (backlog) => this.#listen(backlog);
    handle.ref = () => this.#setReferenced(true);
    handle.unref = () => this.#setReferenced(false);
    handle.close = (...args) => {
      closes();
      this.#end();
      Reflect.apply(close, handle, args);
    };
  }

  /** @param {number | null} slot @param {ListenHandle} socket */
  add(slot, socket) {
    this.remove(slot);
    this.#sockets.set(slot, socket);
    if (this.#backlog !== null) this.#acceptFrom(socket, this.#backlog);
  }

  /** The connections in its queue stay there: the primary has the socket too. @param {number | null} slot */
  remove(slot) {
    this.#sockets.get(slot)?.close();
    this.#sockets.delete(slot);
  }

  /** @param {number} backlog @returns {number} 0, or the error of the system */
  #listen(backlog) {
    this.#backlog = backlog;
    this.#setReferenced(this.#isReferenced);
    const results = [...this.#sockets.values()].map((each) => this.#acceptFrom(each, backlog));
    return results.find((result) => result !== 0) ?? 0;
  }

  /** @param {ListenHandle} socket @param {number} backlog */
  #acceptFrom(socket, backlog) {
    socket.onconnection = (error, client) => {
      this.#accepts();
      this.#shown?.onconnection(error, client);
    };
    socket.unref();
    return socket.listen(backlog);
  }

  /** @param {boolean} isReferenced whether it keeps the process alive while it listens */
  #setReferenced(isReferenced) {
    this.#isReferenced = isReferenced;
    if (isReferenced && this.#backlog !== null) this.#processHold.hold();
    else this.#processHold.release();
  }

  #end() {
    this.#backlog = null;
    this.#processHold.release();
    for (const slot of [...this.#sockets.keys()]) this.remove(slot);
  }
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
