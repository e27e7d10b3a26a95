/** The buttons for the selected app or worker. Each opens a question. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { linkTo } from './data/route.js';
import { canAct } from './data/select.js';
import { areIdle } from '../../../show/confirmation.js';

/**
 * @import { PageState } from './data/model.js'
 * @import { Dispatch } from './data/store.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 */

/** spoken: what a sign means. @type {Record<string, [label: string, key?: string, spoken?: string]>} */
const OFFERS = {
  reload: ['Reload', 'r'],
  restart: ['Restart', 'R'],
  stop: ['Stop', 's'],
  start: ['Start', 's'],
  fewer: ['−', '-', 'one worker fewer'],
  more: ['+', '+', 'one worker more'],
  'run-now': ['Run now', 'n'],
  reset: ['Reset counters'],
  flush: ['Empty logs'],
  delete: ['Delete'],
};
const RARE = ['reset', 'flush', 'delete'];

/** @param {{state: PageState, row: Row, dispatch: Dispatch, hasRare?: boolean}} props */
export function ActionBar({ state, row, dispatch, hasRare = false }) {
  const { app, worker, kind } = row;
  const slot = kind === 'worker' && worker ? worker.slot : null;
  const actions = state.server?.isReadOnly ? [] : actionsFor(row, hasRare);
  // The question about a stop asks whether to start what is stopped.
  const ask = (/** @type {string} */ action) =>
    dispatch({ kind: 'ask', action: action === 'start' ? 'stop' : action });
  return html`
    <div class="bar actions" role="group" aria-label=${`Actions on ${escapeLine(row.key)}`}>
      ${(!hasRare || kind === 'worker') && html`<span class="target mono">${escapeLine(row.key)}</span>`}
      <a class="button" href=${linkTo({ view: 'logs', app: app.name, slot })} title="l">Logs</a>
      ${actions.map((action, index) => {
        const [label, key, spoken] = OFFERS[action];
        return html`<button
          type="button"
          class=${hasRare && index === 0 ? 'primary' : action}
          title=${key}
          aria-label=${spoken}
          disabled=${!canAct(state)}
          onClick=${() => ask(action)}
        >
          ${label}
        </button>`;
      })}
    </div>
  `;
}

/** The one that is asked for most comes first. @param {Row} row @param {boolean} hasRare @returns {string[]} */
function actionsFor({ app: { job, workers }, kind, worker }, hasRare) {
  const isOne = kind === 'worker';
  const isIdle = areIdle(isOne && worker ? [worker] : workers);
  const rare = hasRare && !isOne ? RARE : [];
  if (job) return [...(isIdle ? ['start'] : ['run-now', 'stop']), ...rare];
  const usual = isIdle ? ['start', 'reload', 'restart'] : ['reload', 'restart', 'stop'];
  return [...usual, ...(isOne ? [] : ['fewer', 'more']), ...rare];
}
