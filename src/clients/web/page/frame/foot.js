/** The last line: the latest message, or the keys. */
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';
import { shownApp } from '../state/select.js';

/** @import { PageState, Route } from '../state/model.js' */

/** @type {Record<Route['view'] | 'job', [key: string, meaning: string][]>} */
const KEYS = {
  table: [
    ['?', 'help'],
    ['/', 'filter'],
    ['d', 'describe'],
    ['l', 'logs'],
    ['e', 'events'],
    ['r', 'reload'],
    ['R', 'restart'],
    ['s', 'stop'],
    ['+ −', 'scale'],
    ['↑ ↓', 'move'],
  ],
  app: [
    ['q', 'back'],
    ['l', 'logs'],
    ['r', 'reload'],
    ['R', 'restart'],
    ['s', 'stop'],
    ['+ −', 'scale'],
    ['?', 'help'],
  ],
  job: [
    ['q', 'back'],
    ['l', 'logs'],
    ['n', 'run now'],
    ['s', 'stop'],
    ['?', 'help'],
  ],
  logs: [
    ['q', 'back'],
    ['/', 'search'],
    ['f', 'follow'],
    ['?', 'help'],
  ],
  events: [
    ['q', 'back'],
    ['?', 'help'],
  ],
};

/** @param {{state: PageState}} props */
export function Foot({ state }) {
  const { message, route } = state;
  const view = route.view === 'app' && shownApp(state)?.job ? 'job' : route.view;
  return html`
    <footer class=${message ? 'foot says' : 'foot'}>
      <span class=${`message ${message?.tone ?? ''}`} role="status" aria-live="polite">
        ${message ? maskLine(message.text) : ''}
      </span>
      ${
        !message &&
        KEYS[view].map(([key, meaning]) => html`<span><kbd>${key}</kbd> ${meaning}</span>`)
      }
    </footer>
  `;
}
