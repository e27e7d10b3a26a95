/** What the keys do and what the columns show. */
import { columnHelp } from '../../../../show/columns.js';
import { html } from '../html.js';
import { KEYS } from '../keys/keymap.js';
import { useModal } from './question.js';

/** @param {{onClose: () => void, onSignOut: (() => void) | null}} props onSignOut: null: there is no session */
export function Help({ onClose, onSignOut }) {
  const dialog = useModal();
  return html`
    <dialog ref=${dialog} class="help" aria-labelledby="help-title" onCancel=${onClose}>
      <h2 id="help-title" tabindex="-1" autofocus>Keys</h2>
      <${Pairs} pairs=${KEYS} isKeys />
      <p class="dim">
        Commands ask before they change anything. On a worker r, R and s apply to it, on an app to
        all of its workers.
      </p>
      <h2>Columns</h2>
      <${Pairs} pairs=${columnHelp} />
      <p class="dim">
        An app has the sum of cpu, memory and requests, and loop, delay and p99 of its worst worker.
        Workers measure only while a page or a command watches, and only in cluster mode.
      </p>
      <div class="answers">
        ${onSignOut && html`<button type="button" onClick=${onSignOut}>Sign out</button>`}
        <button type="button" onClick=${onClose}>Close</button>
      </div>
    </dialog>
  `;
}

/** @param {{pairs: [name: string, meaning: string][], isKeys?: boolean}} props */
function Pairs({ pairs, isKeys = false }) {
  return html`
    <dl class="pairs">
      ${pairs.map(
        ([name, meaning]) => html`
          <dt>${isKeys ? name.split(/ +/).map((key) => html`<kbd>${key}</kbd> `) : name}</dt>
          <dd>${meaning}</dd>
        `,
      )}
    </dl>
  `;
}
