/** Gives each worker the socket of its slot to listen on, and says from which sockets it accepts. */
import { Lending } from './lending.js';
import { TURNS_EVERY_MS, Turns } from './turns.js';
import { SlotSockets } from './slot-sockets.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission } from './admission.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

export class SlotSharing {
  /** By key of the address, as node:cluster names it. @type {Map<string, Lending>} */
  #lendings = new Map();
  /** By the handle that node:cluster has. @type {Map<TcpHandle, SlotSockets>} */
  #groups = new Map();
  #turns = new Turns(() => this.update());

  /** @param {Admission} admission */
  constructor(admission) {
    this.admission = admission;
    admission.onChange.add(() => this.update());
  }

  /** @param {ChildProcess} child with an agent */
  watch(child) {
    this.#turns.watch(child);
  }

  /** @param {object} socket that node:cluster has opened */
  add(socket) {
    if (socket instanceof SlotSockets && socket.isGroup) this.#groups.set(socket.handle, socket);
  }

  /**
   * @param {string} key of the address
   * @param {TcpHandle | undefined} handle that node:cluster sends
   * @param {number} slot of the worker
   * @returns what the program listens on instead; null: all get the same socket there
   */
  grant(key, handle, slot) {
    const sockets = handle && this.#groups.get(handle);
    if (!sockets) return null;
    if (this.#lendings.get(key)?.sockets !== sockets) {
      const known = [...this.#lendings.values()].find((one) => one.sockets === sockets);
      this.#lendings.set(key, known ?? new Lending(sockets));
    }
    return { handle: sockets.handleOf(slot), turnsEveryMs: TURNS_EVERY_MS };
  }

  /** @param {{handle: TcpHandle}} sockets that are closed for good */
  forget(sockets) {
    this.#groups.delete(sockets.handle);
    for (const [key, lending] of this.#lendings) {
      if (lending.sockets === sockets) this.#lendings.delete(key);
    }
  }

  /** Call this when other workers serve than before. */
  update() {
    for (const lending of new Set(this.#lendings.values())) {
      const keys = [...this.#lendings.keys()].filter((key) => this.#lendings.get(key) === lending);
      const servers = keys.flatMap((key) => this.admission.serversOf(key));
      const judged = servers.map((server) => ({
        ...server,
        isBlocked: this.#turns.isBlocked(server.worker),
        wasBlocked: this.#turns.wasBlocked(server.worker),
      }));
      lending.update(judged);
    }
  }
}
