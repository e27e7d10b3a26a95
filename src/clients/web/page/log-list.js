/** The lines of a log. Only those in sight are in the document. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { formatClock } from '../../../show/quantity.js';

/**
 * @import { LogLine } from '../shapes.js'
 * @import { Logs } from './data/logs.js'
 */

/** As in style/logs.css. */
const LINE_HEIGHT = 19;
const MARGIN = 10;
/** To the line above and below, which is then shown in full. @type {Record<string, number>} */
const STEPS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * @typedef {object} LogListProps
 * @property {Logs} logs
 * @property {string} search what to mark
 * @property {boolean} showsApp
 * @property {LogLine | null} picked the line that is shown in full
 * @property {(line: LogLine | null) => void} onPick
 */

/** @param {LogListProps} props */
export function LogList(props) {
  const { logs } = props;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [top, setTop] = useState(0);
  const height = useHeight(box);
  const { lines, dropped } = logs.buffer;
  useFollowing(box, logs);
  const first = Math.max(0, Math.floor(top / LINE_HEIGHT) - MARGIN);
  const shown = lines.slice(first, first + Math.ceil(height / LINE_HEIGHT) + 2 * MARGIN);
  const onScroll = () => {
    const { current } = box;
    if (current === null) return;
    setTop(current.scrollTop);
    logs.follow(current.scrollTop + current.clientHeight >= current.scrollHeight - LINE_HEIGHT);
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
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => pickByKey(event, props, box.current)}
    >
      <div class="paper" style=${{ height: `${lines.length * LINE_HEIGHT}px` }}>
        <ol style=${{ transform: `translateY(${first * LINE_HEIGHT}px)` }}>
          ${shown.map(
            (line, index) =>
              html`<${Line} key=${dropped + first + index} line=${line} ...${props} />`,
          )}
        </ol>
      </div>
    </div>
  `;
}

/** @param {LogListProps & {line: LogLine}} props */
function Line({ line, search, showsApp, picked, onPick }) {
  const { time, app, worker, stream, level, goesOn } = line;
  const name = `${showsApp ? escapeLine(app ?? '') : ''}${worker === null ? '' : `:${worker}`}`;
  const head = `${time === null ? '' : formatClock(time)} ${name} ${goesOn ? '+ ' : ''}`;
  return html`
    <li
      class=${`line ${stream ?? ''} level-${level ?? ''}${line === picked ? ' is-picked' : ''}`}
      onClick=${() => onPick(line)}
    >
      <span class="dim">${head}</span>${marked(escapeLine(line.message), search)}
    </li>
  `;
}

/** @param {string} text @param {string} search */
function marked(text, search) {
  if (search === '') return text;
  const parts = [];
  const lower = text.toLowerCase();
  const needle = search.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, from)) {
    parts.push(text.slice(from, at), html`<mark>${text.slice(at, at + needle.length)}</mark>`);
    from = at + needle.length;
  }
  return [...parts, text.slice(from)];
}

/** @param {KeyboardEvent} event @param {LogListProps} props @param {HTMLElement | null} box */
function pickByKey(event, { logs, picked, onPick }, box) {
  const { lines } = logs.buffer;
  const step = STEPS[event.key];
  if (step !== undefined) {
    event.preventDefault();
    const from = picked ? lines.indexOf(picked) : lines.length;
    const index = Math.min(Math.max(0, from + step), lines.length - 1);
    logs.follow(false);
    bringIntoSight(box, index);
    onPick(lines[index]);
  } else if (event.key === 'Escape' && picked) {
    event.stopPropagation();
    onPick(null);
  }
}

/** Unless it is in sight. @param {HTMLElement | null} box @param {number} index of a line */
function bringIntoSight(box, index) {
  if (box === null) return;
  const top = index * LINE_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  const bottom = top + 2 * LINE_HEIGHT - box.clientHeight;
  if (bottom > box.scrollTop) box.scrollTop = bottom;
}

/** @param {{current: HTMLElement | null}} box */
function useHeight(box) {
  const [height, setHeight] = useState(600);
  useEffect(() => {
    if (box.current === null) return undefined;
    const size = new ResizeObserver(([{ contentRect }]) => setHeight(contentRect.height));
    size.observe(box.current);
    return () => size.disconnect();
  }, []);
  return height;
}

/**
 * Keeps the newest line in sight, or else the lines that the user looks at.
 * @param {{current: HTMLElement | null}} box
 * @param {Logs} logs
 */
function useFollowing(box, logs) {
  const seen = useRef({ buffer: logs.buffer, dropped: 0 });
  useLayoutEffect(() => {
    const { current } = box;
    const { buffer, isFollowing } = logs;
    if (current === null) return;
    const gone = buffer === seen.current.buffer ? buffer.dropped - seen.current.dropped : 0;
    seen.current = { buffer, dropped: buffer.dropped };
    if (isFollowing) current.scrollTop = current.scrollHeight;
    else if (gone > 0) current.scrollTop -= gone * LINE_HEIGHT;
  });
}
