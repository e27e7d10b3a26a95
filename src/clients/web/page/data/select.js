/** What follows from the state: the rows that are shown, the selected one, the app of the view, what is wrong. */
import { causesOf, helpOf, sinceOf } from '../../../../show/help.js';
import {
  isFolded,
  isTroubled,
  shownRows as rowsToShow,
  worstFirst,
} from '../../../../show/rows.js';
import { stateText } from '../../../../show/state.js';

/**
 * @import { App, Description, Worker } from '../../../../protocol/shapes.js'
 * @import { PageState } from './store.js'
 * @import { BareRow as Row } from '../../../../show/rows.js'
 */

/**
 * @param {PageState} state
 * @returns {Row[]} of the table those that match the filter, the worst apps first; on the page of an app its own
 */
export function shownRows(state) {
  const { route, at } = state;
  const apps = route.view === 'table' ? worstFirst(state.apps, at) : [shownApp(state) ?? []].flat();
  const view = viewOf(state);
  const selected = selectedKey(state);
  return rowsToShow(apps, { ...view, selected }, at).filter(
    ({ kind, app, key }) =>
      kind !== 'worker' ||
      key === selected ||
      !view.explained.has(app.name) ||
      !isFolded(view, app),
  );
}

/** @param {PageState} state explained: apps whose trouble stands in the table, so that they are folded until the user unfolds them */
export function viewOf({ apps, at, route, folds, filter }) {
  const isWhole = route.view !== 'table' || filter !== '';
  const explained = new Set(
    apps.filter((app) => !isWhole && troubleOf(app, at) !== null).map(({ name }) => name),
  );
  const folded = [...explained].map((name) => /** @type {const} */ ([name, true]));
  return {
    explained,
    folds: new Map([...folded, ...folds]),
    filter: route.view === 'table' ? filter : '',
  };
}

/** @param {App & {spec?: Description['spec']}} app @param {number} at epoch ms @returns what is wrong with it, and what helps; null: nothing is */
export function troubleOf(app, at) {
  const causes = [...causesOf(app, at), ...sinceOf(app, at)];
  const help = isTroubled(app, at) ? helpOf(app, at) : [];
  return causes.length + help.length > 0 ? { name: app.name, causes, help } : null;
}

/** @param {Row} row @param {number} now epoch ms @returns {string} its state without why, and where */
export function bareState(row, now) {
  const bare = (/** @type {Worker} */ worker) => ({
    ...worker,
    reason: undefined,
    stack: undefined,
    crash: worker.crash && { at: worker.crash.at },
  });
  const app = { ...row.app, workers: row.app.workers.map(bare) };
  return stateText({ ...row, app, worker: row.worker && bare(row.worker) }, now);
}

/** @param {PageState} state @param {Row[]} rows @returns {Row | null} the row that keys apply to; the first one if that no longer exists */
export function selectedRow(state, rows) {
  const selected = selectedKey(state);
  return rows.find(({ key }) => key === selected) ?? rows[0] ?? null;
}

/** @param {PageState} state */
function selectedKey({ selected, route: { view, app, slot } }) {
  if (view === 'table') return selected;
  return slot === null ? app : `${app}:${slot}`;
}

/** @param {PageState} state @returns {App | null} the app that the view is about */
export function shownApp({ apps, route }) {
  return apps.find(({ name }) => name === route.app) ?? null;
}

/** @param {PageState} state @returns {Row | null} what the actions of the view apply to */
export function actionRow(state) {
  return selectedRow(state, shownRows(state));
}

/** @param {PageState} state @returns {boolean} whether there is a daemon that could carry out a command */
export function canAct({ connection, server }) {
  return connection.kind === 'open' && server !== null && server.gone === undefined;
}
