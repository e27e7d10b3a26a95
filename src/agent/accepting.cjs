'use strict';
/**
 * This worker accepts from a socket while the primary wants it to, with `round-robin` and `sticky` never. The program listens
 * on another handle, which accepts nothing. Where few accept, the worker reports that its event loop turns.
 */
const { closeSync, openSync } = require('node:fs');
const { onMessage, send, atNextMoment } = require('./channel.cjs');
const { before, clearTimeout, guarded } = require('./guard.cjs');
const { newProcessHold, countConnections } = require('./servers.cjs');

/**
 * @import { Server } from 'node:net'
 * @import { ListenHandle } from './channel.cjs'
 * @import { Servers } from './servers.cjs'
 */

module.exports = { acceptWhenTold };

/** @typedef {{turnsEveryMs: number, restsEveryMs: number}} Reports ms between two; restsEveryMs: without connections */

/** @param {Servers} servers */
function acceptWhenTold(servers) {
  /** By key of the address, also if the program is only about to listen there. @type {Record<string, Place>} */
  const places = Object.create(null);
  const reportTurns = newTurnReports(
    servers,
    () => Object.values(places).find(({ reports }) => reports)?.reports ?? null,
  );
  const placeOf = (/** @type {string} */ key) => (places[key] ??= new Place(reportTurns));
  onMessage('socket', ({ key, acceptsWhenTold }, handle) => {
    if (acceptsWhenTold) placeOf(key).show(handle, () => delete places[key]);
  });
  // Without a socket: only the reports are to change.
  onMessage('accept', ({ key, turnsEveryMs, restsEveryMs }, socket) => {
    const place = socket ? placeOf(key) : places[key];
    if (!place) return;
    if (socket) place.accept(socket);
    place.reports = turnsEveryMs ? { turnsEveryMs, restsEveryMs } : null;
    reportTurns();
  });
  onMessage('lost', ({ key }) => places[key]?.makeRoom());
  onMessage('accept-no-more', ({ key }) => {
    places[key]?.rest();
    if (places[key]?.shown === null) delete places[key];
  });
}

/** One address at which this worker serves. */
class Place {
  /** What the program's server has. @type {ListenHandle | null} */
  shown = null;
  /** Null: it does not listen. @type {number | null} */
  #backlog = null;
  /** What it accepts from. @type {ListenHandle | null} */
  #socket = null;
  /** A descriptor for it, since the program may use up all others. @type {number | undefined} */
  #reserved;
  /** Neither handle keeps the process alive, since it may have no socket for a while. */
  #processHold = newProcessHold();
  #isReferenced = true;
  /** While it accepts. @type {Reports | null} */
  reports = null;

  /** @param {() => void} onAccept */
  constructor(onAccept) {
    this.onAccept = guarded(onAccept);
  }

  /** @param {ListenHandle} handle @param {() => void} onClose */
  show(handle, onClose) {
    this.shown = handle;
    this.#reserve();
    handle.listen = (backlog) => this.#listen(backlog);
    handle.ref = () => this.#setReferenced(true);
    handle.unref = () => this.#setReferenced(false);
    before(handle, 'close', () => {
      onClose();
      this.#backlog = null;
      this.#processHold.release();
      this.rest();
      this.makeRoom();
    });
  }

  /** @param {ListenHandle} socket */
  accept(socket) {
    this.rest();
    this.makeRoom();
    this.#socket = socket;
    socket.onconnection = (error, client) => {
      this.onAccept();
      this.shown?.onconnection(error, client);
    };
    if (this.#backlog !== null) this.#listen(this.#backlog);
  }

  /** The connections in its queue stay there: the primary has the socket too. */
  rest() {
    this.#socket?.close();
    this.#socket = null;
    this.reports = null;
    this.#reserve();
  }

  #reserve = guarded(() => {
    if (!this.#socket) this.#reserved ??= openSync('/dev/null', 'r');
  });

  makeRoom() {
    const reserved = this.#reserved;
    this.#reserved = undefined;
    if (reserved !== undefined) closeSync(reserved);
  }

  /** @param {number} backlog @returns {number} 0, or the error of the system */
  #listen(backlog) {
    this.#backlog = backlog;
    this.#setReferenced(this.#isReferenced);
    this.#socket?.unref();
    return this.#socket?.listen(backlog) ?? 0;
  }

  /** @param {boolean} isReferenced whether it keeps the process alive while it listens */
  #setReferenced(isReferenced) {
    this.#isReferenced = isReferenced;
    if (isReferenced && this.#backlog !== null) this.#processHold.hold();
    else this.#processHold.release();
  }
}

/**
 * Call the result with each connection, and when the primary may want other reports.
 * @param {Servers} servers
 * @param {() => Reports | null} reportsNow null: the primary wants none
 */
function newTurnReports(servers, reportsNow) {
  const isOpen = (/** @type {Server} */ server) => countConnections(server) > 0;
  let isBusy = false;
  let hasAccepted = false;
  /** Until the next report. @type {NodeJS.Timeout | undefined} */
  let timer;
  const report = () => {
    const reports = reportsNow();
    isBusy = reports !== null && (hasAccepted || [...servers.listening].some(isOpen));
    hasAccepted = false;
    const nextMs = reports && (isBusy ? reports.turnsEveryMs : reports.restsEveryMs);
    send('turns', { nextMs });
    timer = nextMs ? atNextMoment(nextMs, report) : undefined;
  };
  return () => {
    hasAccepted = true;
    if (isBusy || (timer === undefined && reportsNow() === null)) return;
    clearTimeout(timer);
    report();
  };
}
