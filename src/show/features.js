/** What features say of an app, in the words of each. */
import { features } from '../features/show.js';

/**
 * @import { App, AppOutcome, AppSummary, Worker } from '../protocol/shapes.js'
 * @import { Family, Labels } from './metric-family.js'
 * @import { Paint } from './paint.js'
 * @import { Tone } from './tone.js'
 *
 * @typedef {object} ShowFeature every hook is optional; now: epoch ms
 * @property {(app: App, worker: Worker, now: number) => string | null} [worker] what the only worker of an app does, in
 *   place of its status; null: the status says it
 * @property {(app: App) => string} [range] how many workers the app may have: `2–8`; empty: nothing to say
 * @property {(outcome: AppOutcome, after: AppSummary, now: number) => string | null} [outcome] of a command that
 *   succeeded; null: as of other apps
 * @property {(app: App, now: number) => string | null} [note] before what else is worth knowing
 * @property {(app: App, now: number) => string | null} [news] below the table of `ls`
 * @property {(app: App, now: number) => [label: string, text: unknown][]} [facts] of `describe`
 * @property {(app: App, paint: Paint) => string[]} [workerLines] of `describe`, below its workers
 * @property {(app: App, paint: Paint, now: number) => string[]} [lines] of `describe`, below its exits
 * @property {(app: App, now: number) => Section | null} [section] of the page of an app
 * @property {Metric[]} [metrics]
 * @property {(apps: readonly App[], labelsOf: (app: App) => Labels) => Family[]} [families] other metrics
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {{share: number, target: number, label: string, text: string}} [load] a bar; share: 0 to 1
 * @property {[label: string, text: unknown, tone?: string][]} [facts]
 * @property {Entry[]} [entries] they are known only when the details are; such a section is below the charts
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} to
 * @property {string} text
 * @property {{tone: Tone, text: string}[]} lines
 *
 * @typedef {object} Metric of an app
 * @property {string} name without `nodecluster_`, by Prometheus conventions
 * @property {Family['type']} type
 * @property {string} help
 * @property {(app: App) => number | null | undefined} read
 */

/** @param {App} app @param {Worker} worker @param {number} now */
export function workerText(app, worker, now) {
  return firstOf(features.map((feature) => feature.worker?.(app, worker, now)));
}

/** @param {App} app */
export function rangeText(app) {
  return features.map(({ range }) => range?.(app) ?? '').join('');
}

/** @param {AppOutcome} outcome @param {AppSummary} after @param {number} now */
export function outcomeText(outcome, after, now) {
  return firstOf(features.map((feature) => feature.outcome?.(outcome, after, now)));
}

/** @param {App} app @param {number} now @returns {string} what else is worth knowing; empty: nothing */
export function noteOf(app, now) {
  const notes = features.map(({ note }) => note?.(app, now));
  return [...notes, app.note].filter(Boolean).join('; ');
}

/** @param {App} app @param {number} now */
export function newsOf(app, now) {
  return features.flatMap(({ news }) => news?.(app, now) ?? []);
}

/** @param {App} app @param {number} now */
export function featureFacts(app, now) {
  return features.flatMap(({ facts }) => facts?.(app, now) ?? []);
}

/** @param {App} app @param {Paint} paint */
export function featureWorkerLines(app, paint) {
  return features.flatMap(({ workerLines }) => workerLines?.(app, paint) ?? []);
}

/** @param {App} app @param {Paint} paint @param {number} now */
export function featureLines(app, paint, now) {
  return features.flatMap(({ lines }) => lines?.(app, paint, now) ?? []);
}

/** @param {App} app @param {number} now */
export function featureSections(app, now) {
  return features.flatMap(({ section }) => section?.(app, now) ?? []);
}

export const featureMetrics = features.flatMap(({ metrics }) => metrics ?? []);

/** @param {readonly App[]} apps @param {(app: App) => Labels} labelsOf */
export function featureFamilies(apps, labelsOf) {
  return features.flatMap(({ families }) => families?.(apps, labelsOf) ?? []);
}

/** @param {readonly (string | null | undefined)[]} texts */
function firstOf(texts) {
  return texts.find((text) => text !== null && text !== undefined) ?? null;
}
