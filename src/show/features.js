/** What features say of an app, in the words of each. */
import { features } from '../features/show.js';

/**
 * @import { AppDescription, AppOutcome, AppSummary, AppView, WorkerView } from '../protocol/shapes.js'
 * @import { Paint } from './paint.js'
 *
 * @typedef {object} ShowFeature every hook is optional
 * @property {(app: AppView, worker: WorkerView) => string | null} [worker] what the only worker of an app does, in place
 *   of its status; null: the status says it
 * @property {(app: AppView) => string} [range] how many workers the app may have: `2–8`; empty: nothing to say
 * @property {(outcome: AppOutcome, after: AppSummary) => string | null} [outcome] of a command that succeeded; null: as of
 *   other apps
 * @property {(app: AppView) => string | null} [news] below the table of `ls`
 * @property {(app: AppDescription, now: number) => [label: string, text: unknown][]} [facts] of `describe`
 * @property {(app: AppDescription, paint: Paint) => string[]} [workerLines] of `describe`, below its workers
 * @property {(app: AppDescription, paint: Paint, now: number) => string[]} [lines] of `describe`, below its exits
 */

/** @param {AppView} app @param {WorkerView} worker */
export function workerText(app, worker) {
  return firstOf(features.map((feature) => feature.worker?.(app, worker)));
}

/** @param {AppView} app */
export function rangeText(app) {
  return features.map(({ range }) => range?.(app) ?? '').join('');
}

/** @param {AppOutcome} outcome @param {AppSummary} after */
export function outcomeText(outcome, after) {
  return firstOf(features.map((feature) => feature.outcome?.(outcome, after)));
}

/** @param {AppView} app @returns {string[]} */
export function newsOf(app) {
  return features.flatMap(({ news }) => news?.(app) ?? []);
}

/** @param {AppDescription} app @param {number} now epoch ms */
export function featureFacts(app, now) {
  return features.flatMap(({ facts }) => facts?.(app, now) ?? []);
}

/** @param {AppDescription} app @param {Paint} paint */
export function featureWorkerLines(app, paint) {
  return features.flatMap(({ workerLines }) => workerLines?.(app, paint) ?? []);
}

/** @param {AppDescription} app @param {Paint} paint @param {number} now epoch ms */
export function featureLines(app, paint, now) {
  return features.flatMap(({ lines }) => lines?.(app, paint, now) ?? []);
}

/** @param {readonly (string | null | undefined)[]} texts */
function firstOf(texts) {
  return texts.find((text) => text !== null && text !== undefined) ?? null;
}
