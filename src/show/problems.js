/** What is wrong with an app, for a look that must not have to search. */
import { hasProblem, rowsOf } from './rows.js';

/** @import { App } from '../protocol/shapes.js' */

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
