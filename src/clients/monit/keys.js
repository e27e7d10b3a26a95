/** Applies an action to the state. */
import { changeScale, confirmationFor, keyActions } from '../confirmation.js';
import { firstLogView, moveInLog } from './log.js';
import { logHeight, nextProblem, pageHeight, selectedRow, worstRow } from './state.js';
import { columnHelp } from '../../show/columns.js';
import { moveIndex } from '../../show/rows.js';
import * as keys from '../keys.js';
import { actionsOf, helpOf, key, labelsOf } from '../keys.js';

/**
 * @import { PageCommand, State } from './state.js'
 * @import { Step, Surroundings } from './update.js'
 * @import { BareRow } from '../../show/rows.js'
 */

const table = /** @type {const} */ ({ kind: 'table' });

/**
 * What an action does, depending on what is on the screen.
 * @type {{[K in Mode]: (state: State, view: Extract<State['view'], {kind: K}>, action: Required<Action>,
 *   terminal: Pick<Surroundings, 'rows' | 'columns'>) => Step}}
 */
const views = {
  table(state, _view, { action }, { rows }) {
    const row = selectedRow(state);
    if (action === 'filter') return withView(state, { kind: 'filter', before: state.filter });
    if (action === 'clear') return only({ ...state, filter: '', message: null });
    if (action === 'help') {
      return withView(state, { kind: 'page', command: null, lines: HELP, top: 0 });
    }
    return row === null ? only(state) : onRow(state, row, action, rows);
  },

  confirmation(state, { confirmation, typed: before = '' }, { action }) {
    if (action === 'yes') {
      return { ...withView(state, table), effects: [{ do: 'send', confirmation }] };
    }
    const { scale } = confirmation;
    if (action === 'no' || !scale) return withView(state, table);
    const typed = digits.includes(action) ? before + action : '';
    const change = typed ? Number(typed) - scale.to : action === 'more' ? 1 : -1;
    const changed = changeScale(confirmation, change);
    return withView(state, { kind: 'confirmation', confirmation: changed, typed });
  },

  page(state, view, { action }, { rows }) {
    if (action === 'close') return withView(state, table);
    const { lines, top } = view;
    const lastTop = Math.max(0, lines.length - pageHeight(rows));
    const next = moveIndex(action, top, lines.length, rows);
    return withView(state, { ...view, top: Math.min(Math.max(0, next), lastTop) });
  },

  log(state, view, { action }, { rows, columns: width }) {
    if (action === 'close') return withView(state, table);
    return withView(state, moveInLog(state, view, action, { height: logHeight(rows), width }));
  },

  filter(state, { before }, { action, text }) {
    const { filter } = state;
    if (action === 'done') return withView(state, table);
    if (action === 'clear') return withView({ ...state, filter: before }, table);
    if (action === 'up' || action === 'down') return only(moveSelection(state, action, 0));
    const edited = action === 'erase' ? [...filter].slice(0, -1).join('') : filter + text;
    return only({ ...state, filter: edited });
  },
};

/** @param {State} state @param {Action} action @param {Surroundings} surroundings @returns {Step} */
export function onAction(state, { action, text = '' }, surroundings) {
  const { view } = state;
  const apply =
    /** @type {(...args: [State, State['view'], Required<Action>, Surroundings]) => Step} */ (
      views[view.kind]
    );
  return apply(state, view, { action, text }, surroundings);
}

/** @param {State} state @param {BareRow} row that is selected @param {string} action @param {number} height @returns {Step} */
function onRow(state, row, action, height) {
  const { name: app } = row.app;
  if (action === 'fold') {
    const own = state.shown.find((each) => each.app === row.app);
    const folds = new Map(state.folds).set(app, !own?.isFolded);
    return only({ ...state, folds, selected: app });
  }
  if (action === 'logs') return withView(state, firstLogView);
  if (keyActions.includes(action)) {
    const confirmation = confirmationFor(action, row);
    return confirmation ? withView(state, { kind: 'confirmation', confirmation }) : only(state);
  }
  if (action === 'describe') return withPage(state, ['describe', app]);
  if (action === 'why') return withPage(state, ['why', worstRow(row, state.framedAt).key]);
  if (action === 'problem') return only({ ...state, selected: nextProblem(state) });
  return only(moveSelection(state, action, height));
}

/** @param {State} state @param {string} action @param {number} height @returns {State} */
function moveSelection(state, action, height) {
  const { shown, selected } = state;
  const from = shown.findIndex(({ key }) => key === selected);
  return { ...state, selected: shown[moveIndex(action, from, shown.length, height)]?.key ?? null };
}

/** @param {State} state @param {State['view']} view */
function withView(state, view) {
  return only({ ...state, view });
}

