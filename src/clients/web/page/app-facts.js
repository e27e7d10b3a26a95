/** What the page of an app says in words and figures. */
import { html } from './html.js';
import { maskLine } from '../../../show/mask.js';
import { jobFacts } from '../../../features/jobs/show.js';
import { changeText, loadText, rangeText } from '../../../features/autoscaling/show.js';
import { undeliveredText, waitingText } from '../../../features/alarms/show.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { AlarmView, App, Autoscaling } from '../../../protocol/shapes.js'
 */

/** @param {{app: App, details: Details | null}} props */
export function Facts({ app, details }) {
  const { note } = app;
  return html`
    <${FactList} facts=${factsOf(app, details)} />
    ${note && html`<p class="card pane note warn">${maskLine(note)}</p>`}
  `;
}

/** @param {{facts: [label: string, value: unknown, tone?: string][]}} props without those that have no value */
function FactList({ facts }) {
  return html`
    <dl class="facts">
      ${facts
        .filter(([, value]) => value)
        .map(
          ([label, value, tone = '']) =>
            html`<div>
              <dt>${label}</dt>
              <dd class=${tone}>${maskLine(value)}</dd>
            </div>`,
        )}
    </dl>
  `;
}

/** @param {App} app @param {Details | null} details @returns {[string, unknown, string?][]} */
function factsOf(app, details) {
  const addresses = app.workers.flatMap(({ listening }) => listening.map(({ address }) => address));
  const described = details?.app;
  return [
    ['script', [app.script, ...(described?.spec?.args ?? [])].join(' ')],
    ['listens on', [...new Set(addresses)].join(', ')],
    ['mode', app.mode === 'cluster' ? `cluster, ${app.scheduling}` : app.mode],
    ['generation', app.generation],
    ['health', healthText(app), 'bad'],
    ['node', described?.node],
    ['user', app.user],
    ['namespace', app.namespace === 'default' ? '' : app.namespace],
    ['cwd', described?.spec?.cwd],
    ['primary', app.primaryPid && `pid ${app.primaryPid}`],
  ];
}

/** @param {App} app @returns {string} whose checks fail, and why */
function healthText({ name, workers }) {
  return workers
    .filter(({ health }) => health?.reason)
    .map(({ slot, health }) => `${name}:${slot}: ${health?.reason}`)
    .join(', ');
}

/**
 * A job: when it runs, what came of its last run, and when the next one begins.
 * @param {{app: App, now: number}} props
 */
export function Job({ app, now }) {
  if (app.job === undefined) return null;
  const tone = app.job.lastRun?.ok === false ? 'bad' : '';
  const facts = jobFacts(app, now).map(([label, text]) =>
    label === 'last run' ? [label, text, tone] : [label, text],
  );
  return html`
    <section class="card pane" aria-labelledby="job-title">
      <h2 id="job-title">Job</h2>
      <${FactList} facts=${facts} />
    </section>
  `;
}

/**
 * An app that scales itself: how many workers it has, how busy they are, and why.
 * @param {{app: App, now: number}} props
 */
export function Scaling({ app, now }) {
  const { autoscaling: scaling } = app;
  if (scaling === undefined) return null;
  return html`
    <section class="card pane scaling" aria-labelledby="scaling-title">
      <h2 id="scaling-title">Scaling</h2>
      <${Load} ...${scaling} />
      <${FactList} facts=${scalingFacts(app, scaling, now)} />
    </section>
  `;
}

/** How busy the event loops are, and the target. @param {Pick<Autoscaling, 'elu' | 'utilisation'>} props */
function Load({ elu, utilisation }) {
  return html`
    <div class="load">
      <progress
        aria-label="event loops busy"
        max="1"
        value=${Math.min(1, utilisation ?? 0)}
      ></progress>
      <i style=${{ left: `${elu * 100}%` }} title=${loadText({ elu, utilisation })}></i>
    </div>
  `;
}

/** @param {App} app @param {Autoscaling} scaling @param {number} now epoch ms */
function scalingFacts(app, scaling, now) {
  const { held, lastChange } = scaling;
  return [
    ['workers', `${app.instances} of ${rangeText(app)}`],
    ['event loops', loadText(scaling)],
    ['last change', lastChange && changeText(lastChange, now)],
    ['not scaled now', held, 'warn'],
  ];
}

/**
 * What the alarms of an app have delivered, and what they could not.
 * @param {{details: Details, now: number}} props
 */
export function Alarms({ details, now }) {
  const { alarms } = details.app;
  if (alarms.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      ${alarms.map((alarm) => html`<${Alarm} alarm=${alarm} now=${now} />`)}
    </section>
  `;
}

/** @param {{alarm: AlarmView, now: number}} props */
function Alarm({ alarm, now }) {
  const { event, to, delivered, givenUp, waiting, undelivered } = alarm;
  return html`
    <article class="alarm">
      <h3>
        ${event.map(maskLine).join(', ')}
        <span class="dim"> → </span><span class="mono">${maskLine(to)}</span>
      </h3>
      <p class="dim">
        ${delivered} delivered${givenUp > 0 && html`, <span class="bad">${givenUp} given up</span>`}
      </p>
      <ul class="notices">
        ${waiting.map((notice) => html`<li class="warn">waiting: ${waitingText(notice, now)}</li>`)}
        ${undelivered.map((notice) => html`<li class="bad">not delivered ${undeliveredText(notice, now)}</li>`)}
      </ul>
    </article>
  `;
}
