/**
 * Delivers what happens to apps as their alarms (`on`) say. What waits lives as long as this daemon: the
 * next one gets the events of the last moments once more from the primaries, and nothing is saved.
 */
import { setMaxListeners } from 'node:events';
import { within } from '../../shared/deadline.js';
import { limitTo } from '../../daemon/apps/command-queue.js';
import { deliver } from './daemon-deliver.js';
import { addEvent, beginNext, endAttempt, IDLE } from './decide.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { maskCommand } from '../../shared/secrets.js';
import { eventsOf, maskAlarm } from './options.js';

/**
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Notice } from './decide.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { AlarmView, Alarm as Setting } from './record.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { EventHub } from '../../daemon/events.js'
 * @import { Log } from '../../daemon/log.js'
 */

/** Deliveries of all apps: if all fail at once, no more commands are started at a time. */
const AT_ONCE = 16;
/** ms before this daemon started: the one before it may have exited before it delivered those events. */
const REPEATED_MS = 30_000;
/** ms for what is being delivered when the daemon ends. */
const END_MS = 3000;

/**
 * @typedef {object} World of all alarms
 * @property {string} home
 * @property {Pick<EventHub, 'publish'>} events
 * @property {Log} log
 * @property {ReturnType<typeof limitTo>} limit of deliveries at once
 * @property {AbortSignal} ended nothing is delivered any more
 *
 * @typedef {{on: Setting[], alarms: Alarm[]}} Known of an app: its settings, and what came of them
 */

/** @type {MakeFeature} */
export function alarms({ paths, events, log }) {
  /** Only apps that have any. @type {Map<App, Known>} */
  const apps = new Map();
  const end = new AbortController();
  const world = { home: paths.home, events, log, limit: limitTo(AT_ONCE), ended: end.signal };
  setMaxListeners(AT_ONCE, end.signal);
  return {
    published(app, event, isAgain) {
      if (isAgain && event.at < performance.timeOrigin - REPEATED_MS) return;
      try {
        forgetDeleted(apps);
        for (const alarm of alarmsOf(app, apps, world)) alarm.note(event);
      } catch (thrown) {
        log.error('alarm.failed', { app: app.name, reason: String(thrown) });
      }
    },
    record: (app, fields) =>
      fields.includes('details')
        ? { alarms: alarmsOf(app, apps, world).map((alarm) => alarm.view()) }
        : {},
    // Waits a moment for what is being delivered, and gives the rest up.
    async ending() {
      const all = [...apps.values()].flatMap((known) => known.alarms);
      await within(Promise.all(all.map((alarm) => alarm.whenIdle())), END_MS);
      end.abort();
      for (const alarm of all) alarm.end('the daemon ended');
    },
  };
}

/**
 * @param {App} app
 * @param {Map<App, Known>} apps
 * @param {World} world
 * @returns {Alarm[]} as its settings are now; those that are the same continue
 */
function alarmsOf(app, apps, world) {
  const { on } = app.spec;
  const known = apps.get(app);
  if (known?.on === on) return known.alarms;
  if (on.length === 0 && !known) return [];
  const before = new Map(known?.alarms.map((alarm) => [alarm.key, alarm]));
  const settings = new Map(on.map((setting) => [JSON.stringify(setting), setting]));
  const alarms = [...settings].map(
    ([key, setting]) => before.get(key) ?? new Alarm(key, app, setting, world),
  );
  // First, since what is given up is an event too.
  apps.set(app, { on, alarms });
  for (const alarm of before.values()) {
    if (!alarms.includes(alarm)) alarm.end('the setting was changed');
  }
  return alarms;
}

/** @param {Map<App, Known>} apps */
function forgetDeleted(apps) {
  for (const [app, { alarms }] of apps) {
    if (app.deleted && alarms.every(({ isIdle }) => isIdle)) apps.delete(app);
  }
}

/** One alarm of one app: takes its events, and delivers them when the policy says so. */
class Alarm {
  #state = IDLE;
  #events;
  #delivered = 0;
  #givenUp = 0;
  /** Why the last attempt failed. @type {string | null} */
  #trouble = null;
  /** null: no attempt is in progress. @type {Promise<void> | null} */
  #attempt = null;
  #hasEnded = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #app;
  #setting;
  #world;

  /** @param {string} key of the setting @param {App} app @param {Setting} setting @param {World} world */
  constructor(key, app, setting, world) {
    this.key = key;
    this.#app = app;
    this.#setting = setting;
    this.#world = world;
    this.#events = new Set(setting.event.flatMap(eventsOf));
  }

  get isIdle() {
    return this.#attempt === null && this.#state.waiting.length === 0;
  }

  /** @param {Event} event which may be of another type */
  note(event) {
    if (this.#hasEnded || !this.#events.has(event.type)) return;
    if (this.#setting.failed && (!('ok' in event) || event.ok)) return;
    this.#state = addEvent(this.#state, event, performance.now());
    this.#turn();
  }

  /** @returns {AlarmView} what it has delivered since this daemon knows it */
  view() {
    return withoutNulls({
      event: this.#setting.event,
      to: addressOf(this.#setting),
      delivered: this.#delivered,
      givenUp: this.#givenUp,
      waiting: this.#pending.reduce((sum, { count }) => sum + count, 0),
      trouble: this.#trouble,
    });
  }

  get #pending() {
    const { waiting, current } = this.#state;
    return current ? [current, ...waiting] : waiting;
  }

  /** @returns {Promise<void>} when no attempt is in progress and none is due */
  async whenIdle() {
    while (this.#attempt !== null) await this.#attempt;
  }

  /** @param {string} reason why nothing more is delivered */
  end(reason) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    for (const notice of this.#pending) {
      this.#giveUp({ ...notice, reason: notice.reason ? `${reason}; ${notice.reason}` : reason });
    }
    this.#state = IDLE;
  }

  #turn() {
    clearTimeout(this.#timer);
    const { intervalMs } = this.#setting;
    const { state, notice, waitMs } = beginNext(this.#state, performance.now(), intervalMs);
    this.#state = state;
    if (notice) this.#attempt = this.#try(notice);
    else if (waitMs !== null) this.#timer = setTimeout(() => this.#turn(), waitMs).unref();
  }

  /** @param {Notice} notice */
  async #try(notice) {
    const { home, limit, ended } = this.#world;
    // The settings of the moment: variables may have changed since the event.
    const failure = await limit(() => deliver(this.#app.spec, this.#setting, notice, home, ended));
    this.#attempt = null;
    if (this.#hasEnded) return;
    const { state, givenUp } = endAttempt(this.#state, failure, performance.now());
    this.#state = state;
    this.#trouble = failure && failure.reason;
    if (failure === null) this.#delivered += 1;
    if (givenUp) this.#giveUp(givenUp);
    this.#turn();
  }

  /** @param {Notice} notice */
  #giveUp({ type: event, count, attempts, reason }) {
    const { log, events } = this.#world;
    this.#givenUp += 1;
    const to = addressOf(this.#setting);
    const facts = { of: event, to, count, attempts, reason: String(reason) };
    log.warn('alarm.undelivered', { app: this.#app.name, ...facts });
    events.publish(this.#app, { type: 'alarm.undelivered', ...facts });
  }
}

/** @param {Setting} setting @returns {string} `POST https://example.com/********`, or a command */
function addressOf(setting) {
  const { run, post } = maskAlarm(setting);
  return run === null ? `POST ${post}` : maskCommand(run);
}
