/** What a primary reports of apps that the daemon has not attached to it: it sends each event once. */

/** @import { PrimaryEvent, Snapshot } from '../../protocol/methods.js' */

/** A primary keeps as many of each app. */
const MAX_EVENTS = 500;

/** By app. @extends {Map<string, {snapshot: Snapshot | null, events: PrimaryEvent[]}>} */
export class Strangers extends Map {
  /** @param {Snapshot} snapshot @returns {boolean} whether it is the first one of its app */
  noteState(snapshot) {
    const found = this.#of(snapshot.name);
    const isFirst = found.snapshot === null;
    found.snapshot = snapshot;
    return isFirst;
  }

  /** @param {string} app @param {PrimaryEvent} event */
  noteEvent(app, event) {
    const { events } = this.#of(app);
    if (events.length < MAX_EVENTS) events.push(event);
  }

  /** @param {string} app */
  #of(app) {
    const found = this.get(app) ?? { snapshot: null, events: [] };
    this.set(app, found);
    return found;
  }
}
