/** Everything that the screen of `monit` depends on, except its size. */
import { hasProblem, isTroubled, rowsOf, shownRows, worstFirst } from '../../show/rows.js';
import { stateTone } from '../../show/state.js';
import { TONES } from '../../show/tone.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Column } from '../../show/columns.js'
 * @import { BareRow, StatusCount } from '../../show/rows.js'
 * @import { Confirmation } from '../confirmation.js'
 * @import { LogView } from './log.js'
 * @import { History } from './update.js'
 *
 * @typedef {{kind: 'table'} | {kind: 'filter', before: string} |
 *   {kind: 'confirmation', confirmation: Confirmation, typed?: string} |
 *   LogView |
 *   {kind: 'page', command: PageCommand | null, lines: string[], top: number}} View command: whose
 *   output the page is; null: the page is the help
 *
 * @typedef {[name: 'describe' | 'why', target: string]} PageCommand
 *
 * @typedef {ReturnType<typeof firstState>} State
 *
 * @typedef {object} Log
 * @property {string | null} key of the row whose log it is
 * @property {Entry[]} entries the newest
 */

/** What can be scrolled. */
export const MAX_LOG_LINES = 1000;

/** @param {number} now epoch ms */
export function firstState(now) {
  return {
    /** null: not connected. @type {{pid: number, version: string} | null} */
    daemon: null,
    /** When the daemon was lost or found. */
    changedAt: now,
    /** When the last frame arrived. */
    framedAt: now,
    /** @type {App[]} */
    apps: [],
    /** Of the workers. @type {StatusCount[]} */
    statuses: [],
    /** Those that are, or were, needed. @type {Column[]} */
    columns: [],
    /** Those that match the filter and are not folded. @type {BareRow[]} */
    shown: [],
    /** @type {History} */
    history: new Map(),
    /** Key of a row. @type {string | null} */
    selected: null,
    filter: '',
    /** By the name of an app: whether the user has folded or unfolded it. @type {ReadonlyMap<string, boolean>} */
    folds: new Map(),
    /** @type {View} */
    view: { kind: 'table' },
    /** @type {{text: string, tone: 'plain' | 'good' | 'bad', until: number} | null} */
    message: null,
    /** @type {Log} */
    log: { key: null, entries: [] },
  };
}

/**
 * @param {State} before
 * @param {State} state
 * @param {number} height rows of the terminal
 * @returns {State} with the rows that are shown now, the worst apps first if not all fit. If the selected one is no longer
 *   among them, the one that is in its place is selected; at first the worst app.
 *   Apps in trouble are folded if their workers would leave no room for each of them
 */
export function withShown(before, state, height) {
  const { apps, filter, folds, framedAt } = state;
  if (apps === before.apps && filter === before.filter && folds === before.folds) return state;
  const isTooMany = (/** @type {BareRow[]} */ rows) => rows.length > tableHeight(height);
  const unfolded = shownRows(apps, state, framedAt);
  const troubled = unfolded.filter((row) => isTroubled(row.app, framedAt));
  const own = new Map(troubled.map(({ app }) => [app.name, true]));
  const areFolded = filter === '' && own.size > 1 && isTooMany(troubled);
  const view = { ...state, folds: new Map([...own, ...folds]) };
  const all = areFolded ? shownRows(apps, view, framedAt) : unfolded;
  const order = isTooMany(all) ? worstFirst(apps, framedAt) : apps;
  const shown = order.flatMap((app) => all.filter((row) => row.app === app));
  return { ...state, shown, selected: selectionIn(before.shown, { ...state, shown }) };
}

/** @param {State['shown']} before @param {State} state @returns {State['selected']} */
function selectionIn(before, state) {
  const { shown, selected } = state;
  if (shown.some(({ key }) => key === selected)) return selected;
  const worst = selected === null ? nextProblem(state) : null;
  const index = before.findIndex(({ key }) => key === selected);
  return worst ?? shown[Math.min(Math.max(0, index), shown.length - 1)]?.key ?? null;
}

/** @param {State} state @returns {State['selected']} the worst row of the next app in trouble, the worst first; after the last one the first */
export function nextProblem({ apps, shown, selected, framedAt }) {
  const current = shown.find(({ key }) => key === selected)?.app.name;
  const troubled = worstFirst(apps, framedAt).flatMap((app) => {
    const rows = shown.filter((row) => row.app.name === app.name && hasProblem(row, framedAt));
    return rows.length > 0 ? [rows] : [];
  });
  const at = troubled.findIndex(([{ app }]) => app.name === current);
  const next = troubled[(at + 1) % troubled.length];
  if (!next) return selected;
  const worst = worstRow(next[0], framedAt).key;
  return next.some(({ key }) => key === worst) ? worst : next[0].key;
}

/** @param {State} state @returns {BareRow | null} the row that keys apply to */
export function selectedRow({ shown, selected }) {
  return shown.find(({ key }) => key === selected) ?? null;
}

/** @param {BareRow} row @param {number} now epoch ms @returns {BareRow} of an app, its worst worker's */
export function worstRow(row, now) {
  if (row.kind !== 'app') return row;
  const rank = (/** @type {BareRow} */ each) => TONES.indexOf(stateTone(each, now));
  const nested = rowsOf(row.app).filter(({ isNested }) => isNested);
  return nested.sort((one, other) => rank(one) - rank(other))[0];
}

/** Head, headings of the table, title of the log, foot. */
export const FIXED_ROWS = 4;
const LOG_SHARE = 0.3;
const MIN_LOG_ROWS = 3;

/** @param {number} rows of the terminal @returns {number} the most rows of the table: the others are the log's */
export function tableHeight(rows) {
  const room = rows - FIXED_ROWS;
  return Math.max(1, room - Math.max(MIN_LOG_ROWS, Math.floor(room * LOG_SHARE)));
}

/** @param {number} rows of the terminal @returns {number} rows of a page: all but the first and the last line */
export function pageHeight(rows) {
  return Math.max(1, rows - 2);
}

/** @param {number} rows of the terminal @returns {number} lines of a log on the whole screen: without its title */
export function logHeight(rows) {
  return Math.max(1, pageHeight(rows) - 1);
}
