/** Elements from template strings: text is text, never HTML. */
import htm from 'htm';
import { h } from 'preact';

/** @import { VNode } from 'preact' */

export const html = /** @type {(strings: TemplateStringsArray, ...values: unknown[]) => VNode} */ (
  htm.bind(h)
);
