/** Elements from template strings, where text is text and never HTML; and the field that views share. */
import htm from 'htm';
import { h } from 'preact';

/** @import { VNode } from 'preact' */

export const html = /** @type {(strings: TemplateStringsArray, ...values: unknown[]) => VNode} */ (
  htm.bind(h)
);

/** Its text filters what is below. @param {{id: string, label: string, text: string, onChange: (text: string) => void}} props */
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
