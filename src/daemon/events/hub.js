/**
 * Publishes what primaries report: sends events of apps and workers to every subscriber, and keeps the latest events for subscribers
 * that reconnect after the daemon was replaced.
 */
import { select } from '../control/targets.js';

/**
 * @import { PrimaryEvent } from '../../protocol/methods.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Log } from '../log.js'
 */

/** Number of events to keep. */
const MAX_RECENT = 500;

/**
 * @typedef {object} Subscriber
 * @property {string[]} selectors none: events of all apps
 * @property {number} since epoch ms; it gets the events after that
 * @property {(event: Event) => void} send
 * @property {() => boolean} isBehind it has not read earlier events yet
 */

export class EventHub {
  /** Number of events that each has missed. @type {Map<Subscriber, number>} */
  #subscribers = new Map();
  /** @type {{app: App, event: Event}[]} */
  #recent = [];
  /** Called for the first subscriber and after the last. @type {(hasSubscribers: boolean) => void} */
  onSubscribed = () => {};
  /**
   * Called for every event that a program did not send. `isAgain`: its primary has sent it before.
   * @type {(app: App, event: Event, isAgain: boolean) => void}
   */
  onPublished = () => {};

  get hasSubscribers() {
    return this.#subscribers.size > 0;
  }

  /**
   * @param {Subscriber} subscriber first gets the kept events after its `since`
   * @returns {() => void} unsubscribes
   */
  add(subscriber) {
    for (const { app, event } of this.#recent) {
      if (event.at > subscriber.since && matches(subscriber, app, event)) subscriber.send(event);
    }
    this.#subscribers.set(subscriber, 0);
    if (this.#subscribers.size === 1) this.onSubscribed(true);
    return () => {
      if (this.#subscribers.delete(subscriber) && !this.hasSubscribers) this.onSubscribed(false);
    };
  }

  /** @param {App} app @param {Partial<PrimaryEvent> & {type: string}} reported */
  publish(app, { type, at = Date.now(), slot, again = false, seq: _seq, ...rest }) {
    const worker = slot === undefined ? {} : { slot, id: app.ids[slot] ?? null };
    const ofApp = { type, at, app: app.name, namespace: app.namespace, ...worker, ...rest };
    const event = /** @type {Event} */ (ofApp);
    // Events that programs emit may be large.
    if (type !== 'worker.event') {
      this.#recent.push({ app, event });
      if (this.#recent.length > MAX_RECENT) this.#recent.shift();
      this.onPublished(app, event, again);
    }
    for (const subscriber of this.#subscribers.keys()) {
      const isNew = !again || at > subscriber.since;
      if (isNew && matches(subscriber, app, event)) this.#send(subscriber, event);
    }
  }

  /** @param {Subscriber} subscriber @param {Event} event */
  #send(subscriber, event) {
    const missed = this.#subscribers.get(subscriber) ?? 0;
    if (subscriber.isBehind()) {
      this.#subscribers.set(subscriber, missed + 1);
      return;
    }
    this.#subscribers.set(subscriber, 0);
    if (missed > 0) subscriber.send({ type: 'missed', at: event.at, count: missed });
    subscriber.send(event);
  }
}

/** @param {Subscriber} subscriber @param {App} app @param {Event} event */
function matches({ selectors }, app, event) {
  const slot = 'slot' in event ? event.slot : undefined;
  if (selectors.length === 0) return true;
  return selectors.some((selector) => {
    try {
      return select([selector], [app]).some(
        ({ slots }) => slots === null || slot === undefined || slots.includes(slot),
      );
    } catch {
      return false; // the selector names another app
    }
  });
}

/**
 * Must be called before the daemon connects to the primary, so that no event is missed.
 * @param {Daemon} daemon
 * @param {App} app
 */
export function publishEvents({ events, features, log }, app) {
  app.link.on('event', (event) => {
    const published = features.event(app, event);
    if (published !== null) events.publish(app, published);
    if (event.type === 'worker.starting') logStart(log, app, event);
  });
  app.link.on('lost', () => events.publish(app, { type: 'primary.lost' }));
  app.link.on('connected', () => {
    if (events.hasSubscribers) requestProgramEvents(app, true);
  });
}

/**
 * `logs` shows these lines among those of the workers, so they have the time of the start.
 * @param {Log} log
 * @param {App} app
 * @param {PrimaryEvent} event
 */
function logStart(log, { name: app }, { at, again, slot, pid, generation, after }) {
  // The daemon before this one has logged it.
  if (again && at < performance.timeOrigin) return;
  const time = new Date(at).toISOString();
  if (pid) log.of({ time }).info('worker.started', { app, slot, pid, generation, why: after });
}

/**
 * @param {App} app
 * @param {boolean} enabled whether the primary forwards the events that its programs emit
 */
export function requestProgramEvents(app, enabled) {
  if (app.link.state !== 'connected') return;
  // If this fails, the request is repeated when the primary is connected again.
  app.request('forward-program-events', { enabled }).catch(() => {});
}
