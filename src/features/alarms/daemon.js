/**
 * Delivers what happens to apps as their alarms (`on`) say. What waits lives as long as this daemon: the
 * next one gets the events of the last moments once more from the primaries, and nothing is saved.
 */
import { within } from '../../shared/deadline.js';
import { limitTo } from '../../daemon/apps/command-queue.js';
import { deliver } from './daemon-deliver.js';
import { Notices } from './decide.js';
import { maskCommand } from '../../shared/secrets.js';
import { eventsOf, maskAlarm } from './options.js';

/**
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Notice } from './decide.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { AlarmView, Alarm as Setting } from './record.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { Log } from '../../daemon/log.js'
 */

/** Deliveries of all apps: if all fail at once, no more commands are started at a time. */
const AT_ONCE = 16;
/** ms before this daemon started: the one before it may have exited before it delivered those events. */
const REPEATED_MS = 30_000;
/** ms for what is being delivered when the daemon ends. */
const END_MS = 3000;

/** @type {MakeFeature} */
export function alarms({ paths, log }) {
  /** Their settings, and what came of them. @type {WeakMap<App, {on: Setting[], alarms: Alarm[]}>} */
  const known = new WeakMap();
  const end = new AbortController();
  const limit = limitTo(AT_ONCE);
  /** @type {World} */
  const world = {
    log,
    busy: new Set(),
    // The settings of the moment: variables may have changed since the event.
    attempt: (app, setting, notice) =>
      limit(() => deliver(app.spec, setting, notice, paths.home, end.signal)),
  };
  /** @param {App} app @returns {Alarm[]} as its settings are now; those that are the same continue */
  const alarmsOf = (app) => {
    const { on } = app.spec;
    const { on: last, alarms: before } = known.get(app) ?? { on: [], alarms: [] };
    if (last === on) return before;
    const alarmOf = (/** @type {Setting} */ setting) =>
      before.find((each) => each.has(setting)) ?? new Alarm(app, setting, world);
    const alarms = [...new Set(on.map(alarmOf))];
    known.set(app, { on, alarms });
    for (const each of before) if (!alarms.includes(each)) each.end('the setting was changed');
    return alarms;
  };
  return {
    published(app, event, isAgain) {
      if (isAgain && event.at < performance.timeOrigin - REPEATED_MS) return;
      try {
        for (const alarm of alarmsOf(app)) alarm.note(event);
      } catch (thrown) {
        log.error('alarm.failed', { app: app.name, reason: String(thrown) });
      }
    },
    record: (app, fields) =>
      fields.includes('details') ? { alarms: alarmsOf(app).map(({ view }) => view) } : {},
    // Waits a moment for what is being delivered, and gives the rest up.
    async ending() {
      const all = [...world.busy];
      await within(Promise.all(all.map((alarm) => alarm.whenIdle())), END_MS);
      end.abort();
      for (const alarm of all) alarm.end('the daemon ended');
    },
  };
}

/**
 * @typedef {object} World of all alarms
 * @property {Log} log
 * @property {Set<Alarm>} busy those that have something to deliver
 * @property {(app: App, setting: Setting, notice: Notice) => ReturnType<typeof deliver>} attempt
 */

/** One alarm of one app: takes its events, and delivers them when the policy says so. */
class Alarm {
  #notices = new Notices();
  #delivered = 0;
  #givenUp = 0;
  /** Why the last attempt failed. @type {string | undefined} */
  #trouble;
  /** null: no attempt is in progress. @type {Promise<void> | null} */
  #attempt = null;
  #hasEnded = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #app;
  #setting;
  #events;
  #world;

  /** @param {App} app @param {Setting} setting @param {World} world */
  constructor(app, setting, world) {
    this.#app = app;
    this.#setting = setting;
    this.#events = new Set(setting.event.flatMap(eventsOf));
    this.#world = world;
  }

  /** @param {Setting} setting */
  has(setting) {
    return JSON.stringify(setting) === JSON.stringify(this.#setting);
  }

  /** @param {Event} event which may be of another type */
  note(event) {
    if (this.#hasEnded || !this.#events.has(event.type)) return;
    if (this.#setting.failed && (!('ok' in event) || event.ok)) return;
    this.#notices.add(event, performance.now());
    this.#turn();
  }

  /** @returns {AlarmView} what it has delivered since this daemon knows it */
  get view() {
    return {
      event: this.#setting.event,
      to: addressOf(this.#setting),
      delivered: this.#delivered,
      givenUp: this.#givenUp,
      waiting: this.#notices.all.reduce((sum, { count }) => sum + count, 0),
      trouble: this.#trouble,
    };
  }

  /** @returns {Promise<void>} when no attempt is in progress and none is due */
  async whenIdle() {
    while (this.#attempt !== null) await this.#attempt;
  }

  /** @param {string} why nothing more is delivered */
  end(why) {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#world.busy.delete(this);
    for (const notice of this.#notices.all) {
      this.#giveUp({ ...notice, reason: [why, notice.reason ?? []].flat().join('; ') });
    }
    this.#notices = new Notices();
  }

  #turn() {
    clearTimeout(this.#timer);
    const { busy } = this.#world;
    const { dueMs } = this.#notices;
    if (this.#notices.all.length > 0) busy.add(this);
    else busy.delete(this);
    if (dueMs === null) return;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) this.#timer = setTimeout(() => this.#turn(), waitMs).unref();
    else
      this.#attempt = this.#try(this.#notices.begin(performance.now(), this.#setting.intervalMs));
  }

  /** @param {Notice} notice */
  async #try(notice) {
    const failure = await this.#world.attempt(this.#app, this.#setting, notice);
    this.#attempt = null;
    if (this.#hasEnded) return;
    this.#trouble = failure?.reason;
    if (failure === null) this.#delivered += 1;
    const givenUp = this.#notices.end(notice, failure, performance.now());
    if (givenUp) this.#giveUp(givenUp);
    this.#turn();
  }

  /** @param {Notice} notice */
  #giveUp({ event, count, attempts, reason }) {
    this.#givenUp += 1;
    const facts = { app: this.#app.name, of: event.type, to: addressOf(this.#setting), count };
    this.#world.log.warn('alarm.undelivered', { ...facts, attempts, reason });
  }
}

/** @param {Setting} setting @returns {string} `POST https://example.com/********`, or a command */
function addressOf(setting) {
  const { run, post } = maskAlarm(setting);
  return run === null ? `POST ${post}` : maskCommand(run);
}
