/** What features add to the daemon. It knows none by name: src/features/daemon.js lists them. */
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { AppDescription, AppSummary, AppView, CanaryOrder, Event } from '../protocol/shapes.js'
 * @import { MeasuredApp, PrimaryEvent, Snapshot } from '../protocol/methods.js'
 * @import { App } from './apps/app.js'
 * @import { Handler } from './control/methods.js'
 * @import { Daemon } from './daemon.js'
 * @import { Entry } from './log.js'
 * @import { Before, LogEntry } from './events/worker-events.js'
 *
 * @typedef {PrimaryEvent & {ok?: boolean}} Reported what a primary reports, as subscribers and alarms get it
 *
 * @typedef {Pick<AppView, 'autoscaling' | 'job' | 'canary'>} FeatureView
 * @typedef {Pick<AppDescription, 'alarms'>} FeatureDetails
 * @typedef {Pick<MeasuredApp, 'programMetrics'>} FeatureMeasurements
 *
 * @typedef {Record<string, (entry: Entry) => string | null>} EntryWords by event; null: it needs no line
 *
 * @typedef {{spec?: Spec, canary?: CanaryOrder}} CheckedOrder as far as the command has it
 *
 * @typedef {object} Feature every hook is optional
 * @property {(app: App) => void} [sync] after each change of an app, and for each app that a daemon finds. What it
 *   throws is logged
 * @property {(app: App) => Partial<FeatureView>} [record] its fields of an app that is shown
 * @property {(before: Before & Partial<Snapshot>, after: Snapshot) => LogEntry[]} [logged] what daemon.log says of a change that a primary reports,
 *   and that no command made
 * @property {(app: App) => string | null} [note] what else is worth knowing of an app whose primary answers
 * @property {(app: App, action: string) => void} [waits] a command of the user waits for its turn
 * @property {(app: App) => Partial<AppSummary>} [summary] what the outcome of a command says of an app
 * @property {(app: App, event: PrimaryEvent) => Reported | null} [event] what an event of a primary means for an app
 *   of its kind; null: nothing
 * @property {(app: App, event: Event, isAgain: boolean) => void} [published] after an event was published; isAgain: its
 *   primary has sent it before. Must not throw
 * @property {(app: App) => FeatureDetails} [details] its fields of `describe`
 * @property {(apps: App[]) => Promise<(app: App) => FeatureMeasurements>} [measure] its fields of `metrics`
 * @property {(app: App) => boolean} [startsAgain] whether it will start an app that has ended by itself
 * @property {EntryWords} [words] in which `run` says its entries of daemon.log
 * @property {() => Promise<void>} [ending] what must be done before the daemon ends
 * @property {(app: App, action: string, order: CheckedOrder) => void} [check] before a command does anything:
 *   throws what speaks against it
 * @property {Record<string, Handler<any>>} [methods] requests that it answers; daemon.log has each
 *
 * @typedef {(daemon: Daemon) => Feature} MakeFeature
 */

export class Features {
  /** @type {Map<string, Feature>} */
  #features;
  #log;

  /** @param {Record<string, MakeFeature>} makers by name @param {Daemon} daemon */
  constructor(makers, daemon) {
    this.#log = daemon.log;
    this.#features = new Map(Object.entries(makers).map(([name, make]) => [name, make(daemon)]));
  }

  get #all() {
    return [...this.#features.values()];
  }

  /** What one feature throws affects no other. @param {App} app that may have changed */
  sync(app) {
    for (const [feature, { sync }] of this.#features) {
      try {
        sync?.(app);
      } catch (thrown) {
        const { message: reason } = NodeclusterError.from(thrown);
        this.#log.error('feature.failed', { feature, app: app.name, reason });
      }
    }
  }

  /**
   * @template {{note: string | null}} V
   * @param {App} app
   * @param {V} view of the kernel
   * @returns {V & FeatureView}
   */
  view(app, view) {
    const isKnown = app.link.state === 'connected';
    const notes = isKnown ? this.#all.map((feature) => feature.note?.(app)) : [];
    const note = [...notes, view.note].filter(Boolean).join('; ') || null;
    return Object.assign({}, view, ...this.#all.map(({ record }) => record?.(app)), { note });
  }

  /** @param {Before | null} before null: nothing was known @param {Snapshot} after @returns {LogEntry[]} */
  logged(before, after) {
    if (before === null) return [];
    return this.#all.flatMap((feature) => feature.logged?.(before, after) ?? []);
  }

  /** @param {App} app @param {string} action */
  waits(app, action) {
    for (const { waits } of this.#all) waits?.(app, action);
  }

  /** @param {App} app @returns {Partial<AppSummary>} */
  summary(app) {
    return Object.assign({}, ...this.#all.map(({ summary }) => summary?.(app)));
  }

  /** @param {App} app @param {PrimaryEvent} reported @returns {Reported | null} */
  event(app, reported) {
    for (const { event } of this.#all) {
      const meaning = event ? event(app, reported) : reported;
      if (meaning !== reported) return meaning;
    }
    return reported;
  }

  /** @param {App} app @param {Event} event @param {boolean} isAgain */
  published(app, event, isAgain) {
    for (const { published } of this.#all) published?.(app, event, isAgain);
  }

  /** @param {App} app @returns {FeatureDetails} */
  details(app) {
    return Object.assign({}, ...this.#all.map(({ details }) => details?.(app)));
  }

  /** @param {App[]} apps @returns {Promise<(app: App) => FeatureMeasurements>} */
  async measure(apps) {
    const all = await Promise.all(this.#all.map(({ measure }) => measure?.(apps)));
    return (app) => Object.assign({}, ...all.map((of) => of?.(app)));
  }

  /** @returns {Promise<unknown>} */
  ending() {
    return Promise.all(this.#all.map(({ ending }) => ending?.()));
  }

  /** @param {App} app @param {string} action @param {CheckedOrder} [order] */
  check(app, action, order = {}) {
    for (const { check } of this.#all) check?.(app, action, order);
  }

  /** @param {App} app */
  startsAgain(app) {
    return this.#all.some((feature) => feature.startsAgain?.(app));
  }

  /** @returns {EntryWords} */
  get words() {
    return Object.assign({}, ...this.#all.map(({ words }) => words));
  }

  /** @returns {Record<string, Handler<any>>} */
  get methods() {
    return Object.assign({}, ...this.#all.map(({ methods }) => methods));
  }
}
