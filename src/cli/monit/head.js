/** The first line of `monit`: how many workers are how, what all of them take, and the daemon. */
import { widthOf } from '../render/cells.js';
import { paint, paintStatus } from '../render/palette.js';
import { counted, cpu, lasting, memory, rate } from '../render/quantity.js';

/** What is wrong comes first. */
const ORDER = ['errored', 'unresponsive', 'backoff', 'unknown', 'starting', 'draining', 'stopping'];
const REST = ['online', 'exited', 'stopped'];

/**
 * @param {import('./state.js').State} state
 * @param {import('./table.js').Look} look
 * @param {number} now epoch ms
 * @returns {string}
 */
export function drawHead(state, look, now) {
  const { bold, dim, red } = paint(look);
  const { daemon, changedAt, apps } = state;
  const right = daemon
    ? dim(`nodecluster ${daemon.version}`)
    : red(`daemon gone ${lasting(now - changedAt)}, reconnecting`);
  const workers = apps.flatMap((app) => app.workers);
  const parts = [
    bold(counted(apps.length, 'app')),
    ...statesOf(workers, look),
    ...totalsOf(workers).map((total) => dim(total)),
  ];
  let left = '';
  for (const part of parts) {
    const longer = left ? `${left}  ${part}` : ` ${part}`;
    if (widthOf(longer) + widthOf(right) + 2 > look.columns) break;
    left = longer;
  }
  const space = look.columns - widthOf(left) - widthOf(right) - 1;
  return space < 1 ? right : `${left}${' '.repeat(space)}${right}`;
}

/**
 * @param {import('./rows.js').Worker[]} workers
 * @param {import('./table.js').Look} look
 */
function statesOf(workers, look) {
  return [...ORDER, ...REST].flatMap((status) => {
    const count = workers.filter((worker) => worker.status === status).length;
    return count === 0 ? [] : [paintStatus(status, look, `${count} ${status}`)];
  });
}

/** @param {import('./rows.js').Worker[]} workers */
function totalsOf(workers) {
  const sum = (
    /** @type {(worker: import('./rows.js').Worker) => number | null | undefined} */ pick,
  ) => workers.reduce((total, worker) => total + (pick(worker) ?? 0), 0);
  return [
    `cpu ${cpu(sum((worker) => worker.cpu))}`,
    `memory ${memory(sum((worker) => worker.memory))}`,
    `${rate(sum((worker) => worker.requestsPerSecond))} req/s`,
  ];
}
