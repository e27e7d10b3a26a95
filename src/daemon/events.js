/**
 * What primaries report of their workers: events for every subscriber, the latest of which are kept, also if this daemon
 * is killed, and entries of daemon.log.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { attempt } from '../errors/error.js';
import { MAX_EVENTS, includesEvent, withEvent } from '../lifecycle/recent-events.js';
import { isExpectedExit } from '../lifecycle/restart-policy.js';
import { readOwnedEnd } from '../shared/files/owned-file.js';
import { formatDuration } from '../shared/units.js';
import { reasonText } from '../show/reason.js';
import { select } from './control/targets.js';

/**
 * @import { PrimaryEvent } from '../protocol/methods.js'
 * @import { Event } from '../protocol/shapes.js'
 * @import { App } from './apps/app.js'
 * @import { Daemon } from './daemon.js'
 * @import { Level, Log } from './log.js'
 */

/** After which the file is written anew. */
const MAX_LINES = 2 * MAX_EVENTS;

/**
 * @typedef {{selectors: string[], since: number, send: (event: Event) => void}} Subscriber selectors: none for the events of
 *   all apps; since: epoch ms, it gets those from then on
 */

export class EventHub {
  /** @type {Set<Subscriber>} */
  #subscribers = new Set();
  /** In order of time. @type {Event[]} */
  #recent = [];
  /** The latest that is not among them any more. @type {Extract<Event, {type: 'missed'}>} */
  #missed = { type: 'missed', at: -Infinity, count: 0, kept: MAX_EVENTS };
  /** @type {string | null} */
  #file = null;
  #lines = 0;
  /** When the daemon before was last known to live, if it was killed or crashed. @type {number | undefined} */
  lastSeenAt;
  /**
   * For every event that a program did not send, also a known one: the daemon before may have ended before it was done
   * with it. Returns what is published; null: nothing.
   * @type {(app: App, event: Event, isAgain: boolean) => Event | null}
   */
  onEvent = (_app, event) => event;

  /** @param {string | null} file where they are kept */
  constructor(file = null) {
    const text = file === null ? '' : readOwnedEnd(file, process.getuid?.() ?? 0, MAX_BYTES);
    const lines = text.split('\n').map((line) => attempt(() => JSON.parse(line), null));
    const kept = lines.filter(isEvent);
    for (const event of kept) this.#remember(event);
    this.#lines = kept.length;
    this.#file = file;
    const last = kept.findLast(({ type }) => type.startsWith('daemon.'));
    if (last?.type === 'daemon.started') this.lastSeenAt = kept.at(-1)?.at;
  }

  /** @param {Subscriber} subscriber first gets the kept events from its `since` on: it may know only some of that millisecond @returns what unsubscribes it */
  add(subscriber) {
    for (const event of [this.#missed, ...this.#recent]) {
      if (event.at < subscriber.since) continue;
      if (matches(subscriber, event)) subscriber.send(event);
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
      if (isNew && matches(subscriber, event)) subscriber.send(event);
    }
  }

  /** What happens to the daemon itself. @param {'daemon.started' | 'daemon.ended'} type @param {{lastSeenAt?: number, because?: string}} [details] */
  note(type, details) {
    const event = { type, at: Date.now(), pid: process.pid, ...details };
    this.#remember(event);
    for (const { send } of this.#subscribers) send(event);
  }

  /** Null: it is known, or means nothing. @param {App} app @param {Event} given @param {boolean} again */
  #keep(app, given, again) {
    const event = this.onEvent(app, given, again);
    if (event === null || (again && includesEvent(this.#recent, event))) return null;
    this.#remember(event);
    return event;
  }

  /** @param {Event} event */
  #remember(event) {
    if (event.type === 'missed') return void (this.#missed = event);
    const before = [...this.#recent, event];
    this.#recent = withEvent(this.#recent, event);
    const isFull = this.#recent.length < before.length;
    const gone = isFull && before.find((each) => !this.#recent.includes(each));
    const { at, count } = this.#missed;
    if (gone) Object.assign(this.#missed, { at: Math.max(at, gone.at), count: count + 1 });
    if (gone !== event && this.#file !== null) this.#write(this.#file, event);
  }

  /** A full disk does not stop the daemon. @param {string} file @param {Event} event */
  #write(file, event) {
    this.#lines += 1;
    const isLong = this.#lines > MAX_LINES;
    const events = isLong ? [this.#missed, ...this.#recent] : [event];
    // Before each line, since the one before may have been cut.
    const text = events.map((each) => `\n${JSON.stringify(each)}`).join('');
    const [place, flag] = isLong ? [`${file}.tmp`, 'w'] : [file, 'a'];
    attempt(() => {
      writeFileSync(place, text, { mode: 0o600, flag });
      if (isLong) renameSync(place, file);
      this.#lines = isLong ? events.length : this.#lines;
    }, undefined);
  }
}

/** What is read of the file: with the last lines of a dead worker an event may take some kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TIME = 8_640_000_000_000_000;

/** @param {any} line of the file */
const isEvent = (line) => typeof line?.type === 'string' && line.at >= 0 && line.at <= MAX_TIME;

/** Of no app: what concerns all. @param {Subscriber} subscriber @param {Event} event */
function matches({ selectors }, event) {
  if (selectors.length === 0 || !('app' in event)) return true;
  const { app: name, namespace, slot, id } = /** @type {any} */ (event);
  const isOfWorker = slot !== undefined;
  const [slots, ids] = isOfWorker ? [[slot], { [slot]: id }] : [[], {}];
  const app = { name, namespace, slots, ids };
  return selectors.some((selector) => {
    // That of one worker also means what happens to its app.
    const wanted = isOfWorker ? selector : selector.replace(/:\d+$/, '');
    // One that names another app is not known.
    return attempt(() => select([wanted], [app]).length > 0, false);
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
  ['worker.blocked', 'warn'],
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
