/** Holds the state and draws it: at most once for each frame of the browser. */
import { onAction } from './on-action.js';
import { receive } from './receive.js';

/**
 * @import { StreamEvent } from '../data/stream.js'
 * @import { PageState } from './model.js'
 * @import { Dispatch, Effect } from './on-action.js'
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
    folded: new Set(),
    confirmation: null,
    isHelpOpen: false,
    message: null,
    details: null,
    logQuery: { level: '', search: '' },
    at: now,
  };
}
