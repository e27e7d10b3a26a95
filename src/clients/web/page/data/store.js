/** Holds the state and draws it: at most once for each frame of the browser. */
import { addEvent } from './fold-events.js';
import { mergePatch } from '../../../../shared/merge-patch.js';
import { onAction } from './on-action.js';
import { firstBroken } from './select.js';

/**
 * @import { StreamEvent } from './connection.js'
 * @import { PageState } from './model.js'
 * @import { Dispatch, Effect } from './on-action.js'
 * @import { LineEvent } from '../../shapes.js'
 */

/**
 * @param {PageState} first
 * @param {(state: PageState) => void} draw
 * @param {(effect: Effect) => void} carryOut
 * @returns {{dispatch: Dispatch, receive: (event: StreamEvent) => void, redraw: () => void,
 *   state: () => PageState}}
 */
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
    dispatch(action) {
      const step = onAction(state, action);
      state = step.state;
      redraw();
      step.effects.forEach(carryOut);
    },
    receive(event) {
      state = receive(state, event);
      redraw();
    },
  };
}

/**
 * @param {number} now epoch ms
 * @returns {Omit<PageState, 'route'>}
 */
export function firstState(now) {
  return {
    connection: { kind: 'connecting', text: '' },
    changedAt: now,
    server: null,
    events: [],
    selected: null,
    filter: '',
    folds: new Map(),
    confirmation: null,
    isHelpOpen: false,
    message: null,
    details: null,
    at: now,
  };
}

const MAX_EVENTS = 500;

/**
 * What an event of the stream changes. Pure, except that figures go into the history.
 * @param {PageState} state
 * @param {StreamEvent} event
 * @returns {PageState}
 */
export function receive(state, { name, data }) {
  const { server } = state;
  if (name === 'snapshot') {
    const at = data.history.times.at(-1) ?? state.at;
    const next = { ...state, server: data.state, events: data.events, at };
    return { ...next, selected: state.selected ?? firstBroken(next) };
  }
  if (server === null) return state;
  if (name === 'change') return { ...state, server: mergePatch(server, data) };
  if (name === 'sample') return { ...state, at: data.at };
  if (name === 'event') return { ...state, events: addEvent(state.events, data, MAX_EVENTS) };
  if (name === 'progress') return { ...state, message: { text: data.text, tone: 'plain' } };
  if (name !== 'outcome') return state;
  return { ...state, message: { text: data.text, tone: data.ok ? 'good' : 'bad' } };
}
