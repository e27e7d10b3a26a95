/** Delivers what happens to apps as their alarms (`on`) say. Nothing is saved: what waits ends with this daemon. */
import { within } from '../../shared/deadline.js';
import { limitTo } from '../../daemon/apps/command-queue.js';
import { deliver } from './daemon-deliver.js';
import { Notices } from './decide.js';
import { maskCommand, maskSecrets } from '../../shared/secrets.js';
import { eventsOf } from './options.js';

/**
 * @import { SeenApp } from '../../daemon/control/door.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Notice } from './decide.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { AlarmView, Alarm as Setting } from './record.js'
 * @import { Log } from '../../daemon/log.js'
 */

/** Deliveries of all apps: if all fail at once, no more commands are started at a time. */
const AT_ONCE = 16;
/** ms before this daemon started: the one before it may have exited before it delivered those events. */
const REPEATED_MS = 30_000;
const END_MS = 3000;

/** @type {MakeFeature} */
export function alarms({ home, log }) {
  /** By their settings as JSON: those that stay the same continue. @type {WeakMap<SeenApp, Map<string, Alarm>>} */
  const known = new WeakMap();
  const end = new AbortController();
  const limit = limitTo(AT_ONCE);
  /** @type {World} */
  const world = {
    log,
    busy: new Set(),
    // The settings of the moment: variables may have changed since the event.
    attempt: (app, setting, notice) =>
      limit(() => deliver(app.spec, setting, notice, home, end.signal)),
  };
  /** @param {SeenApp} app @returns {Alarm[]} as its settings are now */
  const alarmsOf = (app) => {
    const before = known.get(app) ?? new Map();
    const now = new Map();
    for (const each of app.spec.on) {
      const key = JSON.stringify(each);
      if (!now.has(key)) now.set(key, before.get(key) ?? new Alarm(app, each, world));
    }
    known.set(app, now);
    for (const [key, each] of before) if (!now.has(key)) each.end('the setting was changed');
    return [...now.values()];
  };
  return {
    event(app, event, isAgain) {
      if (isAgain && event.at < performance.timeOrigin - REPEATED_MS) return;
      for (const alarm of alarmsOf(app)) alarm.note(event);
    },
    record: (app, fields) =>
      fields.includes('details') ? { alarms: alarmsOf(app).map(({ view }) => view) } : {},
    async ending() {
      const all = [...world.busy];
      await within(Promise.all(all.map((alarm) => alarm.whenIdle())), END_MS);
      end.abort(new Error('the daemon ended'));
      for (const alarm of all) alarm.end('the daemon ended');
    },
  };
}

/** @typedef {{log: Log, busy: Set<Alarm>, attempt: (app: SeenApp, setting: Setting, notice: Notice) => Promise<string | null>}} World */

/** One alarm of one app: takes its events, and delivers them when the policy says so. */
class Alarm {
  #notices = new Notices();
  /** @type {Omit<AlarmView, 'waiting'>} */
  #known;
  /** null: no attempt is in progress. @type {Promise<void> | null} */
  #attempt = null;
  #hasEnded = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #app;
  #setting;
  #world;

  /** @param {SeenApp} app @param {Setting} setting @param {World} world */
  constructor(app, setting, world) {
    this.#app = app;
    this.#setting = setting;
    const { event, run, post } = setting;
    const to = run === null ? `POST ${maskSecrets(post, 'post')}` : maskCommand(run);
    this.#known = { event, to, delivered: 0, givenUp: 0 };
    this.#world = world;
  }

  /** @param {Event} event which may be of another type */
  note(event) {
    const { event: patterns, failed } = this.#setting;
    if (this.#hasEnded || !patterns.flatMap(eventsOf).includes(event.type)) return;
    if (failed && (!('ok' in event) || event.ok)) return;
    this.#notices.add(event, performance.now());
    this.#turn();
  }

  /** @returns {AlarmView} what it has delivered since this daemon knows it */
  get view() {
    const waiting = this.#notices.all.reduce((sum, { count }) => sum + count, 0);
    return { ...this.#known, waiting };
  }

  async whenIdle() {
    while (this.#attempt !== null) await this.#attempt;
  }

  /** @param {string} why nothing more is delivered */
  end(why) {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#world.busy.delete(this);
    for (const notice of this.#notices.all) this.#giveUp(notice, why);
    this.#notices = new Notices();
  }

  #turn() {
    clearTimeout(this.#timer);
    const { all, dueMs } = this.#notices;
    this.#world.busy[all.length > 0 ? 'add' : 'delete'](this);
    if (dueMs === null) return;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) this.#timer = setTimeout(() => this.#turn(), waitMs).unref();
    else
      this.#attempt = this.#try(this.#notices.begin(performance.now(), this.#setting.intervalMs));
  }

  /** @param {Notice} notice */
  async #try(notice) {
    const reason = await this.#world.attempt(this.#app, this.#setting, notice);
    this.#attempt = null;
    if (this.#hasEnded) return;
    this.#known.trouble = reason ?? undefined;
    if (reason === null) this.#known.delivered += 1;
    const givenUp = this.#notices.end(notice, reason, performance.now());
    if (givenUp) this.#giveUp(givenUp);
    this.#turn();
  }

  /** @param {Notice} notice @param {string} [why] if no attempt has failed */
  #giveUp({ event, count, attempts, reason }, why) {
    this.#known.givenUp += 1;
    const facts = { app: this.#app.name, of: event.type, to: this.#known.to, count };
    this.#world.log.warn('alarm.undelivered', { ...facts, attempts, reason: reason ?? why });
  }
}
