'use strict';
/**
 * This worker accepts from a socket while the primary wants it to. What the program listens on is another handle, which
 * accepts nothing itself, so the program notices none of this: not while the worker waits to be admitted or is unhealthy,
 * nor while others accept that are enough. As long as it accepts and has connections, it reports that its event loop
 * turns, so that the primary soon sees when it is blocked.
 */
const { onMessage, onSocket, send } = require('./channel.cjs');
const { atNextMoment } = require('./heartbeat.cjs');
const { newProcessHold, countConnections } = require('./servers.cjs');

/**
 * @import { Server } from 'node:net'
 * @import { ListenHandle } from './channel.cjs'
 * @import { Servers } from './servers.cjs'
 */

module.exports = { acceptWhenTold };

/** @param {Servers} servers */
function acceptWhenTold(servers) {
  /** By key of the address, also if the program is only about to listen there. @type {Map<string, Place>} */
  const places = new Map();
  const accepts = () => [...places.values()].some(({ isAccepting }) => isAccepting);
  const reportTurns = newTurnReports(servers, accepts);
  const placeOf = (/** @type {string} */ key) => {
    const place = places.get(key) ?? new Place();
    places.set(key, place);
    return place;
  };
  onSocket(({ key, acceptsWhenTold }, handle) => {
    if (acceptsWhenTold) placeOf(key).show(handle, () => places.delete(key));
  });
  onMessage('accept-from', ({ key, turnsEveryMs }, socket) => {
    if (!socket) return;
    const report = () => turnsEveryMs && reportTurns(turnsEveryMs);
    placeOf(key).accept(socket, report);
    report();
  });
  onMessage('accept-no-more', ({ key }) => {
    const place = places.get(key);
    place?.rest();
    if (place?.isUnused) places.delete(key);
  });
}

/** One address at which this worker serves. */
class Place {
  /** What the program's server has. @type {ListenHandle | null} */
  #shown = null;
  /** Null: it does not listen. @type {number | null} */
  #backlog = null;
  /** What it accepts from. @type {ListenHandle | null} */
  #socket = null;
  /** Neither handle keeps the process alive, since it may have no socket for a while. */
  #processHold = newProcessHold();
  #isReferenced = true;

  get isUnused() {
    return this.#shown === null;
  }

  get isAccepting() {
    return this.#socket !== null && this.#backlog !== null;
  }

  /** @param {ListenHandle} handle @param {() => void} onClose */
  show(handle, onClose) {
    this.#shown = handle;
    const { close } = handle;
    handle.listen = (backlog) => this.#listen(backlog);
    handle.ref = () => this.#setReferenced(true);
    handle.unref = () => this.#setReferenced(false);
    handle.close = (...args) => {
      onClose();
      this.#backlog = null;
      this.#processHold.release();
      this.rest();
      Reflect.apply(close, handle, args);
    };
  }

  /** @param {ListenHandle} socket @param {() => void} onAccept */
  accept(socket, onAccept) {
    this.rest();
    this.#socket = socket;
    socket.onconnection = (error, client) => {
      onAccept();
      this.#shown?.onconnection(error, client);
    };
    if (this.#backlog !== null) this.#acceptFrom(socket, this.#backlog);
  }

  /** The connections in its queue stay there: the primary has the socket too. */
  rest() {
    this.#socket?.close();
    this.#socket = null;
  }

  /** @param {number} backlog @returns {number} 0, or the error of the system */
  #listen(backlog) {
    this.#backlog = backlog;
    this.#setReferenced(this.#isReferenced);
    return this.#socket ? this.#acceptFrom(this.#socket, backlog) : 0;
  }

  /** @param {ListenHandle} socket @param {number} backlog */
  #acceptFrom(socket, backlog) {
    socket.unref();
    return socket.listen(backlog);
  }

  /** @param {boolean} isReferenced whether it keeps the process alive while it listens */
  #setReferenced(isReferenced) {
    this.#isReferenced = isReferenced;
    if (isReferenced && this.#backlog !== null) this.#processHold.hold();
    else this.#processHold.release();
  }
}

/**
 * @param {Servers} servers @param {() => boolean} accepts whether this worker does anywhere
 * @returns {(everyMs: number) => void} call it with each connection
 */
function newTurnReports(servers, accepts) {
  let isReporting = false;
  let hasAccepted = false;
  return (everyMs) => {
    hasAccepted = true;
    if (isReporting) return;
    isReporting = true;
    const report = () => {
      const isOpen = (/** @type {Server} */ server) => countConnections(server) > 0;
      isReporting = accepts() && (hasAccepted || [...servers.listening].some(isOpen));
      hasAccepted = false;
      send(isReporting ? 'turns' : 'rests');
      if (isReporting) atNextMoment(everyMs, report);
    };
    send('turns');
    atNextMoment(everyMs, report);
  };
}
