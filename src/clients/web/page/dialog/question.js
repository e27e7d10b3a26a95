/** The question before a command: Enter or y confirms, Escape or n cancels (keys/keymap.js). */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../html.js';
import { changeScale } from '../../../../show/confirmation.js';

/** @import { Confirmation } from '../../../../show/confirmation.js' */

/**
 * @param {object} props
 * @param {Confirmation} props.confirmation
 * @param {(changed: Confirmation) => void} props.onChange
 * @param {(isConfirmed: boolean) => void} props.onAnswer
 */
export function Question({ confirmation, onChange, onAnswer }) {
  const { title, text, isRisky, scale } = confirmation;
  const dialog = useModal();
  return html`
    <dialog
      ref=${dialog}
      class="question"
      aria-labelledby="question-title"
      aria-describedby="question-text"
      onCancel=${() => onAnswer(false)}
    >
      <h2 id="question-title">${title}</h2>
      <p id="question-text">${text}</p>
      ${scale && html`<${Stepper} confirmation=${confirmation} onChange=${onChange} />`}
      <div class="answers">
        <button type="button" onClick=${() => onAnswer(false)}>Cancel <kbd>Esc</kbd></button>
        <button
          type="button"
          class=${isRisky ? 'primary risky' : 'primary'}
          autofocus
          onClick=${() => onAnswer(true)}
        >
          ${title.split(' ')[0]} <kbd>Enter</kbd>
        </button>
      </div>
    </dialog>
  `;
}

/**
 * Opens a dialog as long as its component is shown; the focus returns afterwards.
 * @returns {{current: HTMLDialogElement | null}} to be its `ref`
 */
export function useModal() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return dialog;
}

/** @param {{confirmation: Confirmation, onChange: (changed: Confirmation) => void}} props */
function Stepper({ confirmation, onChange }) {
  const step = (/** @type {number} */ by) => () => onChange(changeScale(confirmation, by));
  return html`
    <div class="stepper">
      <button type="button" aria-label="fewer workers" onClick=${step(-1)}>−</button>
      <output>${confirmation.scale?.to}</output>
      <button type="button" aria-label="more workers" onClick=${step(1)}>+</button>
    </div>
  `;
}
