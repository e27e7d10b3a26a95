/** What features add to the daemon. It knows none by name: src/features/daemon.js lists them. */
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { AppSummary, AppView } from '../protocol/shapes.js'
 * @import { PrimaryEvent } from '../protocol/methods.js'
 * @import { App } from './apps/app.js'
 * @import { Handler } from './control/methods.js'
 * @import { Daemon } from './daemon.js'
 *
 * @typedef {PrimaryEvent & {ok?: boolean}} Reported what a primary reports, as subscribers and alarms get it
 *
 * @typedef {Pick<AppView, 'autoscaling' | 'job'>} FeatureView
 *
 * @typedef {object} Feature every hook is optional
 * @property {(app: App) => void} [sync] after each change of an app, and for each app that a daemon finds. What it
 *   throws is logged
 * @property {(app: App) => Partial<FeatureView>} [record] its fields of an app that is shown
 * @property {(app: App) => Partial<AppSummary>} [summary] what the outcome of a command says of an app
 * @property {(app: App, event: PrimaryEvent) => Reported | null} [event] what an event of a primary means for an app
 *   of its kind; null: nothing
 * @property {(app: App, action: string, order: {count?: number}) => void} [check] before a command does anything:
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

  /** @param {App} app @returns {FeatureView} */
  record(app) {
    return Object.assign({}, ...this.#all.map(({ record }) => record?.(app)));
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

  /** @param {App} app @param {string} action @param {{count?: number}} [order] */
  check(app, action, order = {}) {
    for (const { check } of this.#all) check?.(app, action, order);
  }

  /** @returns {Record<string, Handler<any>>} */
  get methods() {
    return Object.assign({}, ...this.#all.map(({ methods }) => methods));
  }
}
