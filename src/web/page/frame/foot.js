/** The last line: the latest message, or the keys. */
import { html } from '../vendor/preact.js';
import { maskLine } from '../format/mask.js';

/** @import { PageState, Route } from '../state/model.js' */

/** @type {Record<Route['view'], [key: string, meaning: string][]>} */
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
  return html`
    <footer class=${message ? 'foot says' : 'foot'}>
      <span class=${`message ${message?.tone ?? ''}`} role="status" aria-live="polite">
        ${message ? maskLine(message.text) : ''}
      </span>
      ${
        !message &&
        KEYS[route.view].map(([key, meaning]) => html`<span><kbd>${key}</kbd> ${meaning}</span>`)
      }
    </footer>
  `;
}
