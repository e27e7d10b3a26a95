/** Which key does what, as in `monit`. */
import * as keys from '../../keys.js';
import { actionsOf, helpOf, key } from '../../keys.js';

/**
 * @import { Key } from '../../keys.js'
 * @import { Dispatch, PageState } from './data/store.js'
 *
 * @typedef {'table' | 'app' | 'logs' | 'events' | 'question' | 'help'} View
 */

const toLogs = { ...keys.logs, help: 'logs of the selected row' };
const toEvents = key('e', { e: 'events' }, '', 'events');
const usual = [keys.help, toLogs, toEvents];

/** @type {Record<View, Key[]>} */
const views = {
  table: [
    keys.help,
    keys.filter,
    keys.clear,
    keys.describe,
    toLogs,
    toEvents,
    ...keys.commands,
    keys.fold,
    keys.move,
  ],
  app: [
    { ...keys.back, does: { ...keys.back.does, d: 'close' } },
    key('j k', { j: 'down', k: 'up' }, '', 'on the page of an app: its workers'),
    ...keys.commands,
    keys.fold,
    ...usual,
  ],
  logs: [
    { ...keys.back, help: 'back to the table' },
    { ...keys.filter, help: 'in the logs: search' },
    key('f', { f: 'follow' }, '', 'follow the logs, or stop following'),
    ...usual,
  ],
  events: [keys.back, ...usual],
  question: [
    keys.scale,
    key('y', { y: 'yes', Y: 'yes', Enter: 'yes' }),
    key('n', { n: 'no', N: 'no', Escape: 'no' }),
  ],
  help: [key('q', { q: 'no', '?': 'no', h: 'no', Escape: 'no', Enter: 'no' })],
};

/** For the help: each key once. */
export const KEYS = helpOf([...new Set([...views.table, ...views.app, ...views.logs])]);

/**
 * @param {View} view
 * @param {{key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} press
 * @returns {string | null} null: the key does nothing here
 */
export function actionFor(view, { key: name, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null;
  return actionsOf(views[view]).get(name === ' ' ? 'Space' : name) ?? null;
}

const ROW_HEIGHT = 28;

/** @param {() => PageState} state @param {Dispatch} dispatch */
export function listenToKeys(state, dispatch) {
  document.addEventListener('keydown', (event) => {
    const { target, key: name } = event;
    if (!(target instanceof Element)) return;
    if (target.closest('input, select, textarea')) {
      const isDone = name === 'Escape' || (name === 'Enter' && target.matches('[type=search]'));
      if (isDone && target instanceof HTMLElement) target.blur();
      return;
    }
    // These keys press a button and open a link.
    if ((name === 'Enter' || name === ' ') && target.closest('button, a, summary')) return;
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
