/** The first line of `monit`: how many workers are how, what all of them take, and the daemon. */
import { SILENT_MS } from '../../actions/feed.js';
import { widthOf } from '../../render/table/cells.js';
import { paint, paintStatus } from '../../render/palette.js';
import {
  formatAge,
  formatCount,
  formatCpu,
  formatMemory,
  formatRate,
} from '../../render/quantity.js';

/**
 * @import { WorkerView } from '../../../protocol/shapes.js'
 * @import { State } from '../state.js'
 * @import { Look } from './table.js'
 */

/** What is wrong comes first. */
const ORDER = ['errored', 'unresponsive', 'backoff', 'unknown', 'starting', 'draining', 'stopping'];
const REST = ['online', 'exited', 'stopped'];

/**
 * @param {State} state
 * @param {Look} look
 * @param {number} now epoch ms
 * @returns {string}
 */
export function drawHead(state, look, now) {
  const { bold, dim, red } = paint(look);
  const lost = red(trouble(state, now));
  const { apps } = state;
  const workers = apps.flatMap((app) => app.workers);
  const left = [
    bold(formatCount(apps.length, 'app')),
    ...statesOf(workers, look),
    ...totalsOf(workers).map((total) => dim(total)),
  ];
  const room = look.columns - 2;
  let line = '';
  for (const part of left) {
    const longer = line ? `${line}  ${part}` : part;
    if (widthOf(longer) + (lost ? widthOf(lost) + 2 : 0) > room) break;
    line = longer;
  }
  const right = lost || dim('nodecluster');
  const space = room - widthOf(line) - widthOf(right);
  if (space < 2 && !lost) return ` ${line}`;
  return ` ${line}${' '.repeat(Math.max(0, space))}${right}`;
}

/**
 * @param {State} state
 * @param {number} now epoch ms
 * @returns {string} why what is shown may be old; '' when it is not
 */
function trouble({ daemon, changedAt, framedAt }, now) {
  if (!daemon) return `daemon gone ${formatAge(now - changedAt)}, reconnecting`;
  return now - framedAt >= SILENT_MS ? `daemon silent ${formatAge(now - framedAt)}` : '';
}

/**
 * @param {WorkerView[]} workers
 * @param {Look} look
 */
function statesOf(workers, look) {
  return [...ORDER, ...REST].flatMap((status) => {
    const count = workers.filter((worker) => worker.status === status).length;
    return count === 0 ? [] : [paintStatus(status, look, `${count} ${status}`)];
  });
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
