/**
 * Which workers have to wait for connections: replacements that are not online yet, at every address
 * that an admitted worker serves. When no such worker is left there, they are admitted at once.
 */

/** @import { ChildProcess } from 'node:child_process' */

/**
 * @typedef {object} Member one worker
 * @property {ChildProcess} worker
 * @property {number} slot
 * @property {boolean} isAdmitted
 * @property {(key: string) => void} onAdmitted it no longer has to wait at that address
 * @property {Map<string, string>} keys of addresses that it listens on, as node:cluster names them,
 *   and the addresses themselves
 * @property {Set<string>} waiting keys of addresses at which it waits
 *
 * @typedef {{worker: ChildProcess, slot: number, key: string}} Server a worker at one address
 */

export class Admission {
  /** @type {Set<Member>} */
  #members = new Set();
  /** By address; forgotten at every change. @type {Map<string, Server[]> | null} */
  #servers = null;
  /** Called after every change. @type {Set<() => void>} */
  onChange = new Set();
  /** Another primary serves the sockets that this one was given: nobody gets a connection here. */
  isBeside = false;

  /** @param {Pick<Member, 'worker' | 'slot' | 'isAdmitted' | 'onAdmitted'>} options */
  join(options) {
    /** @type {Member} */
    const member = { ...options, keys: new Map(), waiting: new Set() };
    this.#members.add(member);
    return {
      listens: (/** @type {string} */ key, /** @type {string} */ address) => {
        member.keys.set(key, address);
        this.#update();
      },
      closed: (/** @type {string} */ key) => {
        member.keys.delete(key);
        member.waiting.delete(key);
        this.#update();
      },
      mustWait: (/** @type {string} */ key, /** @type {boolean} */ isServedBeside) => {
        const waits = isServedBeside || (!member.isAdmitted && this.#isServed(key));
        if (waits) member.waiting.add(key);
        return waits;
      },
      leave: () => {
        this.#members.delete(member);
        this.#update();
      },
    };
  }

  /** @param {ChildProcess} worker that is online */
  admit(worker) {
    for (const member of this.#members) member.isAdmitted ||= member.worker === worker;
    this.#update();
  }

  /** @param {ChildProcess} worker that gets no connections where another one is admitted */
  suspend(worker) {
    for (const member of this.#members) member.isAdmitted &&= member.worker !== worker;
    this.#update();
  }

  /** The other primary stops: from now on workers get connections here. */
  endBeside() {
    this.isBeside = false;
    this.#update();
  }

  /**
   * @param {string} address
   * @returns {readonly Server[]} the workers that get connections there, oldest first
   */
  serversAt(address) {
    this.#servers ??= this.#byAddress();
    return this.#servers.get(address) ?? [];
  }

  /** All at once: a program may have a thousand addresses. @returns {Map<string, Server[]>} */
  #byAddress() {
    /** @type {Map<string, Server[]>} */
    const servers = new Map();
    for (const { worker, slot, isAdmitted, keys } of this.#members) {
      for (const [key, address] of keys) {
        if (!this.#mayServe(isAdmitted, key)) continue;
        const others = servers.get(address);
        if (others) others.push({ worker, slot, key });
        else servers.set(address, [{ worker, slot, key }]);
      }
    }
    return servers;
  }

  /**
   * @param {string} key
   * @returns {Server[]} the workers that get connections there, oldest first
   */
  serversOf(key) {
    return [...this.#members].flatMap(({ worker, slot, isAdmitted, keys }) =>
      keys.has(key) && this.#mayServe(isAdmitted, key) ? [{ worker, slot, key }] : [],
    );
  }

  /** @param {boolean} isAdmitted @param {string} key */
  #mayServe(isAdmitted, key) {
    return !this.isBeside && (isAdmitted || !this.#isServed(key));
  }

  /** @param {string} key */
  #isServed(key) {
    return [...this.#members].some(({ isAdmitted, keys }) => isAdmitted && keys.has(key));
  }

  #update() {
    this.#servers = null;
    for (const { isAdmitted, waiting, onAdmitted } of this.#members) {
      for (const key of waiting) {
        if (!this.#mayServe(isAdmitted, key)) continue;
        waiting.delete(key);
        onAdmitted(key);
      }
    }
    for (const callback of this.onChange) callback();
  }
}
