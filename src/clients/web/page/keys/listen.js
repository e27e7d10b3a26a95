/** Listens to the keyboard. */
import { actionFor } from './keymap.js';

/**
 * @import { PageState } from '../state/model.js'
 * @import { Dispatch } from '../state/on-action.js'
 * @import { View } from './keymap.js'
 */

const ROW_HEIGHT = 28;

/**
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
