/**
 * Holds the state and draws it, at most once for each frame of the browser. What keys, clicks and addresses change is
 * computed; what must be sent or opened comes back as effects.
 */
import { withEvent } from '../../../../lifecycle/recent-events.js';
import { inOrder, mergePatch } from '../../../../shared/merge-patch.js';
import { actionRow, canAct, selectedRow, shownRows, viewOf } from './select.js';
import { changeScale, confirmationFor, keyActions } from '../../../confirmation.js';
import { isFolded, moveIndex } from '../../../../show/rows.js';
import { linkTo } from './route.js';

/**
 * @import { Connection, StreamEvent } from './connection.js'
 * @import { Route } from './route.js'
 * @import { Details, LineEvent, State } from '../../shapes.js'
 * @import { App } from '../../../../protocol/shapes.js'
 * @import { Confirmation } from '../../../confirmation.js'
 * @import { BareRow as Row } from '../../../../show/rows.js'
 */

/** @param {PageState} first @param {(state: PageState) => void} draw @param {(effect: Effect) => void} carryOut */
export function makeStore(first, draw, carryOut) {
  let state = first;
  let isDue = false;
  const redraw = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw(state);
    });
  };
  return {
    redraw,
    state: () => state,
    /** @type {Dispatch} */
    dispatch(action) {
      const step = onAction(state, action);
      state = step.state;
      redraw();
      step.effects.forEach(carryOut);
    },
    /** @param {StreamEvent} event */
    receive(event) {
      state = receive(state, event);
      redraw();
    },
  };
}

/** @typedef {ReturnType<typeof firstState> & {route: Route}} PageState */

/** What the page shows, besides the figures (history.js) and the log lines (watch.js). @param {number} now epoch ms */
export function firstState(now) {
  return {
    /** @type {Connection} */
    connection: { kind: 'connecting', text: '' },
    /** null: nothing was received yet. @type {State | null} */
    server: null,
    /** Those of the server, in the order of `ls`. @type {App[]} */
    apps: [],
    /** The oldest first. @type {LineEvent[]} */
    events: [],
    /** Key of a row; null: the first one. @type {string | null} */
    selected: null,
    filter: '',
    /** By the name of an app: whether the user has folded or unfolded it. @type {ReadonlyMap<string, boolean>} */
    folds: new Map(),
    /** @type {Confirmation | null} */
    confirmation: null,
    isHelpOpen: false,
    /** @type {{text: string, tone: 'plain' | 'good' | 'bad'} | null} */
    message: null,
    /** Of the app that is shown. @type {{name: string, data: Details | null, problem: string} | null} */
    details: null,
    /** Epoch ms of the latest figures. */
    at: now,
  };
}

/** What an event of the stream changes. Pure. @param {PageState} state @param {StreamEvent} event @returns {PageState} */
export function receive(state, { name, data }) {
  if (name === 'snapshot') return { ...withServer(state, data.state), events: data.events };
  if (state.server === null) return state;
  if (name === 'change') return withServer(state, mergePatch(state.server, data));
  if (name === 'event') return { ...state, events: withEvent(state.events, data) };
  if (name === 'progress') return { ...state, message: { text: data.text, tone: 'plain' } };
  if (name !== 'outcome') return state;
  return { ...state, message: { text: data.text, tone: data.ok ? 'good' : 'bad' } };
}

/** @param {PageState} state @param {State} server @returns {PageState} */
function withServer(state, server) {
  return { ...state, server, apps: inOrder(server), at: server.at ?? state.at };
}

/**
 * @typedef {{kind: 'key', action: string, page: number} | {kind: 'ask', action: string} |
 *   {kind: 'answer', isConfirmed: boolean} | {kind: 'fold', app: App} |
 *   {kind: 'change', change: Partial<PageState>}} PageAction
 *
 * @typedef {{do: 'go', link: string} | {do: 'send', confirmation: Confirmation} |
 *   {do: 'focus', id: string} | {do: 'follow'}} Effect
 * @typedef {{state: PageState, effects: Effect[]}} Step
 * @typedef {(action: PageAction) => void} Dispatch
 */

