/** What is wrong with an app, what helps, and the last exits of its workers. */
import { html } from './html.js';
import { reasonOf } from '../../../lifecycle/hang-policy.js';
import { failedReload } from '../../../show/change.js';
import { escapeLine, escapeText } from '../../../show/escape.js';
import { say } from '../../../show/features.js';
import { exitsOf, exitText, exitsTitle } from '../../../show/event.js';
import { helpOf, reasonsOf } from '../../../show/help.js';
import { lastErrors } from './data/logs.js';
import { linkTo } from './data/route.js';
import { canAct, rowsOfApp } from './data/select.js';
import { formatAgo, formatClock } from '../../../show/quantity.js';
import { appTone, stateTone, workerState } from '../../../show/state.js';

/**
 * @import { Details, LogLine } from '../shapes.js'
 * @import { PageState } from './data/model.js'
 * @import { Dispatch } from './data/store.js'
 * @import { App, Worker } from '../../../protocol/shapes.js'
 */

/** Workers that are blocked, or wait, have what `why` says. @param {{app: App, details: Details | null, state: PageState, dispatch: Dispatch}} props */
export function Diagnosis({ app, details, state, dispatch }) {
  const now = state.at;
  const described = details?.app.workers ?? [];
  const workers = app.workers.map((worker) => ({
    ...worker,
    stack: worker.stack ?? described.find(({ id }) => id === worker.id)?.stack,
  }));
  const seen = workers.filter(({ stack }) => stack);
  const others = workers.filter(({ stack }) => !stack);
  const reasons = [failedReload(app, now), ...reasonsOf({ ...app, workers: others }, now)];
  const disks = (details?.fullDisks ?? []).map((disk) => `disk full: ${disk}`);
  const long = [...reasons.filter((text) => text !== null), ...disks];
  const texts = long.length + seen.length > 0 ? long : say('troubles', app, null, now);
  // What `why` says is above.
  const help = helpOf({ ...app, spec: details?.app.spec }, now).filter(
    ([command]) => seen.length === 0 || !command.startsWith('why '),
  );
  if (texts.length + seen.length + help.length === 0) return null;
  return html`
    <section class="card pane diagnosis" aria-label="Diagnosis">
      ${texts.length + seen.length > 0 && html`<h2>What is wrong</h2>`}
      ${texts.map((text) => html`<p class=${`state ${appTone(app, now)}`} key=${text}>${text}</p>`)}
      ${seen.map((worker) => html`<${Place} key=${worker.slot} ...${{ app, worker, now }} />`)}
      ${
        help.length > 0 &&
        html`<h2>What to do now</h2>
          <ul>
            ${help.map(
              ([command, why]) =>
                html`<li key=${command}>
                  ${commandOf(app, command)} <span class="dim">${why}</span>
                  ${buttonOf({ app, command, state, dispatch })}
                </li>`,
            )}
          </ul>`
      }
    </section>
  `;
}

/** @param {App} app @param {string} command */
function commandOf({ name }, command) {
  const code = html`<code>nodecluster ${command}</code>`;
  if (!command.startsWith('logs ')) return code;
  return html`<a href=${linkTo({ view: 'logs', app: name })}>${code}</a>`;
}

/** The page does it, or else the command can be copied. @param {{app: App, command: string, state: PageState, dispatch: Dispatch}} props */
function buttonOf({ app, command, state, dispatch }) {
  const [action, key, ...more] = command.split(' ');
  const canDo = ['reload', 'restart'].includes(action) && more.length === 0 && canAct(state);
  const isOffered = canDo && !state.server?.isReadOnly;
  if (isOffered && rowsOfApp(app).some((row) => row.key === key)) {
    const ask = () => dispatch({ kind: 'ask', action, key });
    const label = action === 'reload' ? 'Reload' : 'Restart';
    return html`<button type="button" onClick=${ask}>${label} ${escapeLine(key)}</button>`;
  }
  // Browsers have a clipboard only on https and localhost.
  if (command.startsWith('logs ') || !navigator.clipboard) return null;
  const text = `nodecluster ${command}`;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    dispatch({ kind: 'change', change: { message: { text: `Copied: ${text}`, tone: 'good' } } });
  };
  return html`<button type="button" aria-label=${`copy ${text}`} onClick=${copy}>Copy</button>`;
}

