/** What a key does to the state: by what is on the screen. */
import { helpLines } from './view/help.js';
import { changeScale, questionFor } from './question.js';
import { selectedRow, shownRows } from './state.js';

/**
 * @import { Row } from '../render/table/rows.js'
 * @import { State } from './state.js'
 * @import { Step, Surroundings } from './update.js'
 */

/**
 * @typedef {{action: string, text?: string}} Meaning
 */

const TABLE = /** @type {const} */ ({ kind: 'table' });
const ASKED_FIRST = ['reload', 'restart', 'stop', 'more', 'fewer'];

/**
 * @param {State} state
 * @param {Meaning} meaning
 * @param {Surroundings} surroundings
 * @returns {Step}
 */
export function onAction(state, meaning, surroundings) {
  const { view } = state;
  if (view.kind === 'question') return onQuestion(state, view, meaning.action);
  if (view.kind === 'page') return step(onPage(state, view, meaning.action, surroundings.rows));
  if (view.kind === 'filter') return step(onFilter(state, view, meaning));
  return onTable(state, meaning.action, surroundings.rows);
}

/**
 * @param {State} state
 * @param {string} action
 * @param {number} rows
 * @returns {Step}
 */
function onTable(state, action, rows) {
  const row = selectedRow(state);
  if (action === 'filter')
    return step({ ...state, view: { kind: 'filter', before: state.filter } });
  if (action === 'clear') return step({ ...state, filter: '', message: null });
  if (action === 'help') return step({ ...state, view: page(null, helpLines) });
  if (row === null) return step(state);
  if (action === 'fold') return step(folded(state, row));
  if (ASKED_FIRST.includes(action)) {
    return step({ ...state, view: { kind: 'question', question: questionFor(action, row) } });
  }
  if (action === 'describe') {
    const about = row.app.name;
    return { state: { ...state, view: page(about, []) }, effects: [{ do: 'describe', about }] };
  }
  return step(moved(state, action, rows));
}

/**
 * @param {State} state
 * @param {string} action
 * @param {number} height
 * @returns {State}
 */
function moved(state, action, height) {
  const rows = shownRows(state);
  const at = rows.findIndex(({ key }) => key === selectedRow(state)?.key);
  const to = Math.min(Math.max(0, target(action, at, rows.length, height)), rows.length - 1);
  return { ...state, selected: rows[to]?.key ?? null };
}

/**
 * @param {string} action
 * @param {number} at
 * @param {number} length
 * @param {number} height of the terminal
 */
function target(action, at, length, height) {
  const pageSize = Math.max(1, Math.floor(height / 2));
  /** @type {Record<string, number>} */
  const targets = {
    ...{ up: at - 1, down: at + 1, first: 0, last: length - 1 },
    ...{ 'page-up': at - pageSize, 'page-down': at + pageSize },
  };
  return targets[action] ?? at;
}

/**
 * @param {State} state
 * @param {Row} row
 * @returns {State}
 */
function folded(state, { app }) {
  const names = new Set(state.folded);
  if (!names.delete(app.name)) names.add(app.name);
  return { ...state, folded: names, selected: app.name };
}

/**
 * @param {State} state
 * @param {Extract<State['view'], {kind: 'question'}>} view
 * @param {string} action
 * @returns {Step}
 */
function onQuestion(state, { question }, action) {
  if (action === 'yes') {
    return { state: { ...state, view: TABLE }, effects: [{ do: 'ask', question }] };
  }
  const change = { more: 1, fewer: -1 }[action];
  if (change === undefined || !question.scale) return step({ ...state, view: TABLE });
  const changed = changeScale(question, change);
  return step({ ...state, view: { kind: 'question', question: changed } });
}

/**
 * @param {State} state
 * @param {Extract<State['view'], {kind: 'page'}>} view
 * @param {string} action
 * @param {number} height
 * @returns {State}
 */
function onPage(state, view, action, height) {
  if (action === 'close') return { ...state, view: TABLE };
  const last = Math.max(0, view.lines.length - pageHeight(height));
  const wanted = action === 'last' ? last : target(action, view.top, view.lines.length, height);
  return { ...state, view: { ...view, top: Math.min(Math.max(0, wanted), last) } };
}

/**
 * @param {number} rows of the terminal
 * @returns {number} those between the first and the last
 */
export function pageHeight(rows) {
  return Math.max(1, rows - 2);
}

/**
 * @param {State} state
 * @param {Extract<State['view'], {kind: 'filter'}>} view
 * @param {Meaning} meaning
 * @returns {State}
 */
function onFilter(state, { before }, { action, text = '' }) {
  if (action === 'done') return { ...state, view: TABLE };
  if (action === 'clear') return { ...state, filter: before, view: TABLE };
  if (action === 'erase') return { ...state, filter: [...state.filter].slice(0, -1).join('') };
  if (action === 'type') return { ...state, filter: state.filter + text };
  return moved(state, action, 0);
}

/**
 * @param {string | null} about
 * @param {string[]} lines
 * @returns {State['view']}
 */
function page(about, lines) {
  return { kind: 'page', about, lines, top: 0 };
}

/**
 * @param {State} state
 * @returns {Step}
 */
function step(state) {
  return { state, effects: [] };
}
