/** What follows from the state: the rows that are shown, the selected one, the app of the view. */
import { visibleRows } from '../../../../show/rows.js';
import { rowsOfApp, stateText } from '../table/rows.js';

/**
 * @import { Row } from '../table/rows.js'
 * @import { App, PageState } from './model.js'
 */

/**
 * @param {PageState} state
 * @returns {Row[]} that match the filter and are not folded
 */
export function shownRows({ server, filter, folded }) {
  const apps = server?.apps ?? {};
  const names = server?.order ?? Object.keys(apps);
  const rows = names.flatMap((name) => (Object.hasOwn(apps, name) ? rowsOfApp(apps[name]) : []));
  return visibleRows(rows, { filter, folded }, stateText);
}

/**
 * @param {PageState} state
 * @param {Row[]} rows that are shown
 * @returns {Row | null} the row that keys apply to; the first one if that no longer exists
 */
export function selectedRow({ selected }, rows) {
  return rows.find(({ key }) => key === selected) ?? rows[0] ?? null;
}

/**
 * @param {PageState} state
 * @returns {App | null} the app that the view is about
 */
export function shownApp({ server, route }) {
  const apps = server?.apps ?? {};
  return route.app !== null && Object.hasOwn(apps, route.app) ? apps[route.app] : null;
}

/**
 * @param {PageState} state
 * @returns {Row | null} what the actions of the view apply to
 */
export function actionRow(state) {
  const { route } = state;
  if (route.view === 'table') return selectedRow(state, shownRows(state));
  const app = shownApp(state);
  if (app === null) return null;
  const rows = rowsOfApp(app);
  return rows.find(({ worker }) => route.slot !== null && worker?.slot === route.slot) ?? rows[0];
}

/**
 * @param {PageState} state
 * @returns {boolean} whether there is a daemon that could carry out a command
 */
export function canAct({ connection, server }) {
  return connection.kind === 'open' && server !== null && server.gone === undefined;
}
