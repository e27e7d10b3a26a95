/**
 * What primaries report of their workers: events for every subscriber, the latest of which are kept for those that
 * reconnect after the daemon was replaced, and entries of daemon.log.
 */
import { formatDuration } from '../shared/units.js';
import { select } from './control/targets.js';

/**
 * @import { PrimaryEvent, Snapshot } from '../protocol/methods.js'
 * @import { Event, PastExit, SlotState } from '../protocol/shapes.js'
 * @import { App } from './apps/app.js'
 * @import { Daemon } from './daemon.js'
 * @import { Level, Log } from './log.js'
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

/** @typedef {{level: Level, event: string, fields: object}} LogEntry */

/** An exit that the settings allow is not a warning. @type {Record<string, Level>} */
const LEVELS = { errored: 'error', exited: 'info' };

/**
 * Before a primary was launched: a worker may have exited before the daemon is connected. The command that
 * launched it logs the starts.
 */
export const NEW_PRIMARY = { slots: [], busy: 'start', lastReplacement: null };

/** @typedef {Pick<Snapshot, 'slots' | 'busy' | 'lastReplacement'>} Before */

/**
 * What daemon.log says about workers. A command in progress logs its own steps, so this covers only what no command
 * requested.
 * @param {Before | null} before null: nothing was known, so nothing counts as new
 * @param {Snapshot} after
 * @param {number} nowMs on the machine's monotonic clock
 * @returns {LogEntry[]}
 */
export function workerEvents(before, after, nowMs) {
  if (before === null) return [];
  const states = new Map(before.slots.map((state) => [state.slot, state]));
  const isQuiet = !before.busy && !after.busy;
  const ofWorkers = after.slots.flatMap((state) => {
    const previous = states.get(state.slot);
    return [
      ...exitEntries(state, previous, nowMs),
      ...hangEntries(state, previous, nowMs),
      ...(isQuiet ? onlineEntries(state, previous) : []),
    ];
  });
  return [...ofWorkers, ...replacementEntries(before, after)];
}

/** @param {Before} before @param {Snapshot} after @returns {LogEntry[]} */
function replacementEntries({ lastReplacement: before }, { lastReplacement: latest }) {
  if (latest === null || (latest.slot === before?.slot && latest.at === before.at)) return [];
  const { slot, reason } = latest;
  return [{ level: 'info', event: 'worker.replacing', fields: { slot, reason } }];
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {LogEntry[]} the earliest first
 */
function exitEntries(state, previous, nowMs) {
  const exits = newExits(state, previous).reverse();
  return exits.map(({ code, signal, error, reason, uptimeMs }, index) => {
    const isLatest = index === exits.length - 1;
    const next = isLatest ? nextStep(state, previous, nowMs) : { then: 'started again' };
    const exit = { slot: state.slot, code, signal, error: error ?? undefined, reason };
    return {
      level: LEVELS[next.then] ?? 'warn',
      event: 'worker.ended',
      fields: { ...exit, after: formatDuration(uptimeMs), ...next },
    };
  });
}

/** @param {SlotState} state @param {SlotState | undefined} previous @returns {PastExit[]} the latest first */
function newExits({ lastExit, earlierExits }, previous) {
  const exits = lastExit === null ? [] : [lastExit, ...earlierExits];
  const known = previous?.lastExit;
  const count = exits.findIndex(
    ({ at, uptimeMs }) => at === known?.at && uptimeMs === known.uptimeMs,
  );
  return count === -1 ? exits : exits.slice(0, count);
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {{then: string, inMs?: number, why?: string | null}}
 */
function nextStep({ pid, status, retryAtMs, reason }, previous, nowMs) {
  // What ended was to replace it.
  if (pid !== null && pid === previous?.pid) return { then: 'the old worker stays' };
  if (status === 'backoff' && retryAtMs !== null) {
    return { then: status, inMs: Math.max(0, retryAtMs - nowMs) };
  }
  if (status === 'errored' || status === 'exited') return { then: status, why: reason };
  return { then: status === 'stopped' ? 'stopped' : 'started again' };
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {LogEntry[]}
 */
function hangEntries({ slot, pid, status, blockedSinceMs }, previous, nowMs) {
  const wasUnresponsive = previous?.status === 'unresponsive' && previous.pid === pid;
  if (status === 'unresponsive' && !wasUnresponsive) {
    const blockedFor = formatDuration(Math.max(0, nowMs - (blockedSinceMs ?? nowMs)));
    return [{ level: 'warn', event: 'worker.unresponsive', fields: { slot, pid, blockedFor } }];
  }
  if (status !== 'online' || !wasUnresponsive) return [];
  return [{ level: 'info', event: 'worker.responsive', fields: { slot, pid } }];
}

/** @param {SlotState} state @param {SlotState | undefined} previous @returns {LogEntry[]} */
function onlineEntries({ slot, pid, status, generation, restarts }, previous) {
  const wasOnline = ['online', 'unresponsive'].includes(previous?.status ?? '');
  if (status !== 'online' || (wasOnline && previous?.pid === pid)) return [];
  return [{ level: 'info', event: 'worker.online', fields: { slot, pid, generation, restarts } }];
}