/** @param {PageState} state @param {PageAction} action @returns {Step} */
export function onAction(state, action) {
  if (action.kind === 'key') return onKey(state, action.action, action.page);
  if (action.kind === 'ask') return only(ask(state, action.action));
  if (action.kind === 'answer') return onAnswer(state, action.isConfirmed);
  if (action.kind === 'fold') return fold(state, action.app);
  return only({ ...state, ...action.change });
}

/** @param {PageState} state @param {string} action @param {number} page @returns {Step} */
function onKey(state, action, page) {
  const { confirmation } = state;
  if (confirmation) {
    if (action === 'yes' || action === 'no') return onAnswer(state, action === 'yes');
    const step = action === 'more' ? 1 : -1;
    return only({ ...state, confirmation: changeScale(confirmation, step) });
  }
  if (state.isHelpOpen) return only({ ...state, isHelpOpen: false });
  if (keyActions.includes(action)) return only(ask(state, action));
  return steps[action]?.(state) ?? onRowKey(state, action, page);
}

/** Keys that do not depend on a row. @type {Record<string, (state: PageState) => Step>} */
const steps = {
  help: (state) => only({ ...state, isHelpOpen: true }),
  events: (state) => go(state, { view: 'events' }),
  follow: (state) => only(state, { do: 'follow' }),
  filter: (state) =>
    only(state, { do: 'focus', id: state.route.view === 'logs' ? 'search' : 'filter' }),
  close: (state) => go(state, { view: 'table' }),
  clear: (state) => only({ ...state, filter: '', message: null }),
  logs(state) {
    const row = actionRow(state);
    const slot = row?.kind === 'worker' ? (row.worker?.slot ?? null) : null;
    return go(state, { view: 'logs', app: row?.app.name ?? state.route.app, slot });
  },
};

/** @param {PageState} state @param {string} action @param {number} page @returns {Step} */
function onRowKey(state, action, page) {
  const row = actionRow(state);
  const { view } = state.route;
  if (row === null) return only(state);
  if (action === 'fold') return fold(state, row.app);
  if (view === 'app') {
    // The worker above or below, whose charts are shown then.
    const next = movedFrom(row, state, action, 1);
    if (next.key === row.key) return only(state);
    return go(state, { view, app: row.app.name, slot: next.worker?.slot ?? null });
  }
  if (view !== 'table') return only(state);
  if (action === 'describe') return go(state, { view: 'app', app: row.app.name });
  return only({ ...state, selected: movedFrom(row, state, action, page).key });
}

/** @param {Row} row @param {PageState} state @param {string} action @param {number} page @returns {Row} */
function movedFrom(row, state, action, page) {
  const rows = shownRows(state);
  const from = rows.findIndex(({ key }) => key === selectedRow(state, rows)?.key);
  return rows[moveIndex(action, from, rows.length, page)] ?? row;
}

/** @param {PageState} state @param {string} action @returns {PageState} */
function ask(state, action) {
  const row = actionRow(state);
  if (row === null || !canAct(state) || state.server?.isReadOnly) return state;
  return { ...state, confirmation: confirmationFor(action, row) };
}

/** @param {PageState} state @param {boolean} isConfirmed @returns {Step} */
function onAnswer(state, isConfirmed) {
  const { confirmation } = state;
  const closed = { ...state, confirmation: null };
  return isConfirmed && confirmation ? only(closed, { do: 'send', confirmation }) : only(closed);
}

/** @param {PageState} state @param {App} app @returns {Step} */
function fold(state, app) {
  const folds = new Map(state.folds).set(app.name, !isFolded(viewOf(state), app));
  return only({ ...state, folds, selected: app.name });
}

/** @param {PageState} state @param {Partial<Route> & Pick<Route, 'view'>} route @returns {Step} */
function go(state, route) {
  return only(state, { do: 'go', link: linkTo(route) });
}

/** @param {PageState} state @param {Effect[]} effects @returns {Step} */
function only(state, ...effects) {
  return { state, effects };
}
