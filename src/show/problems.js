/** What is wrong with all apps, for a look that must not have to search. */
import { recentChange } from './change.js';
import { hasProblem, rowsOf } from './rows.js';
import { appState, appTone, stateText, stateTone } from './state.js';

/**
 * @import { App } from '../protocol/shapes.js'
 *
 * @typedef {object} Problem
 * @property {string} name of the app
 * @property {'bad' | 'warn'} tone bad: it is broken; warn: it serves, but not as it should
 * @property {string} text `1/2 online; :1 backoff 4s: exit 1`
 */

/** @param {App} app @param {number} now epoch ms @returns {boolean} of it or one of its workers */
export function isTroubled(app, now) {
  return rowsOf(app).some((row) => hasProblem(row, now));
}

/**
 * @param {App[]} apps
 * @param {number} now epoch ms
 * @returns {Problem[]} the broken ones first, and of them those that have lost most of their workers
 */
export function problemsOf(apps, now) {
  const sorted = [...apps].sort((one, other) => servingShare(one) - servingShare(other));
  return /** @type {const} */ (['bad', 'warn']).flatMap((tone) => {
    const own = sorted.filter((app) => appTone(app, now) === tone);
    return own.map((app) => ({ name: app.name, tone, text: textOf(app, now) }));
  });
}

/** The state of an app does not say why one of several workers is broken. @param {App} app @param {number} now */
function textOf(app, now) {
  const broken = rowsOf(app).find((row) => row.isNested && stateTone(row, now) === 'bad');
  const change = recentChange(app, now);
  return [
    appState(app, now),
    broken && `:${broken.worker?.slot} ${stateText(broken, now)}`,
    change && `last change: ${change}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param {App} app @returns {number} 0 to 1 */
function servingShare({ workers }) {
  return workers.filter(({ status }) => status === 'online').length / Math.max(1, workers.length);
}
