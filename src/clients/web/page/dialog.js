/** The dialogs: a question before something is done, and the help. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { changeScale } from '../../confirmation.js';
import { KEYS } from './keys.js';
import { signOut } from './data/connection.js';

/**
 * @import { Confirmation, Scale } from '../../confirmation.js'
 * @import { Dispatch } from './data/store.js'
 */

/** @param {{confirmation: Confirmation, dispatch: Dispatch}} props */
export function Question({ confirmation, dispatch }) {
  const { title, text, isRisky, scale } = confirmation;
  const dialog = useModal();
  const onCancel = () => dispatch({ kind: 'answer', isConfirmed: false });
  const onStep = (/** @type {number} */ by) =>
    dispatch({ kind: 'change', change: { confirmation: changeScale(confirmation, by) } });
  const onSubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    dispatch({ kind: 'answer', isConfirmed: true });
  };
  return html`
    <dialog
      ref=${dialog}
      aria-labelledby="question-title"
      aria-describedby="question-text"
      onCancel=${onCancel}
    >
      <form onSubmit=${onSubmit}>
        <h2 id="question-title">${title}</h2>
        <p id="question-text">${text}</p>
        ${scale && html`<${Stepper} scale=${scale} onStep=${onStep} />`}
        <div class="bar answers">
          <button type="button" autofocus=${isRisky} onClick=${onCancel}>
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

/** @param {{scale: Scale, onStep: (by: number) => void}} props */
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
    <div class="bar">
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

/** Opens a dialog as long as its component is shown; the focus returns afterwards. @returns {{current: HTMLDialogElement | null}} its `ref` */
function useModal() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return dialog;
}

/** What the keys do. @param {{isSignedIn: boolean, dispatch: Dispatch}} props */
export function Help({ isSignedIn, dispatch }) {
  const dialog = useModal();
  const onClose = () => dispatch({ kind: 'change', change: { isHelpOpen: false } });
  return html`
    <dialog ref=${dialog} aria-labelledby="help-title" onCancel=${onClose}>
      <h2 id="help-title" tabindex="-1" autofocus>Keys</h2>
      <dl class="pairs">
        ${KEYS.map(
          ([name, meaning]) => html`
            <dt>${name.split(/ +/).map((each) => html`<kbd>${each}</kbd> `)}</dt>
            <dd>${meaning}</dd>
          `,
        )}
      </dl>
      <p class="dim">
        Commands ask before they change anything. On a worker r, R and s apply to it, on an app to
        all of its workers.
      </p>
      <div class="bar answers">
        ${isSignedIn && html`<button type="button" onClick=${signOut}>Sign out</button>`}
        <button type="button" onClick=${onClose}>Close</button>
      </div>
    </dialog>
  `;
}
