/** The lines of a log. */
import { Component } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { formatClock } from '../../../show/quantity.js';

/**
 * @import { LogLine } from '../shapes.js'
 * @import { Logs } from './data/logs.js'
 */

/** Pixels from the end that count as the end. */
const NEAR_END = 20;

/** @param {{logs: Logs, search: string, showsApp: boolean}} props search: what to mark */
export function LogList({ logs, ...look }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const { current } = box;
    // Otherwise the browser keeps in sight what the user looks at.
    if (current && logs.isFollowing) current.scrollTop = current.scrollHeight;
  });
  const onScroll = (/** @type {Event} */ { currentTarget }) => {
    const { scrollTop, clientHeight, scrollHeight } = /** @type {HTMLElement} */ (currentTarget);
    logs.follow(scrollTop + clientHeight >= scrollHeight - NEAR_END);
  };
  return html`
    <div
      ref=${box}
      class="card lines"
      role="log"
      aria-live="off"
      aria-label="Log lines"
      tabindex="0"
      onScroll=${onScroll}
    >
      <ol>
        ${logs.lines.map((line) => html`<${Line} key=${line} ...${{ line, ...look }} />`)}
      </ol>
    </div>
  `;
}

/** @typedef {{line: LogLine, search: string, showsApp: boolean}} LineProps */

/** @extends {Component<LineProps>} */
class Line extends Component {
  /** @param {LineProps} next */
  shouldComponentUpdate({ line, search, showsApp }) {
    const { props } = this;
    return line !== props.line || search !== props.search || showsApp !== props.showsApp;
  }

  /** @param {LineProps} props */
  render({ line, search, showsApp }) {
    const { time, app, worker, stream, level, goesOn } = line;
    const name = `${showsApp ? escapeLine(app ?? '') : ''}${worker === null ? '' : `:${worker}`}`;
    const head = `${time === null ? '' : formatClock(time)} ${name} ${goesOn ? '+ ' : ''}`;
    return html`
      <li class=${`line ${stream ?? ''} level-${level ?? ''}`}>
        <span class="dim">${head}</span>${marked(escapeLine(line.message), search)}
      </li>
    `;
  }
}

/** @param {string} text @param {string} search */
function marked(text, search) {
  if (search === '') return text;
  const needle = search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const parts = text.split(new RegExp(`(${needle})`, 'i'));
  return parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part));
}
