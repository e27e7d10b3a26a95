/** What follows from the state: the rows that are shown, the selected one, the app of the view. */
import { unkeyed } from '../../../../shared/merge-patch.js';
import { foldApps, isFolded, matchingRows, rowsOf } from '../../../../show/rows.js';
import { problemOf } from '../../../../show/problems.js';
import { appState, stateTone } from '../../../../show/state.js';

/**
 * @import { App } from '../../../../protocol/shapes.js'
 * @import { PageState } from './model.js'
 * @import { BareRow as Row } from '../../../../show/rows.js'
 */

/**
 * @param {PageState} state
 * @returns {Row[]} of the table those that match the filter, apps in trouble first; on the page of an app its own
 */
export function shownRows(state) {
  const { route, server, at } = state;
  const isTable = route.view === 'table';
  const apps = isTable ? byTrouble(appsOf(server), state) : [shownApp(state) ?? []].flat();
  const view = { folds: state.folds, filter: isTable ? state.filter : '' };
  const matching = matchingRows(apps.flatMap(rowsOfApp), view.filter, at);
  const selected = selectedKey(state);
  return foldApps(matching, { isFolded: (app) => isFolded(view, app), selected }, at);
}

/** An app counts as troubled for as long afterwards, or each crash of a loop would move its rows. */
const CALM_MS = 60_000;

/**
 * @param {Pick<PageState, 'troubles' | 'server' | 'at'>} state
 * @returns {PageState['troubles']} with those of now, of an app or a worker; what a command does to an app is none
 */
export function recentTroubles({ troubles, server, at }) {
  const recent = new Map([...troubles].filter(([, seenAt]) => at - seenAt < CALM_MS));
  const rows = appsOf(server).flatMap((app) => (app.busy ? [] : rowsOfApp(app)));
  for (const row of rows) {
    const tone = stateTone(row, at);
    if (tone === 'bad' || tone === 'warn') recent.set(troubleKey(tone, row.app.name), at);
  }
  return recent;
}

/** @param {string} tone @param {string} name */
const troubleKey = (tone, name) => `${tone} ${name}`;

/** @param {App[]} apps @param {Pick<PageState, 'troubles'>} state @returns {App[]} the broken ones first, then the amber ones */
function byTrouble(apps, { troubles }) {
  return [...apps].sort((one, other) => rankOf(one, troubles) - rankOf(other, troubles));
}

const CALM = 2;

/** @param {App} app @param {PageState['troubles']} troubles */
function rankOf({ name }, troubles) {
  const rank = ['bad', 'warn'].findIndex((tone) => troubles.has(troubleKey(tone, name)));
  return rank === -1 ? CALM : rank;
}

/**
 * @param {Pick<PageState, 'troubles' | 'server' | 'at'>} state
 * @returns {{name: string, tone: string, text: string}[]} what is wrong, and what else is worth knowing: a line for each
 *   app, where the table has it and for as long, or each crash of a loop would move the table
 */
export function bannerLines(state) {
  const { server, at, troubles } = state;
  return byTrouble(appsOf(server), state).flatMap((app) => {
    const problem = problemOf(app, at);
    const isKept = problem !== null || rankOf(app, troubles) < CALM;
    const texts = [isKept && (problem?.text ?? appState(app, at)), app.note].filter(Boolean);
    const tone = problem?.tone ?? (isKept ? 'good' : '');
    return texts.length > 0 ? [{ name: app.name, tone, text: texts.join('; ') }] : [];
  });
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
export function selectedRow(state, rows) {
  const selected = selectedKey(state);
  return rows.find(({ key }) => key === selected) ?? rows[0] ?? null;
}

/** @param {PageState} state */
function selectedKey({ selected, route: { view, app, slot } }) {
  if (view === 'table') return selected;
  return slot === null ? app : `${app}:${slot}`;
}

/**
 * @param {PageState} state
 * @returns {string | null} key of the row that is selected until the user selects one, as in `monit`; null: nothing is broken
 */
export function firstBroken(state) {
  const isBroken = (/** @type {Row} */ row) => stateTone(row, state.at) === 'bad';
  return byTrouble(appsOf(state.server), state).flatMap(rowsOfApp).find(isBroken)?.key ?? null;
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
  return selectedRow(state, shownRows(state));
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
