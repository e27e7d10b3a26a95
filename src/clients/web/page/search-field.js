/** A field whose text filters what is below. */
import { html } from './html.js';

/** @param {{id: string, label: string, text: string, onChange: (text: string) => void}} props */
export function SearchField({ id, label, text, onChange }) {
  const onInput = (/** @type {Event} */ { currentTarget }) =>
    onChange(/** @type {HTMLInputElement} */ (currentTarget).value);
  return html`<input
    type="search"
    id=${id}
    placeholder=${label}
    aria-label=${label}
    value=${text}
    onInput=${onInput}
  />`;
}
