/** What follows from the state: the rows that are shown, the selected one, the app of the view. */
import { unkeyed } from '../../../../shared/merge-patch.js';
import { isFolded, matchingRows, rowsOf } from '../../../../show/rows.js';
import { stateTone } from '../../../../show/state.js';

/**
 * @import { App } from '../../../../protocol/shapes.js'
 * @import { PageState } from './model.js'
 * @import { BareRow as Row } from '../../../../show/rows.js'
 */

/**
 * @param {PageState} state
 * @returns {Row[]} that match the filter and are not folded
 */
export function shownRows(state) {
  const { server, filter, at } = state;
  const matching = matchingRows(appsOf(server).flatMap(rowsOfApp), filter, at);
  return matching.filter(({ kind, app }) => kind !== 'worker' || !isFolded(state, app));
}

/** @param {PageState['server']} server @returns {App[]} in the order of `ls` */
export function appsOf(server) {
  const apps = server?.apps ?? {};
  return (server?.order ?? []).flatMap((name) =>
    Object.hasOwn(apps, name) ? [appOf(apps[name])] : [],
  );
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
 * @returns {string | null} key of the row that is selected until the user selects one, as in `monit`; null: nothing is broken
 */
export function firstBroken(state) {
  const isBroken = (/** @type {Row} */ row) => stateTone(row, state.at) === 'bad';
  return shownRows(state).find(isBroken)?.key ?? null;
}

/**
 * @param {PageState} state
 * @returns {App | null} the app that the view is about
 */
export function shownApp({ server, route }) {
  const apps = server?.apps ?? {};
  return route.app !== null && Object.hasOwn(apps, route.app) ? appOf(apps[route.app]) : null;
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

/**
 * @template {object} K
 * @template V
 * @param {(key: K) => V} make
 * @returns {(key: K) => V} the same result for the same object: a row that did not change is not drawn again
 */
function kept(make) {
  /** @type {WeakMap<K, V>} */
  const known = new WeakMap();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

const appOf = kept(unkeyed);
/** The rows of the table: those of `ls`. */
export const rowsOfApp = kept(rowsOf);
