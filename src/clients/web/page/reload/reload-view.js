/** A reload as it goes: each slot from the old generation to the new one. */
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';
import { formatClock, formatCount, formatElapsed } from '../../../../show/quantity.js';
import { CanaryView } from './canary-view.js';
import { reloadSteps } from './reload-steps.js';

/**
 * @import { Details, LineEvent } from '../../shapes.js'
 * @import { App, Worker } from '../state/model.js'
 * @import { ReloadSteps, SlotStep } from './reload-steps.js'
 */

/** How long the outcome stays in full. */
const RECENT_MS = 10 * 60_000;

/** @type {Record<string, string>} */
const tones = {
  serves: 'good',
  online: 'good',
  starting: 'warn',
  judging: 'warn',
  draining: 'warn',
  stopping: 'warn',
  failed: 'bad',
  exited: 'bad',
};

/**
 * @param {{app: App, workers: Worker[], events: LineEvent[], details: Details | null, now: number}} props
 */
export function ReloadView({ app, workers, events, details, now }) {
  const reload = reloadSteps(app, workers, events, details?.app.spec?.maxSurge ?? 0);
  if (reload === null) return null;
  if (reload.endedAt !== null && now - reload.endedAt > RECENT_MS) return null;
  const isOver = reload.endedAt !== null;
  const done = reload.slots.filter(({ next, old }) => next === 'online' && old !== 'serves').length;
  return html`
    <section class="card pane" aria-labelledby="reload-title">
      <h2 id="reload-title">
        Reload at ${formatClock(reload.begunAt)}
        <span class="dim"> ${progressText(reload, done, now)}</span>
      </h2>
      ${app.canary ? html`<${CanaryView} canary=${app.canary} now=${now} />` : html`<${Progress} reload=${reload} done=${done} />`}
      ${reload.judged && html`<p>Canary: ${maskLine(reload.judged)}</p>`}
      ${reload.text && html`<p class=${reload.ok ? 'good' : 'bad'}>${maskLine(reload.text)}</p>`}
      <details open=${!isOver}>
        <summary>each worker</summary>
        <ul class="steps" tabindex="0" aria-label="Slots">
          ${reload.slots.map((step) => html`<${Slot} key=${step.slot} step=${step} reload=${reload} />`)}
        </ul>
      </details>
    </section>
  `;
}

/** @param {{reload: ReloadSteps, done: number}} props */
function Progress({ reload, done }) {
  const count = Math.max(1, reload.slots.length);
  return html`<progress aria-label="workers replaced" max=${count} value=${done}></progress>`;
}

/** @param {ReloadSteps} reload @param {number} done @param {number} now */
function progressText({ begunAt, endedAt, slots, isRolledBack }, done, now) {
  const count = `${done} of ${formatCount(slots.length, 'worker')} replaced`;
  const time = formatElapsed((endedAt ?? Math.max(now, begunAt)) - begunAt);
  return `${count}, ${time}${isRolledBack ? ', rolled back' : ''}`;
}

/** @param {{step: SlotStep, reload: ReloadSteps}} props */
function Slot({ step, reload }) {
  const { slot, oldGeneration, old, next, wave, closed } = step;
  const part = wave === null ? '' : wave === 0 ? 'canary' : `wave ${wave}`;
  return html`
    <li>
      <b class="mono">:${slot}</b>
      <span class=${`state is-${tones[old] ?? ''}`}>
        ${oldGeneration === null ? 'old' : `gen ${oldGeneration}`} ${old}
      </span>
      <span aria-hidden="true" class="dim">→</span>
      <span class=${`state is-${tones[next] ?? ''}`}>
        ${next !== 'waits' && reload.newGeneration !== null ? `gen ${reload.newGeneration} ` : ''}${next}
      </span>
      <span class="dim part">${part}${closed > 0 ? `, ${closed} connections closed` : ''}</span>
    </li>
  `;
}
