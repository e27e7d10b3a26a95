/** When `run` is over, and what its exit code says. */

/** @import { Status } from '../../protocol/shapes.js' */

/**
 * @typedef {object} RunApp
 * @property {string} name
 * @property {readonly Status[]} statuses of its workers
 * @property {boolean} comesBack a schedule, or a change of its files, starts it again
 *
 * @typedef {{outcome: 'exited'} | {outcome: 'errored', apps: string[]}} RunVerdict
 */

/** The worker does not run, and nothing will start it. */
const ENDED = ['errored', 'exited', 'stopped'];

/**
 * One app without a worker that still can run is enough: the orchestrator sees only the whole, and only
 * a new container helps. What a person stopped waits to be started again.
 * @param {readonly RunApp[]} apps
 * @param {readonly string[] | null} refused names of apps that could not even be added, as on a full disk;
 *   null: they are still being started
 * @returns {RunVerdict | null} null: it goes on
 */
export function judgeRun(apps, refused) {
  const ended = apps.filter(
    ({ statuses, comesBack }) => !comesBack && statuses.every((status) => ENDED.includes(status)),
  );
  const errored = ended.filter(({ statuses }) => statuses.includes('errored'));
  if (errored.length > 0) return { outcome: 'errored', apps: errored.map(({ name }) => name) };
  if (refused === null) return null;
  if (refused.length > 0) return { outcome: 'errored', apps: [...refused] };
  const isOver = ended.length === apps.length && ended.some(hasExited);
  return isOver || apps.length === 0 ? { outcome: 'exited' } : null;
}

/** @param {RunApp} app */
function hasExited({ statuses }) {
  return statuses.includes('exited');
}
