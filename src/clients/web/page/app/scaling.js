/** An app that scales itself: how many workers it has, how busy they are, and why. */
import { html } from '../html.js';
import { formatAge } from '../format/quantity.js';
import { FactList } from './facts.js';

/**
 * @import { Autoscaling } from '../../shapes.js'
 * @import { App } from '../state/model.js'
 */

/** @param {{app: App, now: number}} props */
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
      <i style=${{ left: `${elu * 100}%` }} title=${`target ${percent(elu)}`}></i>
    </div>
  `;
}

/**
 * @param {Pick<App, 'instances'>} app
 * @param {Autoscaling} scaling
 * @param {number} now epoch ms
 * @returns {[label: string, value: string, tone?: string][]} as `describe` says it
 */
export function scalingFacts({ instances }, { min, max, elu, utilisation, held, lastChange }, now) {
  const busy = utilisation === undefined ? 'not measured yet' : `${percent(utilisation)} busy`;
  return [
    ['workers', `${instances} of ${min}–${max}`],
    ['event loops', `${busy}, target ${percent(elu)}`],
    ['last change', lastChange ? changeText(lastChange, now) : 'none yet'],
    ['not scaled now', held ?? '', 'warn'],
  ];
}

/** @param {NonNullable<Autoscaling['lastChange']>} change @param {number} now */
function changeText({ from, to, reason, at }, now) {
  return `${from} → ${to} workers ${formatAge(now - at)} ago: ${reason}`;
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}