/** @param {State} state @param {PageCommand} command @returns {Step} */
function withPage(state, command) {
  const opened = withView(state, { kind: 'page', command, lines: ['…'], top: 0 });
  return { ...opened, effects: [{ do: 'show', command }] };
}

/** @param {State} state @returns {Step} */
function only(state) {
  return { state, effects: [] };
}

/**
 * @typedef {{name?: string, ctrl?: boolean, meta?: boolean, sequence?: string}} KeyPress as
 *   node:readline reads it
 * @typedef {State['view']['kind']} Mode
 * @typedef {{action: string, text?: string}} Action text: typed into the filter
 */

const ofTable = [
  keys.help,
  key('q  Ctrl-C', { q: 'quit' }, 'quit', 'quit; the apps continue'),
  key('p', { p: 'problem' }, 'problem', 'the next app in trouble'),
  keys.filter,
  keys.clear,
  { ...keys.logs, help: 'the log, full screen' },
  keys.describe,
  key('w', { w: 'why' }, 'why', 'what a worker is doing'),
  ...keys.commands,
  keys.fold,
  keys.move,
  key('Ctrl-L', {}, '', 'redraw'),
];
const scrolls = { ...keys.move.does, Space: 'page-down' };
const scroll = key(keys.move.shown, scrolls, 'scroll', 'scroll; G: to the newest');
const closes = { ...keys.back.does, d: 'close', w: 'close', '?': 'close' };
const ofPage = [{ ...keys.back, does: closes }, scroll];
const ofLog = [{ ...keys.back, does: { ...keys.back.does, l: 'close' }, help: 'back' }, scroll];
const digits = [...'0123456789'];
const numbers = key('0 … 9', Object.fromEntries(digits.map((digit) => [digit, digit])));
/** While the filter is typed. */
const typing = new Map([
  ['Enter', 'done'],
  ['Escape', 'clear'],
  ['Backspace', 'erase'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
]);
const keymaps = {
  table: actionsOf(ofTable),
  page: actionsOf(ofPage),
  log: actionsOf(ofLog),
  confirmation: actionsOf([key('y', { y: 'yes', Y: 'yes' }), keys.scale, numbers]),
  filter: typing,
};

/** For the last line. */
export const labels = {
  table: labelsOf(ofTable),
  page: labelsOf(ofPage),
  log: labelsOf(ofLog),
};

/** As browsers name what node:readline names. */
const NAMES = new Map([
  ['up', 'ArrowUp'],
  ['down', 'ArrowDown'],
  ['pageup', 'PageUp'],
  ['pagedown', 'PageDown'],
  ['home', 'Home'],
  ['end', 'End'],
  ['return', 'Enter'],
  ['enter', 'Enter'],
  ['escape', 'Escape'],
  ['backspace', 'Backspace'],
  ['space', 'Space'],
]);

/**
 * Maps a key to an action, depending on what is on the screen.
 * @param {Mode} mode
 * @param {string | undefined} text what the key types
 * @param {KeyPress} key
 * @returns {Action | null} null: it does nothing here
 */
export function actionFor(mode, text = '', { name = '', ctrl, meta }) {
  if (ctrl) return ctrlAction(mode, name);
  if (meta && name !== 'escape') return null;
  const keymap = keymaps[mode];
  const named = NAMES.get(name) ?? '';
  if (keymap === typing) return typingAction(text, named);
  const action = keymap.get(text) ?? keymap.get(named);
  if (mode === 'confirmation') return { action: action ?? 'no' };
  return action === undefined ? null : { action };
}

/** @param {Mode} mode @param {string} name */
function ctrlAction(mode, name) {
  if (name === 'c') return { action: 'quit' };
  if (name === 'l') return { action: 'redraw' };
  return mode === 'confirmation' ? { action: 'no' } : null;
}

/** @param {string} text @param {string} name */
function typingAction(text, name) {
  const action = typing.get(name);
  if (action !== undefined) return { action };
  return /^[^\p{C}]+$/u.test(text) ? { action: 'type', text } : null;
}

/** The page that `?` opens. */
const HELP = [
  'Keys',
  ...columnsOf(helpOf(ofTable)),
  '',
  'Commands ask before they change anything. On a worker',
  'r, R and s apply to it, on an app to all its workers,',
  'w to the worst of them.',
  '',
  'In the log',
  ...columnsOf(helpOf(ofLog)),
  '',
  'Columns',
  ...columnsOf(columnHelp('monit')),
  '',
  'An app has the sum of cpu, memory and requests, and',
  'the worst loop, delay and p99 of its workers.',
];

/** @param {[name: string, meaning: string][]} pairs */
function columnsOf(pairs) {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`);
}
