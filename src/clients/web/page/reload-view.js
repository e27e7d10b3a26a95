/** A reload as it goes: each slot from the old generation to the new one. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { formatElapsed } from '../../../shared/units.js';
import { formatClock, formatCount } from '../../../show/quantity.js';
import { reloadSteps } from './reload-steps.js';

/**
 * @import { App } from '../../../protocol/shapes.js'
 * @import { LineEvent } from '../shapes.js'
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

/** @param {{app: App, events: LineEvent[], now: number}} props */
export function ReloadView({ app, events, now }) {
  const reload = reloadSteps(app, events);
  if (reload === null) return null;
  if (reload.endedAt !== null && now - reload.endedAt > RECENT_MS) return null;
  const isOver = reload.endedAt !== null;
  const done = reload.slots.filter(({ next, old }) => next === 'online' && old !== 'serves').length;
  const count = Math.max(1, reload.slots.length);
  return html`
    <section class="card pane" aria-labelledby="reload-title">
      <h2 id="reload-title">
        Reload at ${formatClock(reload.begunAt)}
        <span class="dim"> ${progressText(reload, done, now)}</span>
      </h2>
      <progress aria-label="workers replaced" max=${count} value=${done}></progress>
      ${reload.judged && html`<p>Canary: ${escapeLine(reload.judged)}</p>`}
      ${reload.text && html`<p class=${reload.ok ? 'good' : 'bad'}>${escapeLine(reload.text)}</p>`}
      <details open=${!isOver}>
        <summary>each worker</summary>
        <ul class="steps" tabindex="0" aria-label="Slots">
          ${reload.slots.map((step) => html`<${Slot} key=${step.slot} step=${step} reload=${reload} />`)}
        </ul>
      </details>
    </section>
  `;
}

/** @param {ReloadSteps} reload @param {number} done @param {number} now */
function progressText({ begunAt, endedAt, slots, isRolledBack }, done, now) {
  const count = `${done} of ${formatCount(slots.length, 'worker')} replaced`;
  const time = formatElapsed((endedAt ?? Math.max(now, begunAt)) - begunAt);
  return `${count}, ${time}${isRolledBack ? ', rolled back' : ''}`;
}

/** @param {{step: SlotStep, reload: ReloadSteps}} props */
function Slot({ step, reload }) {
  const { slot, oldGeneration, old, next, closed } = step;
  // The spaces at the ends separate what is copied or read aloud.
  const before = `${oldGeneration === null ? 'old' : `gen ${oldGeneration}`} ${old} `;
  const generation =
    next === 'waits' || reload.newGeneration === null ? '' : `gen ${reload.newGeneration} `;
  return html`
    <li>
      <b class="mono">${`:${slot} `}</b>
      <span class=${`state is-${tones[old] ?? ''}`}>${before}</span>
      <span aria-hidden="true" class="dim">→ </span>
      <span class=${`state is-${tones[next] ?? ''}`}>${`${generation}${next} `}</span>
      <span class="dim">${closed > 0 ? `${closed} connections closed` : ''}</span>
    </li>
  `;
}
