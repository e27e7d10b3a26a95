/** What is wrong with an app, for a look that must not have to search. */
import { recentChange } from './change.js';
import { hasProblem, rowsOf } from './rows.js';
import { appState, appTone, stateText, stateTone } from './state.js';

/**
 * @import { App } from '../protocol/shapes.js'
 *
 * @typedef {object} Problem
 * @property {'bad' | 'warn'} tone bad: it is broken; warn: it serves, but not as it should
 * @property {string} text `1/2 online; :1 backoff 4s: exit 1`
 */

/** @param {App} app @param {number} now epoch ms @returns {boolean} of it or one of its workers */
export function isTroubled(app, now) {
  return rowsOf(app).some((row) => hasProblem(row, now));
}

/** @param {App[]} apps @param {number} now epoch ms @returns {App[]} for where not all fit; a command that is in progress is no trouble */
export function troubledFirst(apps, now) {
  const rankOf = (/** @type {App} */ app) => Number(Boolean(app.busy) || !isTroubled(app, now));
  const ranks = new Map(apps.map((app) => [app, rankOf(app)]));
  return [...apps].sort((one, other) => Number(ranks.get(one)) - Number(ranks.get(other)));
}

/** @param {App} app @param {number} now epoch ms @returns {Problem | null} null: it is as it should be */
export function problemOf(app, now) {
  const tone = appTone(app, now);
  return tone === 'bad' || tone === 'warn' ? { tone, text: textOf(app, now) } : null;
}

/** The state of an app does not say why one of several workers is broken, or was. @param {App} app @param {number} now */
function textOf(app, now) {
  const nested = rowsOf(app).filter(({ isNested }) => isNested);
  const broken =
    nested.find((row) => stateTone(row, now) === 'bad') ??
    nested.find(({ worker }) => worker?.crashCause);
  const change = recentChange(app, now);
  return [
    appState(app, now),
    broken && `:${broken.worker?.slot} ${stateText(broken, now)}`,
    change && `last change: ${change}`,
  ]
    .filter(Boolean)
    .join('; ');
}
