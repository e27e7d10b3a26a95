/** What features say of an app, in the words of each. */
import { features } from '../features/show.js';

/**
 * @import { App, AppOutcome, AppSummary, Worker } from '../protocol/shapes.js'
 * @import { Family, Labels, Metric } from './metric-family.js'
 * @import { Paint } from './paint.js'
 *
 * @typedef {object} ShowFeature every hook is optional; now: epoch ms
 * @property {(app: App, worker: Worker, now: number) => string | null} [worker] what it does, in place of its status; null:
 *   the status says it
 * @property {(app: App, worker: Worker | null, now: number) => {verdict: string, texts: string[]} | null} [troubles] what is
 *   not as it should be of one that serves, also in one word in place of `online`; worker null: of the whole app
 * @property {(app: App) => string} [range] how many workers the app may have: `2–8`; empty: nothing to say
 * @property {(outcome: AppOutcome, after: AppSummary, now: number) => string | null} [outcome] of a command that
 *   succeeded; null: as of other apps
 * @property {(app: App, now: number) => [applies: boolean, command: string, why: string][]} [commands] what helps now
 * @property {(app: App, paint: Paint, now: number) => string[]} [workerLines] of `describe`, below its workers
 * @property {(app: App, now: number) => Section['facts']} [facts] of `describe`, and of the page of an app, among its own
 * @property {(app: App, now: number) => Section | null} [section] of `describe`, and of the page of an app
 * @property {Metric<App>[]} [metrics]
 * @property {(apps: readonly App[], labelsOf: (app: App) => Labels) => Family[]} [families] other metrics
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {[label: string, text: unknown, tone?: string][]} facts those without a text are left out
 *
 * @typedef {Required<Omit<ShowFeature, 'metrics'>>} Hooks
 * @typedef {{[K in keyof Hooks]: NonNullable<ReturnType<Hooks[K]>>}} Answers
 */

/**
 * @template {keyof Hooks} K
 * @param {K} hook
 * @param {Parameters<Hooks[K]>} args
 * @returns {(Answers[K] extends (infer Each)[] ? Each : Answers[K])[]} what the features say, those left out that say
 *   nothing
 */
export function say(hook, ...args) {
  return features.flatMap((feature) => {
    const ask = /** @type {((...args: any[]) => any) | undefined} */ (feature[hook]);
    return ask?.(...args) ?? [];
  });
}

export const featureMetrics = features.flatMap(({ metrics }) => metrics ?? []);
