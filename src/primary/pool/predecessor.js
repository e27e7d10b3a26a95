/**
 * The workers of another primary that serves the same sockets, as the rolling plan sees them: in each
 * slot an old one is online until a new one is. They really stop when all have a successor.
 */
/**
 * @import { WorkerView } from '../../lifecycle/rolling-plan.js'
 * @import { Launch } from './launch.js'
 * @import { Slot } from './slot.js'
 */

export class PredecessorWorkers {
  /** What each slot ran when this primary started. @type {Map<number, Launch>} */
  #launches = new Map();

  /** @param {Iterable<Slot>} slots */
  begin(slots) {
    for (const { number, launch, isDesired } of slots)
      if (isDesired) this.#launches.set(number, launch);
  }

  end() {
    this.#launches.clear();
  }

  /** @param {Slot} slot @returns {boolean} whether it has no successor yet */
  serves({ number }) {
    return this.#launches.has(number);
  }

  /** @param {ReadonlyMap<number, Slot>} slots @returns {WorkerView[]} */
  views(slots) {
    return [...this.#launches].map(([slot, launch]) => ({
      key: keyOf(slot),
      slot,
      status: 'online',
      isCurrent: launch === slots.get(slot)?.launch,
    }));
  }

  /** @param {number} key of one that has a successor */
  replace(key) {
    for (const slot of this.#launches.keys()) if (keyOf(slot) === key) this.#launches.delete(slot);
  }
}

/** @param {number} slot @returns {number} a key that no worker of this primary has */
function keyOf(slot) {
  return -1 - slot;
}
