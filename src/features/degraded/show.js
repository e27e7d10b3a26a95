/** What a worker that serves does not do as it should. */
import { formatSize } from '../../shared/units.js';
import { escapeLine } from '../../show/escape.js';
import { formatAge } from '../../show/quantity.js';
import { factsOf, judgeLoad, sumOfAnswers } from './decide.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 * @import { Answers, Facts } from './decide.js'
 */

/** @type {ShowFeature} */
export const degraded = {
  troubles,
  verdict: (...args) => (troubles(...args).length > 0 ? 'degraded' : null),
  commands,
};

/**
 * @param {App} app
 * @param {Worker | null} worker null: the app as a whole
 * @param {number} now epoch ms
 * @returns {string[]} `oldest request 5s`, `5xx 40/160`, `+14M/min`, `3 crashes in 1 m`
 */
function troubles(app, worker, now) {
  const all = answersOf(app);
  const shown = worker ? [worker] : app.workers;
  /** @type {Record<string, Facts[]>} */
  const by = { waits: [], errors: [], memory: [] };
  for (const each of shown) {
    const verdict = verdictOn(each, all, now);
    if (verdict) by[verdict].push(factsOf(each, now));
  }
  const oldestMs = Math.max(0, ...by.waits.map((facts) => facts.oldestMs));
  const growth = sum(by.memory.map(({ memoryGrowth = 0 }) => memoryGrowth));
  const cause = worker?.crashCause ? `: ${escapeLine(worker.crashCause)}` : '';
  const crashes = sum(shown.map(({ recentCrashes = 0 }) => recentCrashes));
  return [
    oldestMs > 0 && `oldest request ${formatAge(oldestMs)}`,
    by.errors.length > 0 && errorsText(worker ? sumOfAnswers(by.errors) : all),
    growth > 0 && `+${formatSize(growth)}/min`,
    crashes > 0 && `${crashes} ${crashes === 1 ? 'crash' : 'crashes'} in 1 m${cause}`,
  ].filter((text) => text !== false);
}

/** Of an app, all: that one of its workers fails is not that all do. @param {Answers} answers */
function errorsText({ answered, errors }) {
  return `5xx ${errors}/${answered}`;
}

/** @param {App} app @param {number} now @returns {[command: string, why: string][]} */
function commands(app, now) {
  const all = answersOf(app);
  const waits = app.workers.some((worker) => verdictOn(worker, all, now) === 'waits');
  const failing = app.workers.filter((worker) => {
    // If all of them fail, it does not help to replace one.
    const isOne = (worker.requests?.errors ?? 0) > all.errors / 2 && app.workers.length > 1;
    return isOne && verdictOn(worker, all, now) === 'errors';
  });
  const name = escapeLine(app.name);
  /** @type {[command: string, why: string][]} */
  const rows = failing.map(({ slot }) => [
    `restart ${name}:${slot}`,
    'replace the worker that answers with errors',
  ]);
  const fails = app.workers.some((worker) => verdictOn(worker, all, now) === 'errors');
  if (fails) rows.push([`logs ${name} --err`, 'read what it wrote about the errors']);
  return waits ? [[`why ${name}`, 'see which servers it may wait for'], ...rows] : rows;
}

/** @param {Worker} worker @param {Answers} all of its app @param {number} now */
function verdictOn(worker, all, now) {
  return worker.status === 'online' ? judgeLoad(factsOf(worker, now), all) : null;
}

/** Needed again for each of its workers. @type {WeakMap<App, Answers>} */
const answersByApp = new WeakMap();

/** @param {App} app @returns {Answers} of all its workers together */
function answersOf(app) {
  const known = answersByApp.get(app);
  if (known) return known;
  const all = sumOfAnswers(
    app.workers.map(({ requests }) => ({ answered: 0, errors: 0, ...requests })),
  );
  answersByApp.set(app, all);
  return all;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
