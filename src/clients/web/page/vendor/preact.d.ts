/** The types of preact.js, which is htm/preact/standalone. */
import type { VNode } from 'preact';

export { Component, h, render } from 'preact';
export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A template of elements: text is text, never HTML. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
