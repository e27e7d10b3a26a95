/** The dialogs: a question before something is done, and the help. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { changeScale } from '../../../show/confirmation.js';
import { columnHelp } from '../../../show/columns.js';
import { KEYS } from './keys.js';

/** @import { Confirmation, Scale } from '../../../show/confirmation.js' */

/**
 * @param {object} props
 * @param {Confirmation} props.confirmation
 * @param {(changed: Confirmation) => void} props.onChange
 * @param {(isConfirmed: boolean) => void} props.onAnswer
 */
export function Question({ confirmation, onChange, onAnswer }) {
  const { title, text, isRisky, scale } = confirmation;
  const dialog = useModal();
  const onSubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onAnswer(true);
  };
  return html`
    <dialog
      ref=${dialog}
      aria-labelledby="question-title"
      aria-describedby="question-text"
      onCancel=${() => onAnswer(false)}
    >
      <form onSubmit=${onSubmit}>
        <h2 id="question-title">${title}</h2>
        <p id="question-text">${text}</p>
        ${
          scale &&
          html`<${Stepper}
            scale=${scale}
            onStep=${(/** @type {number} */ by) => onChange(changeScale(confirmation, by))}
          />`
        }
        <div class="answers">
          <button type="button" autofocus=${isRisky} onClick=${() => onAnswer(false)}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button
            type="submit"
            class=${isRisky ? 'primary risky' : 'primary'}
            autofocus=${!isRisky}
          >
            ${title.split(' ')[0]} <kbd>${isRisky ? 'y' : 'Enter'}</kbd>
          </button>
        </div>
      </form>
    </dialog>
  `;
}

/**
 * @param {object} props
 * @param {Scale} props.scale
 * @param {(by: number) => void} props.onStep
 */
function Stepper({ scale: { to, range }, onStep }) {
  const [text, setText] = useState(String(to));
  // The buttons and keys change it too.
  useLayoutEffect(() => setText(String(to)), [to]);
  const onInput = (/** @type {Event} */ { currentTarget }) => {
    const { value, validity } = /** @type {HTMLInputElement} */ (currentTarget);
    setText(value);
    if (validity.valid) onStep(Number(value) - to);
  };
  return html`
    <div class="stepper">
      <button type="button" aria-label="fewer workers" onClick=${() => onStep(-1)}>−</button>
      <input
        type="number"
        aria-label="number of workers"
        required
        min=${range?.min ?? 1}
        max=${range?.max}
        value=${text}
        onInput=${onInput}
      />
      <button type="button" aria-label="more workers" onClick=${() => onStep(1)}>+</button>
    </div>
  `;
}

/**
 * Opens a dialog as long as its component is shown; the focus returns afterwards.
 * @returns {{current: HTMLDialogElement | null}} to be its `ref`
 */
function useModal() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return dialog;
}

/**
 * What the keys do and what the columns show.
 * @param {{onClose: () => void, onSignOut: (() => void) | null}} props onSignOut: null: there is no session
 */
export function Help({ onClose, onSignOut }) {
  const dialog = useModal();
  return html`
    <dialog ref=${dialog} aria-labelledby="help-title" onCancel=${onClose}>
      <h2 id="help-title" tabindex="-1" autofocus>Keys</h2>
      <${Pairs} pairs=${KEYS} isKeys />
      <p class="dim">
        Commands ask before they change anything. On a worker r, R and s apply to it, on an app to
        all of its workers.
      </p>
      <h2>Columns</h2>
      <${Pairs} pairs=${columnHelp('page')} />
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
