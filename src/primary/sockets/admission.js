/**
 * Which workers have to wait for connections: replacements that are not online yet, at every address
 * that an admitted worker serves. When no such worker is left there, they are admitted at once.
 */

/**
 * @typedef {object} Member one worker
 * @property {object} worker
 * @property {boolean} isAdmitted
 * @property {(key: string) => void} onAdmitted it no longer has to wait at that address
 * @property {Set<string>} keys of addresses that it listens on, as node:cluster names them
 * @property {Set<string>} waiting keys of addresses at which it waits
 */

export class Admission {
  /** @type {Set<Member>} */
  #members = new Set();

  /** @param {Pick<Member, 'worker' | 'isAdmitted' | 'onAdmitted'>} options */
  join(options) {
    /** @type {Member} */
    const member = { ...options, keys: new Set(), waiting: new Set() };
    this.#members.add(member);
    return {
      listens: (/** @type {string} */ key) => void member.keys.add(key),
      closed: (/** @type {string} */ key) => {
        member.keys.delete(key);
        member.waiting.delete(key);
        this.#update();
      },
      mustWait: (/** @type {string} */ key) => {
        const waits = !member.isAdmitted && this.#isServed(key);
        if (waits) member.waiting.add(key);
        return waits;
      },
      leave: () => {
        this.#members.delete(member);
        this.#update();
      },
    };
  }

  /** @param {object} worker that is online */
  admit(worker) {
    for (const member of this.#members) member.isAdmitted ||= member.worker === worker;
    this.#update();
  }

  /** @param {string} key */
  #isServed(key) {
    return [...this.#members].some(({ isAdmitted, keys }) => isAdmitted && keys.has(key));
  }

  #update() {
    for (const { isAdmitted, waiting, onAdmitted } of this.#members) {
      for (const key of waiting) {
        if (!isAdmitted && this.#isServed(key)) continue;
        waiting.delete(key);
        onAdmitted(key);
      }
    }
  }
}