/** Where a worker is. Code of Node and of nodecluster is dim. @param {{app: App, worker: Worker, now: number}} props */
function Place({ app, worker, now }) {
  const { slot, stack } = worker;
  const reason = reasonOf(worker, now);
  const row = rowsOfApp(app).find((each) => each.worker?.slot === slot);
  const { state, frames = [], note, at = 0 } = stack ?? {};
  // That of one whose event loop turns says all of it.
  const text = reason ?? ((state === 'running' && note) || workerState(app, worker, now));
  return html`
    <article>
      <h3 class=${`state ${row ? stateTone(row, now) : appTone(app, now)}`}>
        <span class="mono">${escapeLine(app.name)}:${slot}</span> ${escapeLine(text)}
        <span class="dim">
          ${frames.length > 0 ? ' seen there' : ' seen'} ${formatAgo(at, now)}
        </span>
      </h3>
      ${note && !text.includes(note) && html`<p>It ${escapeLine(note)}.</p>`}
      ${
        frames.length > 0 &&
        html`<ol class="frames" tabindex="0" aria-label="Functions, the innermost first">
          ${frames.map(
            ({ name, file, line, column, origin }) =>
              html`<li class=${origin === 'program' ? '' : 'dim'}>
                <b>${escapeLine(name || '(anonymous)')}</b>
                <span class="dim"> ${escapeLine(file || 'evaluated code')}:${line}:${column}</span>
              </li>`,
          )}
        </ol>`
      }
    </article>
  `;
}

/** A fault that repeats does not hide others. @param {{lines: LogLine[], now: number}} props the oldest first */
export function LastErrors({ lines, now }) {
  const shown = lastErrors(lines);
  const [last] = shown.slice(-1);
  if (!last) return null;
  const ago = last.time ? `, ${formatAgo(last.time, now)}` : '';
  const texts = shown.map(({ time, worker, message }) =>
    [time && formatClock(time), worker !== null && `:${worker}`, escapeText(message)]
      .filter((part) => typeof part === 'string')
      .join(' '),
  );
  return html`
    <section class="card pane" aria-labelledby="errors-title">
      <h2 id="errors-title">Last errors that it wrote${ago}</h2>
      <pre tabindex="0">${texts.join('\n')}</pre>
    </section>
  `;
}

/**
 * The last exits of an app's workers that no command caused, with the end of their stderr.
 * @param {{details: Details | null, now: number}} props
 */
export function Exits({ details, now }) {
  const { name = '', workers = [] } = details?.app ?? {};
  const latestFirst = [...workers].sort(
    ({ lastExit: one }, { lastExit: other }) => (other?.at ?? 0) - (one?.at ?? 0),
  );
  const exits = exitsOf(latestFirst);
  if (details === null || exits.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="exits-title">
      <h2 id="exits-title">${exitsTitle(details.app)}</h2>
      ${exits.map(
        ({ slot, last, earlier, like }) => html`
          <article class="exit" key=${slot}>
            <h3><span class="mono">${escapeLine(name)}:${slot}</span> ${exitText(last, now)}</h3>
            ${
              like === null
                ? last.lastLines.length > 0 &&
                  html`<pre tabindex="0">${last.lastLines.map(escapeLine).join('\n')}</pre>`
                : html`<p class="dim">It wrote the same as ${escapeLine(name)}:${like}.</p>`
            }
            ${earlier.map((exit) => html`<p class="dim">before that: ${exitText(exit, now)}</p>`)}
          </article>
        `,
      )}
    </section>
  `;
}
