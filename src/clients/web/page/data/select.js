/** What follows from the state: the rows that are shown, the selected one, the app of the view, what is wrong. */
import { causesOf, helpOf } from '../../../../show/help.js';
import {
  isFolded,
  isTroubled,
  shownRows as rowsToShow,
  worstFirst,
} from '../../../../show/rows.js';

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
  const view = { ...viewOf(state), selected: selectedKey(state) };
  const isHidden = (/** @type {Row} */ { kind, app, key }) =>
    kind === 'worker' &&
    key !== view.selected &&
    isFolded(view, app) &&
    troubleOf(app, at) !== null;
  return rowsToShow(apps, view, at).filter((row) => !isHidden(row));
}

/** In the table, apps are folded if what is wrong with them stands there, until the user unfolds them. @param {PageState} state */
export function viewOf({ apps, at, route, folds, filter }) {
  if (route.view !== 'table') return { folds, filter: '' };
  const told = apps.filter((app) => filter === '' && troubleOf(app, at) !== null);
  const folded = told.map(({ name }) => /** @type {const} */ ([name, true]));
  return { folds: new Map([...folded, ...folds]), filter };
}

/** @param {App & {spec?: Description['spec']}} app @param {number} at epoch ms @returns what is wrong with it, and what helps; null: nothing is */
export function troubleOf(app, at) {
  const causes = causesOf(app, at);
  const help = isTroubled(app, at) ? helpOf(app, at) : [];
  return causes.length + help.length > 0 ? { causes, help } : null;
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
