/**
 * What happens to apps and workers, for everybody who listens. The latest are kept, so that who
 * comes again after the daemon was replaced learns what happened in between.
 */
import { select } from '../control/targets.js';

/**
 * @import { PrimaryEvent } from '../../protocol/methods.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 */

/** Events. */
const MAX_KEPT = 500;

/**
 * @typedef {object} Listener
 * @property {string[]} selectors none: of all apps
 * @property {number} since epoch ms; it is told what happened afterwards
 * @property {(event: Event) => void} tell
 * @property {() => boolean} isBehind it has not read what it was told before
 */

export class EventHub {
  /** How many each has missed. @type {Map<Listener, number>} */
  #listeners = new Map();
  /** @type {{app: App, event: Event}[]} */
  #kept = [];
  /** Called when the first comes and when the last is gone. @type {(isHeard: boolean) => void} */
  onHeard = () => {};

  get isHeard() {
    return this.#listeners.size > 0;
  }

  /**
   * @param {Listener} listener told at once what happened since, as far as it is known
   * @returns {() => void} ends it
   */
  add(listener) {
    for (const { app, event } of this.#kept) {
      if (event.at > listener.since && concerns(listener, app, event)) listener.tell(event);
    }
    this.#listeners.set(listener, 0);
    if (this.#listeners.size === 1) this.onHeard(true);
    return () => {
      if (this.#listeners.delete(listener) && !this.isHeard) this.onHeard(false);
    };
  }

  /**
   * @param {App} app
   * @param {Partial<PrimaryEvent> & {type: string}} happening
   */
  publish(app, { type, at = Date.now(), slot, again = false, seq: _number, ...rest }) {
    const worker = slot === undefined ? {} : { slot, id: app.ids[slot] ?? null };
    const ofApp = { type, at, app: app.name, namespace: app.namespace, ...worker, ...rest };
    const event = /** @type {Event} */ (ofApp);
    if (type !== 'worker.event') this.#keep(app, event);
    for (const listener of this.#listeners.keys()) {
      const isNews = !again || at > listener.since;
      if (isNews && concerns(listener, app, event)) this.#tell(listener, event);
    }
  }

  /**
   * What programs say may be large.
   * @param {App} app
   * @param {Event} event
   */
  #keep(app, event) {
    this.#kept.push({ app, event });
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }

  /**
   * @param {Listener} listener
   * @param {Event} event
   */
  #tell(listener, event) {
    const missed = this.#listeners.get(listener) ?? 0;
    if (listener.isBehind()) {
      this.#listeners.set(listener, missed + 1);
      return;
    }
    this.#listeners.set(listener, 0);
    if (missed > 0) listener.tell({ type: 'missed', at: event.at, count: missed });
    listener.tell(event);
  }
}

/**
 * @param {Listener} listener
 * @param {App} app
 * @param {Event} event
 */
function concerns({ selectors }, app, event) {
  const slot = 'slot' in event ? event.slot : undefined;
  if (selectors.length === 0) return true;
  return selectors.some((selector) => {
    try {
      return select([selector], [app]).some(
        ({ slots }) => slots === null || slot === undefined || slots.includes(slot),
      );
    } catch {
      return false; // it names another app
    }
  });
}
