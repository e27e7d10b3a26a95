/** The queues of all addresses of an app. They take turns in using workers that have become free. */
import { ConnectionQueue } from './connection-queue.js';

/**
 * @import { Admission } from './admission.js'
 * @import { QueueRules } from './connection-queue.js'
 */

export class Queues {
  /** The one that has had its turn most recently is last. @type {Set<ConnectionQueue>} */
  #open = new Set();

  /** @param {Admission} admission which worker gets connections where */
  constructor(admission) {
    this.admission = admission;
    admission.onChange.add(() => this.takeTurns());
  }

  /**
   * @param {Omit<QueueRules, 'servers' | 'onClosed'> & {address: () => string | null}} rules `address`:
   *   as `nameAddress` names it; null: no worker listens there yet
   * @returns {ConnectionQueue} to be closed at the end
   */
  open({ address, ...rules }) {
    const servers = () => {
      const name = address();
      return name === null ? [] : this.admission.serversAt(name);
    };
    const onClosed = () => void this.#open.delete(queue);
    const queue = new ConnectionQueue({ ...rules, servers, onClosed });
    this.#open.add(queue);
    return queue;
  }

  /** A worker may take connections now that could not before. */
  takeTurns() {
    for (const queue of [...this.#open]) {
      if (queue.isIdle) continue;
      // Behind the others, also if it is given a connection while it gives one.
      this.#open.delete(queue);
      this.#open.add(queue);
      queue.giveWaiting();
    }
  }
}
