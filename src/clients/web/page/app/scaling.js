/** An app that scales itself: how many workers it has, how busy they are, and why. */
import { changeText, loadText, rangeText } from '../../../../features/autoscaling/show.js';
import { html } from '../html.js';
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
      <${FactList} facts=${factsOf(app, scaling, now)} />
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
function factsOf(app, scaling, now) {
  const { held, lastChange } = scaling;
  return [
    ['workers', `${app.instances} of ${rangeText(app)}`],
    ['event loops', loadText(scaling)],
    ['last change', lastChange && changeText(lastChange, now - lastChange.at)],
    ['not scaled now', held, 'warn'],
  ];
}
