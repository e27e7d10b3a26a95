/** Where workers are whose event loops are blocked: what `why` says. */
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';
import { formatClock } from '../../../../show/quantity.js';

/**
 * @import { StackFrame } from '../../../../protocol/shapes.js'
 * @import { App, Worker } from '../state/model.js'
 */

/** @param {{app: App, workers: Worker[]}} props */
export function Blocked({ app, workers }) {
  const blocked = workers.filter(({ stack }) => stack);
  if (blocked.length === 0) return null;
  return html`
    <section class="card pane blocked" aria-labelledby="blocked-title">
      <h2 id="blocked-title">Blocked</h2>
      ${blocked.map((worker) => html`<${Stack} key=${worker.slot} name=${app.name} worker=${worker} />`)}
    </section>
  `;
}

/** @param {{name: string, worker: Worker}} props */
function Stack({ name, worker }) {
  const { slot, stack, reason } = worker;
  const { frames = [], note, at = 0 } = stack ?? {};
  return html`
    <article>
      <h3>
        <span class="mono">${maskLine(name)}:${slot}</span> ${maskLine(reason ?? worker.state)}
        <span class="dim"> seen at ${formatClock(at)}</span>
      </h3>
      ${note && !reason?.includes(note) && html`<p>It ${maskLine(note)}.</p>`}
      ${
        frames.length > 0 &&
        html`<ol class="frames" tabindex="0" aria-label="Functions, the innermost first">
          ${frames.map((frame) => html`<${Frame} frame=${frame} />`)}
        </ol>`
      }
    </article>
  `;
}

/** Code of Node and of nodecluster is dim. @param {{frame: StackFrame}} props */
function Frame({ frame: { name, file, line, column, origin } }) {
  return html`
    <li class=${origin === 'program' ? '' : 'dim'}>
      <b>${maskLine(name || '(anonymous)')}</b>
      <span class="dim"> ${maskLine(file || 'evaluated code')}:${line}:${column}</span>
    </li>
  `;
}
