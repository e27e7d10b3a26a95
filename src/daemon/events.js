/**
 * What primaries report of their workers: events for every subscriber, the latest of which are kept, also for the next
 * daemon, and entries of daemon.log.
 */
import { rmSync } from 'node:fs';
import { attempt } from '../errors/error.js';
import { MAX_EVENTS, includesEvent, withEvent } from '../lifecycle/recent-events.js';
import { isExpectedExit } from '../lifecycle/restart-policy.js';
import { number, numberOf, object, optional, string } from '../shared/checks.js';
import { removeUnfinished, writeFileAtomic } from '../shared/files/atomic-file.js';
import { readSmallFile } from '../shared/files/small-file.js';
import { formatDuration } from '../shared/units.js';
import { reasonText } from '../show/reason.js';
import { select } from './control/targets.js';

/**
 * @import { PrimaryEvent } from '../protocol/methods.js'
 * @import { Event } from '../protocol/shapes.js'
 * @import { App } from './apps/app.js'
 * @import { Selectable } from './control/targets.js'
 * @import { Daemon } from './daemon.js'
 * @import { Level, Log } from './log.js'
 */

/** Not sent with an event. */
const APP = Symbol('app');

/**
 * @typedef {Event & {[APP]: Selectable}} RecentEvent
 * @typedef {Event & {app: string, namespace: string}} KeptEvent as the daemon before this one left it
 *
 * @typedef {{selectors: string[], since: number, send: (event: Event) => void}} Subscriber selectors: none for the events of
 *   all apps; since: epoch ms, it gets those from then on
 */

export class EventHub {
  /** @type {Set<Subscriber>} */
  #subscribers = new Set();
  /** In order of time. @type {RecentEvent[]} */
  #recent = [];
  /** Of what happened before, only the primaries have something. */
  completeFrom = Date.now();
  /**
   * For every event that a program did not send, also a known one: the daemon before may have ended before it was done
   * with it. Returns what is published; null: nothing.
   * @type {(app: App, event: Event, isAgain: boolean) => Event | null}
   */
  onEvent = (_app, event) => event;

  /** @returns {readonly Event[]} for the next daemon */
  get recent() {
    return this.#recent;
  }

  /** @param {KeptEvent[] | null} events null: of a daemon that was killed @param {(name: string) => App | undefined} appOf undefined: it has been deleted */
  restore(events, appOf) {
    if (events) this.completeFrom = 0;
    for (const event of events ?? []) {
      const { app: name, namespace } = event;
      const app = appOf(name) ?? { name, namespace, slots: [], ids: {} };
      this.#recent = withEvent(this.#recent, { ...event, [APP]: app });
    }
  }

  /** @param {Subscriber} subscriber first gets the kept events from its `since` on: it may know only some of that millisecond @returns what unsubscribes it */
  add(subscriber) {
    for (const event of this.#recent) {
      if (event.at < subscriber.since) continue;
      if (matches(subscriber, event[APP], event)) subscriber.send(event);
    }
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** @param {App} app @param {Partial<PrimaryEvent> & {type: string}} reported */
  publish(app, { type, at = Date.now(), slot, again = false, seq: _seq, ...rest }) {
    const worker = slot === undefined ? {} : { slot, id: app.ids[slot] ?? null };
    const ofApp = { type, at, app: app.name, namespace: app.namespace, ...worker, ...rest };
    const given = /** @type {Event} */ (ofApp);
    // Events that programs emit may be large.
    const event = type === 'worker.event' ? given : this.#keep(app, given, again);
    if (event === null) return;
    for (const subscriber of this.#subscribers) {
      const isNew = !again || at >= subscriber.since;
      if (isNew && matches(subscriber, app, event)) subscriber.send(event);
    }
  }

  /** Null: it is known, or means nothing. @param {App} app @param {Event} given @param {boolean} again */
  #keep(app, given, again) {
    const event = this.onEvent(app, given, again);
    if (event === null || (again && includesEvent(this.#recent, event))) return null;
    this.#recent = withEvent(this.#recent, { ...event, [APP]: app });
    return event;
  }
}

/** With the last lines of a dead worker an event may take some kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;

const checkEvent = object({
  type: string,
  at: numberOf({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  app: string,
  namespace: string,
  slot: optional(number),
});

/** @param {string} file is removed @returns {KeptEvent[] | null} those that are valid; null: there is no list */
export function takeEvents(file) {
  removeUnfinished(file);
  const events = attempt(() => JSON.parse(readSmallFile(file, MAX_BYTES)), null);
  attempt(() => rmSync(file, { force: true }), null);
  if (!Array.isArray(events)) return null;
  return events.filter((event) => checkEvent(event) === null).slice(-MAX_EVENTS);
}

/** A full disk does not prevent the end. @param {string} file @param {readonly Event[]} events @param {Log} log */
export async function leaveEvents(file, events, log) {
  await writeFileAtomic(file, JSON.stringify(events)).catch(({ message: reason }) => {
    log.warn('events.lost', { reason });
  });
}

/** @param {Subscriber} subscriber @param {Selectable} app @param {Event} event */
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

/** @param {Daemon} daemon @param {App} app that has just been made */
export function publishEvents(daemon, app) {
  const { events } = daemon;
  app.on('event', (/** @type {PrimaryEvent} */ event) => {
    events.publish(app, event);
    // Otherwise the daemon before this one has logged it.
    if (!event.again || event.at >= performance.timeOrigin) logEvent(daemon, app, event);
  });
  app.on('lost', () => events.publish(app, { type: 'primary.lost' }));
}

/** Of what happens to a worker without a command, by the type of the event. @type {Map<string, Level>} */
const LEVELS = new Map([
  ['worker.errored', 'error'],
  ['worker.unresponsive', 'warn'],
  ['worker.responsive', 'info'],
  ['worker.replacing', 'info'],
]);

/**
 * What daemon.log says of it. A command in progress logs its own steps.
 * @param {Pick<Daemon, 'log' | 'features'>} daemon @param {App} app @param {PrimaryEvent} event
 */
function logEvent({ log, features }, app, event) {
  const { type, at, slot, pid, generation, after } = event;
  // At its own time, since `logs` shows it among lines.
  const own = log.of({ time: new Date(at).toISOString(), app: app.name });
  const level = LEVELS.get(type) ?? features.levels.get(type);
  const [reason, why] = [event.reason, after].map((each) => (each ? reasonText(each) : undefined));
  if (level) own[level](type, { slot, pid, reason });
  if (type === 'worker.exited') logExit(own, app, event, reason);
  if (type === 'worker.starting' && pid) own.info('worker.started', { slot, pid, generation, why });
  const { busy, slots = [] } = app.link.snapshot ?? {};
  if (type !== 'worker.online' || busy) return;
  const { restarts } = slots.find((state) => state.slot === slot) ?? {};
  own.info(type, { slot, pid, generation, restarts });
}

/** @param {Log} log @param {App} app @param {PrimaryEvent} event @param {string} [text] */
function logExit(log, { spec }, event, text) {
  const { type, slot, code = null, signal = null, reason, cause, durationMs = 0 } = event;
  const isExpected = code === 0 || (reason && isExpectedExit(spec, { code, signal, reason }));
  const after = formatDuration(durationMs);
  log[isExpected ? 'info' : 'warn'](type, { slot, code, signal, reason: text, cause, after });
}
