/** When `run` is over, and what its exit code says. */

/** @import { Status } from '../../../protocol/shapes.js' */

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
 * @param {object} state
 * @param {boolean} state.isChanging a command that may add apps is in progress: one may wait until another has exited
 * @param {readonly string[]} [state.refused] apps that could not even be added, as on a full disk
 * @returns {RunVerdict | null} null: it goes on
 */
export function judgeRun(apps, { isChanging, refused = [] }) {
  const ended = apps.filter(
    ({ statuses, comesBack }) => !comesBack && statuses.every((status) => ENDED.includes(status)),
  );
  const errored = ended.filter(({ statuses }) => statuses.includes('errored'));
  if (errored.length > 0) return { outcome: 'errored', apps: errored.map(({ name }) => name) };
  if (isChanging || ended.length < apps.length) return null;
  if (apps.length === 0 && refused.length > 0) return { outcome: 'errored', apps: [...refused] };
  return apps.length === 0 || ended.some(hasExited) ? { outcome: 'exited' } : null;
}

/** @param {RunApp} app */
function hasExited({ statuses }) {
  return statuses.includes('exited');
}
