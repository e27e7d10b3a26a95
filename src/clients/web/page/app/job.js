/** A job: when it runs, what came of its last run, and when the next one begins. */
import { jobFacts } from '../../../../features/jobs/show.js';
import { html } from '../html.js';
import { FactList } from './facts.js';

/** @import { App } from '../state/model.js' */

/** @param {{app: App, now: number}} props */
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
