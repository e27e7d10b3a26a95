/** The first line of `monit`: workers by status, totals, and what is wrong with the daemon. */
import { STATUS_ORDER } from '../../../lifecycle/status-order.js';
import { SILENT_MS } from '../../../api/streams/feed.js';
import { widthOf } from '../../../cli/render/table/cells.js';
import { paint } from '../../../cli/render/palette.js';
import { paintStatus } from '../../../show/paint.js';
import {
  formatAge,
  formatCount,
  formatCpu,
  formatMemory,
  formatRate,
} from '../../../show/quantity.js';

/**
 * @import { WorkerView } from '../../../protocol/shapes.js'
 * @import { State } from '../state.js'
 * @import { Look } from './table.js'
 */

/**
 * @param {State} state
 * @param {Look} look
 * @param {number} now epoch ms
 * @returns {string}
 */
export function drawHead(state, look, now) {
  const { bold, dim, red } = paint(look);
  const problem = red(daemonProblem(state, now));
  const { apps } = state;
  const workers = apps.flatMap((app) => app.workers);
  const parts = [
    bold(formatCount(apps.length, 'app')),
    ...statesOf(workers, look),
    ...totalsOf(workers).map((total) => dim(total)),
  ];
  const room = look.columns - 2;
  let line = '';
  for (const part of parts) {
    const longer = line ? `${line}  ${part}` : part;
    if (widthOf(longer) + (problem ? widthOf(problem) + 2 : 0) > room) break;
    line = longer;
  }
  const right = problem || dim('nodecluster');
  const gap = room - widthOf(line) - widthOf(right);
  if (gap < 2 && !problem) return ` ${line}`;
  return ` ${line}${' '.repeat(Math.max(0, gap))}${right}`;
}

/**
 * @param {State} state
 * @param {number} now epoch ms
 * @returns {string} why the screen may be out of date; '' if it is not
 */
function daemonProblem({ daemon, changedAt, framedAt }, now) {
  if (!daemon) return `no daemon for ${formatAge(now - changedAt)}, reconnecting`;
  return now - framedAt >= SILENT_MS ? `daemon silent for ${formatAge(now - framedAt)}` : '';
}

/** @param {WorkerView[]} workers @param {Look} look */
function statesOf(workers, look) {
  const statuses = STATUS_ORDER.filter((each) => workers.some(({ status }) => status === each));
  const total = formatCount(workers.length, 'worker');
  if (statuses.length === 1) return [`${total} ${paintStatus(statuses[0], paint(look))}`];
  const states = statuses.map((each) => {
    const count = workers.filter(({ status }) => status === each).length;
    return paintStatus(each, paint(look), `${count} ${each}`);
  });
  return states.map((state, index) => (index === 0 ? `${total}: ${state}` : state));
}

/** @param {WorkerView[]} workers */
function totalsOf(workers) {
  const sum = (/** @type {(worker: WorkerView) => number | null | undefined} */ pick) =>
    workers.reduce((total, worker) => total + (pick(worker) ?? 0), 0);
  return [
    `cpu ${formatCpu(sum((worker) => worker.cpu))}`,
    `memory ${formatMemory(sum((worker) => worker.memory))}`,
    `${formatRate(sum((worker) => worker.requestsPerSecond))} req/s`,
  ];
}
