/** A reload as it goes: each slot from the old generation to the new one. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import {
  ageOf,
  formatClock,
  formatCount,
  formatElapsed,
  formatCountdown,
  formatLatency,
} from '../../../show/quantity.js';
import { reloadSteps } from './reload-steps.js';

/**
 * @import { App, Worker } from '../../../protocol/shapes.js'
 * @import { Canary } from '../../../features/canary/record.js'
 * @import { Details, LineEvent } from '../shapes.js'
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

/** @typedef {{app: App, workers: Worker[], events: LineEvent[], details: Details | null, now: number}} ReloadProps */

/** The canary is known even if the events from before it are not. @param {ReloadProps} props */
export function ReloadView(props) {
  const { canary } = props.app;
  return html`
    ${canary && html`<${CanaryView} canary=${canary} now=${props.now} />`}
    <${Steps} ...${props} />
  `;
}

/** @param {ReloadProps} props */
function Steps({ app, workers, events, details, now }) {
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
      <${Progress} reload=${reload} done=${done} />
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
      <span class="dim part">${part}${closed > 0 ? `, ${closed} connections closed` : ''}</span>
    </li>
  `;
}

/**
 * A canary as it is judged: what it and the old workers answer in the same time.
 * @param {{canary: Canary, now: number}} props
 */
function CanaryView({ canary, now }) {
  const { slots, forMs, since } = canary;
  const judgedMs = Math.min(forMs, ageOf(since ?? now, now));
  const names = slots.map((slot) => `:${slot}`).join(', ');
  const time =
    since === undefined
      ? 'Waiting for the canary to be online.'
      : `Judging ${names} beside the old workers, ${formatCountdown(forMs - judgedMs)} left.`;
  return html`
    <section class="card pane" aria-labelledby="canary-title">
      <h2 id="canary-title">Canary</h2>
      <p>${time}</p>
      <progress aria-label="time of the judgement" max=${forMs} value=${judgedMs}></progress>
      <table class="plain comparison" aria-label="Canary and old workers">
        <thead>
          <tr>
            <th scope="col">answered</th>
            <th scope="col">canary</th>
            <th scope="col">old workers</th>
            <th scope="col">allowed</th>
          </tr>
        </thead>
        <tbody>
          ${compareCanary(canary).map(
            ({ label, own, old, allowed, isOver }) =>
              html`<tr>
                <th scope="row">${label}</th>
                <td class=${isOver ? 'bad' : ''}>${own}</td>
                <td>${old}</td>
                <td class="dim">${allowed}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
  `;
}

/**
 * @typedef {object} Comparison
 * @property {string} label
 * @property {string} own
 * @property {string} old
 * @property {string} allowed '' if there is no limit
 * @property {boolean} isOver whether the canary would be taken back if the time were over
 */

/** As in features/canary/decide.js: slower by less is no reason. */
const NOTICEABLE_MS = 10;

/**
 * The figures of a canary and of the old workers, side by side. Pure.
 * @param {Canary} canary
 * @returns {Comparison[]}
 */
export function compareCanary({ canary, old, max5xx, maxP99 }) {
  const [own, before] = [shareOf(canary), shareOf(old)];
  return [
    {
      label: 'requests',
      own: String(canary.requests),
      old: String(old.requests),
      allowed: '',
      isOver: false,
    },
    {
      label: '5xx',
      own: percent(own),
      old: percent(before),
      allowed: `${percent(max5xx)} more`,
      isOver: canary.errors > 1 && own > before + max5xx,
    },
    {
      label: 'p99',
      own: formatLatency(canary.p99Ms),
      old: formatLatency(old.p99Ms),
      allowed: `${maxP99} times`,
      isOver: isSlower(canary, old, maxP99),
    },
  ];
}

/** @param {Canary['old']} canary @param {Canary['old']} old @param {number} maxP99 */
function isSlower({ p99Ms: own }, { p99Ms: old }, maxP99) {
  if (own === undefined || old === undefined) return false;
  return own > Math.max(old * maxP99, old + NOTICEABLE_MS);
}

/** @param {Canary['old']} answers */
function shareOf({ errors, requests }) {
  return requests > 0 ? errors / requests : 0;
}

/** @param {number} share @returns {string} `0 %`, `0.3 %`, `12 %` */
function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}
