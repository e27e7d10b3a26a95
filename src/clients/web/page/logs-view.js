/** Logs: follow, search, by app, worker and level. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { html, SearchField } from './html.js';
import { LEVELS } from '../../../lifecycle/log-record.js';
import { escapeLine, escapeText, patternOf } from '../../../show/escape.js';
import { formatClock } from '../../../show/quantity.js';
import { goTo, linkTo } from './data/route.js';
import { shownApp } from './data/select.js';

/**
 * @import { PageProps } from './page.js'
 * @import { LogLine } from '../shapes.js'
 * @import { Logs } from './data/watch.js'
 */

/** Typing asks the server once it pauses. */
const PAUSE_MS = 250;

/** @param {PageProps} props */
export function LogsView(props) {
  const { state, logs } = props;
  const { search, app } = state.route;
  return html`
    <${Filters} ...${props} />
    ${logs.problem && html`<p class="state bad" role="status">${escapeLine(logs.problem)}</p>`}
    ${
      logs.lines.length === 0
        ? html`<p class="card empty">No lines${search ? ` with ${search}` : ' yet'}.</p>`
        : html`<${LogList} logs=${logs} search=${search} showsApp=${app === null} />`
    }
  `;
}

/** @param {PageProps} props */
function Filters({ state, logs }) {
  const { route, server } = state;
  const app = shownApp(state);
  const slots = app ? app.workers.map(({ slot }) => slot) : [];
  /** @param {Partial<typeof route>} changed */
  const ask = (changed) => goTo(linkTo({ ...route, ...changed }));
  return html`
    <div class="bar">
      <${Choice}
        label="App"
        value=${route.app ?? ''}
        choices=${[['', 'all apps'], ...(server?.order ?? []).map((name) => [name, escapeLine(name)])]}
        onChange=${(/** @type {string} */ name) => ask({ app: name || null, slot: null })}
      />
      ${
        slots.length > 1 &&
        html`<${Choice}
          label="Worker"
          value=${route.slot === null ? '' : String(route.slot)}
          choices=${[['', 'all workers'], ...slots.map((slot) => [String(slot), `:${slot}`])]}
          onChange=${(/** @type {string} */ slot) => ask({ slot: slot ? Number(slot) : null })}
        />`
      }
      <${Choice}
        label="Level"
        value=${route.level}
        choices=${[['', 'all levels'], ...LEVELS.map((level) => [level, `${level} and worse`])]}
        onChange=${(/** @type {string} */ level) => ask({ level })}
      />
      <${Search}
        text=${route.search}
        onChange=${(/** @type {string} */ search) => ask({ search })}
      />
      <${Following} logs=${logs} />
    </div>
  `;
}

/** @param {{logs: PageProps['logs']}} props */
function Following({ logs }) {
  return html`
    <span class="gap"></span>
    <button
      type="button"
      aria-pressed=${logs.isFollowing}
      onClick=${() => logs.follow(!logs.isFollowing)}
    >
      Follow
    </button>
  `;
}

/** @param {{label: string, value: string, choices: string[][], onChange: (value: string) => void}} props */
function Choice({ label, value, choices, onChange }) {
  const change = (/** @type {Event} */ { currentTarget }) =>
    onChange(/** @type {HTMLSelectElement} */ (currentTarget).value);
  return html`
    <select aria-label=${label} onChange=${change}>
      ${choices.map(
        ([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`,
      )}
    </select>
  `;
}

/** @param {{text: string, onChange: (text: string) => void}} props */
function Search({ text, onChange }) {
  const [typed, setTyped] = useState(text);
  const timer = useRef(0);
  useEffect(() => {
    setTyped(text);
    return () => clearTimeout(timer.current);
  }, [text]);
  const onTyped = (/** @type {string} */ value) => {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(value), PAUSE_MS);
  };
  return html`<${SearchField}
    id="search"
    label="Search the lines"
    text=${typed}
    onChange=${onTyped}
  />`;
}

/** Pixels from the end that count as the end. */
const NEAR_END = 20;

/** @param {{logs: Logs, search: string, showsApp: boolean}} props search: what to mark */
function LogList({ logs, search, showsApp }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const { current } = box;
    // Otherwise the browser keeps in sight what the user looks at.
    if (current && logs.isFollowing) current.scrollTop = current.scrollHeight;
  });
  // Each second all else is drawn again.
  const items = useMemo(
    () => logs.lines.map((line) => lineItem(line, search, showsApp)),
    [logs.lines, search, showsApp],
  );
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
        ${items}
      </ol>
    </div>
  `;
}

/** @param {LogLine} line @param {string} search @param {boolean} showsApp */
function lineItem(line, search, showsApp) {
  const { time, app, worker, stream, level, goesOn } = line;
  const name = `${showsApp ? escapeLine(app ?? '') : ''}${worker === null ? '' : `:${worker}`}`;
  const head = `${time === null ? '' : formatClock(time)} ${name} ${goesOn ? '+ ' : ''}`;
  const text = escapeText(line.message);
  const parts = search === '' ? [text] : text.split(patternOf(search));
  return html`
    <li class=${`line ${stream ?? ''} level-${level ?? ''}`} key=${line}>
      <span class="dim">${head}</span>
      ${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}
    </li>
  `;
}
