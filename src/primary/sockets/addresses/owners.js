/** Which slots have listened on which socket since it was opened. */

/** As node:cluster names an address: host, port, type, descriptor and, on Node 20, index. */
const KEY = /^(.*):(\d+):[46]:[^:]*(?::\d+)?$/;

export class SocketOwners {
  /** By the name of the socket. @type {Map<string, Set<number>>} */
  #slots = new Map();

  /** @param {string} key of the address that a worker listens on @param {number} slot */
  add(key, slot) {
    const [, host, port] = KEY.exec(key) ?? [];
    // A unix socket, or a port that the system chooses, is never held.
    if (port === undefined || port === '0') return;
    const name = `${host === 'null' ? '*' : host}:${port}`;
    this.#slots.set(name, (this.#slots.get(name) ?? new Set()).add(slot));
  }

  /** @param {string} name @returns {number[] | undefined} undefined: not known, as of an inherited one */
  of(name) {
    const slots = this.#slots.get(name);
    return slots && [...slots];
  }

  /** @param {string} name of a socket that is closed for good */
  forget(name) {
    this.#slots.delete(name);
  }
}
