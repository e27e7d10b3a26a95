/**
 * Which worker has to wait for connections: one that replaces another and is not online yet, at
 * each address that one which need not wait serves. Should the last of those go, it serves at once.
 */

/**
 * @typedef {object} Member one worker
 * @property {object} who
 * @property {boolean} isAdmitted
 * @property {(key: string) => void} onServed it need not wait any more at that address
 * @property {Set<string>} keys of addresses that it listens on, as node:cluster names them
 * @property {Set<string>} waiting keys of those at which it was told to wait
 */

export class Admission {
  /** @type {Set<Member>} */
  #members = new Set();

  /** @param {Pick<Member, 'who' | 'isAdmitted' | 'onServed'>} how */
  join(how) {
    /** @type {Member} */
    const member = { ...how, keys: new Set(), waiting: new Set() };
    this.#members.add(member);
    return {
      listens: (/** @type {string} */ key) => void member.keys.add(key),
      closed: (/** @type {string} */ key) => {
        member.keys.delete(key);
        member.waiting.delete(key);
        this.#reconsider();
      },
      mustWait: (/** @type {string} */ key) => {
        const waits = !member.isAdmitted && this.#isServed(key);
        if (waits) member.waiting.add(key);
        return waits;
      },
      gone: () => {
        this.#members.delete(member);
        this.#reconsider();
      },
    };
  }

  /** @param {object} who need not wait any more: it is online */
  admit(who) {
    for (const member of this.#members) member.isAdmitted ||= member.who === who;
    this.#reconsider();
  }

  /** @param {string} key */
  #isServed(key) {
    return [...this.#members].some(({ isAdmitted, keys }) => isAdmitted && keys.has(key));
  }

  #reconsider() {
    for (const { isAdmitted, waiting, onServed } of this.#members) {
      for (const key of waiting) {
        if (!isAdmitted && this.#isServed(key)) continue;
        waiting.delete(key);
        onServed(key);
      }
    }
  }
}
