/** Which key does what, as in `monit`. */

/**
 * @import { PageState } from './data/model.js'
 * @import { Dispatch } from './data/on-action.js'
 */

/** @typedef {'table' | 'app' | 'logs' | 'events' | 'question' | 'help'} View */

/** @type {Record<string, string>} */
const moves = {
  ArrowUp: 'up',
  k: 'up',
  ArrowDown: 'down',
  j: 'down',
  PageUp: 'page-up',
  PageDown: 'page-down',
  Home: 'first',
  g: 'first',
  End: 'last',
  G: 'last',
};

/** @type {Record<string, string>} */
const scale = { '+': 'more', '=': 'more', '-': 'fewer' };

/** @type {Record<string, string>} */
const commands = { ...scale, r: 'reload', R: 'restart', s: 'stop', n: 'run-now' };

/** @type {Record<string, string>} */
const everywhere = { '/': 'filter', '?': 'help', h: 'help', l: 'logs', e: 'events' };

/** @type {Record<View, Record<string, string>>} */
const keymaps = {
  table: {
    ...everywhere,
    ...moves,
    ...commands,
    ' ': 'fold',
    Enter: 'describe',
    d: 'describe',
    Escape: 'clear',
  },
  app: {
    ...everywhere,
    ...commands,
    k: 'up',
    j: 'down',
    q: 'close',
    Escape: 'close',
    d: 'close',
  },
  logs: { ...everywhere, q: 'close', Escape: 'close', f: 'follow' },
  events: { ...everywhere, q: 'close', Escape: 'close' },
  question: { ...scale, y: 'yes', Y: 'yes', Enter: 'yes', n: 'no', N: 'no', Escape: 'no' },
  help: { q: 'no', '?': 'no', h: 'no', Escape: 'no', Enter: 'no' },
};

/**
 * @param {View} view
 * @param {{key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} press
 * @returns {string | null} null: the key does nothing here
 */
export function actionFor(view, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null;
  return keymaps[view][key] ?? null;
}

/** For the help, in its order. @type {[keys: string, meaning: string][]} */
export const KEYS = [
  ['↑ ↓  j k', 'move; also PgUp PgDn, g G'],
  ['j k', 'on the page of an app: its workers'],
  ['↑ ↓', 'in the lines of a log: show one in full'],
  ['/', 'filter; in the logs: search'],
  ['Esc', 'clear the filter, or back to the table'],
  ['Space', 'fold the workers of an app'],
  ['Enter  d', 'describe the app'],
  ['l', 'logs of the selected row'],
  ['e', 'events'],
  ['f', 'follow the logs, or stop following'],
  ['r', 'reload: no request is lost'],
  ['R', 'restart'],
  ['s', 'stop, or start what is stopped'],
  ['n', 'run a job now'],
  ['+  -', 'more or fewer workers; the number can still be changed'],
  ['?', 'help'],
  ['q', 'back to the table'],
];

const ROW_HEIGHT = 28;

/**
 * Listens to the keyboard.
 * @param {() => PageState} state
 * @param {Dispatch} dispatch
 */
export function listenToKeys(state, dispatch) {
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof Element)) return;
    if (target.closest('input, select, textarea')) {
      if (key === 'Escape' || (key === 'Enter' && target.matches('[type=search]'))) leave(target);
      return;
    }
    // These keys press a button and open a link.
    if ((key === 'Enter' || key === ' ') && target.closest('button, a, summary')) return;
    const action = actionFor(viewOf(state()), event);
    if (action === null) return;
    event.preventDefault();
    dispatch({ kind: 'key', action, page: Math.floor(innerHeight / ROW_HEIGHT) });
  });
}

/** What the keys apply to. @param {PageState} state @returns {View} */
function viewOf({ confirmation, isHelpOpen, route }) {
  if (confirmation) return 'question';
  return isHelpOpen ? 'help' : route.view;
}

/** @param {Element} field */
function leave(field) {
  if (field instanceof HTMLElement) field.blur();
}
