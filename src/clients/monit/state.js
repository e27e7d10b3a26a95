/** Everything that the screen of `monit` depends on, except its size. */
import { rowsOfApp, visibleRows } from '../../show/rows.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Row } from '../../show/rows.js'
 * @import { Confirmation } from '../../show/confirmation.js'
 * @import { History } from './update.js'
 */

/**
 * @typedef {{kind: 'table'} | {kind: 'filter', before: string} |
 *   {kind: 'confirmation', confirmation: Confirmation} |
 *   {kind: 'page', app: string | null, lines: string[], top: number}} View app: the one that the
 *   page describes; null: the page is the help
 *
 * @typedef {object} State
 * @property {{pid: number, version: string} | null} daemon null: not connected
 * @property {number} changedAt epoch ms when the daemon was lost or found
 * @property {number} framedAt epoch ms when the last frame arrived
 * @property {App[]} apps
 * @property {Row[]} rows of all apps
 * @property {History} history
 * @property {string | null} selected key of a row
 * @property {string} filter
 * @property {ReadonlySet<string>} folded names of apps whose workers are hidden
 * @property {View} view
 * @property {{text: string, tone: 'plain' | 'good' | 'bad', until: number} | null} message
 * @property {{key: string | null, entries: Entry[]}} log of the row with this key
 */

/**
 * @param {number} now epoch ms
 * @returns {State}
 */
export function firstState(now) {
  return {
    daemon: null,
    changedAt: now,
    framedAt: now,
    apps: [],
    rows: [],
    history: new Map(),
    selected: null,
    filter: '',
    folded: new Set(),
    view: { kind: 'table' },
    message: null,
    log: { key: null, entries: [] },
  };
}

/**
 * @param {State} state
 * @param {App[]} apps of a new frame
 * @returns {State}
 */
export function withApps(state, apps) {
  return { ...state, apps, rows: apps.flatMap(rowsOfApp) };
}

/**
 * @param {State} state
 */
export function shownRows(state) {
  return visibleRows(state.rows, state, state.framedAt);
}

/**
 * @param {State} state
 * @returns {Row | null} the row that keys apply to; the first one if that no longer exists
 */
export function selectedRow(state) {
  const rows = shownRows(state);
  return rows.find(({ key }) => key === state.selected) ?? rows[0] ?? null;
}

/**
 * @param {number} rows of the terminal
 * @returns {number} rows of a page: all but the first and the last line
 */
export function pageHeight(rows) {
  return Math.max(1, rows - 2);
}
