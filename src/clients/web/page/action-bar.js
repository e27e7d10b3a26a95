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

/** @typedef {[action: string, label: string, key: string]} Offer */

/** @type {Offer[]} */
const REPLACING = [
  ['reload', 'Reload', 'r'],
  ['restart', 'Restart', 'R'],
];
/** @type {Offer[]} */
const SCALING = [
  ['fewer', '−', '-'],
  ['more', '+', '+'],
];
/** What signs mean. @type {Record<string, string>} */
const SPOKEN = { fewer: 'one worker fewer', more: 'one worker more' };
/** @type {Offer} */
const RUNNING = ['run-now', 'Run now', 'n'];
/** @type {Offer[]} */
const RARE = [
  ['reset', 'Reset counters', ''],
  ['flush', 'Empty logs', ''],
  ['delete', 'Delete', ''],
];

/** On a phone, all but the first one are in a menu. @param {{state: PageState, row: Row, dispatch: Dispatch, hasRare?: boolean}} props */
export function ActionBar({ state, row, dispatch, hasRare = false }) {
  const { app, worker, kind } = row;
  const slot = kind === 'worker' && worker ? worker.slot : null;
  const logs = linkTo({ view: 'logs', app: app.name, slot });
  const offers = state.server?.isReadOnly ? [] : actionsFor(row, hasRare);
  const [first, ...others] = offers.map(
    ([action, label, key], index) =>
      html`<button
        type="button"
        class=${hasRare && index === 0 ? 'primary' : `a-${action}`}
        title=${key}
        aria-label=${SPOKEN[action]}
        disabled=${!canAct(state)}
        popovertarget=${index === 0 ? undefined : MENU}
        popovertargetaction="hide"
        onClick=${() => dispatch({ kind: 'ask', action })}
      >
        ${label}
      </button>`,
  );
  return html`
    <div class="actions" role="group" aria-label=${`Actions on ${escapeLine(row.key)}`}>
      ${(!hasRare || kind === 'worker') && html`<span class="target mono">${escapeLine(row.key)}</span>`}
      <a class="button" href=${logs} title="l">Logs</a>
      ${first}
      ${
        others.length > 0 &&
        html`<button type="button" class="more" popovertarget=${MENU} aria-label="more actions">
            …
          </button>
          <div class="menu" id=${MENU} popover="auto">${others}</div>`
      }
    </div>
  `;
}

const MENU = 'more-actions';

/** The one that is asked for most comes first. @param {Row} row @param {boolean} hasRare @returns {Offer[]} */
function actionsFor({ app: { job, workers }, kind, worker }, hasRare) {
  const isOne = kind === 'worker';
  const isStopped = areIdle(isOne && worker ? [worker] : workers);
  /** @type {Offer} */
  const stop = ['stop', isStopped ? 'Start' : 'Stop', 's'];
  if (job) return [...(isStopped ? [] : [RUNNING]), stop, ...(hasRare ? RARE : [])];
  const usual = isStopped ? [stop, ...REPLACING] : [...REPLACING, stop];
  return [...usual, ...(isOne ? [] : SCALING), ...(hasRare && !isOne ? RARE : [])];
}
