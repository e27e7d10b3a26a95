/** One alarm of one app: takes its events, and delivers them when the policy says so. */
import { eventsOf } from '../options.js';
import { addEvent, beginNext, endAttempt, IDLE } from '../decide.js';
import { withoutNulls } from '../../../shared/merge-patch.js';
import { epochMs, machineMs } from '../../../shared/monotonic.js';
import { maskAlarm } from '../options.js';

/**
 * @import { Alarm as Setting, AlarmView, Undelivered } from '../record.js'
 * @import { Failure, Notice } from '../decide.js'
 * @import { Event } from '../../../protocol/shapes.js'
 */

/** Of what could not be delivered. */
const MAX_REMEMBERED = 10;

export class Alarm {
  #state = IDLE;
  #events;
  #deliver;
  #onGivenUp;
  #delivered = 0;
  #givenUp = 0;
  /** The latest first. @type {Undelivered[]} */
  #undelivered = [];
  /** null: no attempt is in progress. @type {Promise<void> | null} */
  #attempt = null;
  #hasEnded = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {object} options
   * @param {string} options.key of the setting
   * @param {Setting} options.setting
   * @param {(notice: Notice) => Promise<Failure | null>} options.deliver null: it was delivered; never rejects
   * @param {(notice: Notice) => void} options.onGivenUp
   */
  constructor({ key, setting, deliver, onGivenUp }) {
    this.key = key;
    this.setting = setting;
    this.#events = new Set(setting.event.flatMap(eventsOf));
    this.#deliver = deliver;
    this.#onGivenUp = onGivenUp;
  }

  get isIdle() {
    return this.#attempt === null && this.#state.waiting.length === 0;
  }

  /** @param {Event} event which may be of another type */
  note(event) {
    if (this.#hasEnded || !this.#events.has(event.type)) return;
    if (this.setting.failed && (!('ok' in event) || event.ok)) return;
    this.#state = addEvent(this.#state, event, performance.now());
    this.#turn();
  }

  /** @returns {AlarmView} what it has delivered since this daemon knows it */
  view() {
    const { current, waiting } = this.#state;
    const pending = current ? [current, ...waiting] : waiting;
    return {
      event: this.setting.event,
      to: addressOf(this.setting),
      delivered: this.#delivered,
      givenUp: this.#givenUp,
      waiting: pending.map((notice) => viewNotice(notice, notice === current)),
      undelivered: this.#undelivered,
    };
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
    const { waiting, current } = this.#state;
    for (const notice of current ? [current, ...waiting] : waiting) {
      this.#giveUp({ ...notice, reason: notice.reason ? `${reason}; ${notice.reason}` : reason });
    }
    this.#state = IDLE;
  }

  #turn() {
    clearTimeout(this.#timer);
    const { state, notice, waitMs } = beginNext(
      this.#state,
      performance.now(),
      this.setting.intervalMs,
    );
    this.#state = state;
    if (notice) this.#attempt = this.#try(notice);
    else if (waitMs !== null) this.#timer = setTimeout(() => this.#turn(), waitMs).unref();
  }

  /** @param {Notice} notice */
  async #try(notice) {
    const failure = await this.#deliver(notice);
    this.#attempt = null;
    if (this.#hasEnded) return;
    const { state, givenUp } = endAttempt(this.#state, failure, performance.now());
    this.#state = state;
    if (failure === null) this.#delivered += 1;
    if (givenUp) this.#giveUp(givenUp);
    this.#turn();
  }

  /** @param {Notice} notice */
  #giveUp(notice) {
    const { type, count, attempts, reason } = notice;
    this.#givenUp += 1;
    const latest = { type, at: Date.now(), count, attempts, reason: String(reason) };
    this.#undelivered = [latest, ...this.#undelivered].slice(0, MAX_REMEMBERED);
    this.#onGivenUp(notice);
  }
}

/**
 * @param {Setting} setting
 * @returns {string} `POST https://example.com/********`, or a command
 */
export function addressOf(setting) {
  const { run, post } = maskAlarm(setting);
  return run === null ? `POST ${post}` : run.join(' ');
}

/** @param {Notice} notice @param {boolean} isCurrent */
function viewNotice({ type, count, attempts, reason, dueMs }, isCurrent) {
  const retryAt = isCurrent ? null : epochMs(machineMs(dueMs));
  return withoutNulls({ type, count, attempts, reason, retryAt });
}
