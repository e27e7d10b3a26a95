/** The question that the user must confirm before a command is sent, and the command. */
import { formatCount } from '../../cli/render/quantity.js';

/**
 * @import { CommandName, DaemonMethods } from '../../protocol/methods.js'
 * @import { Row } from '../../cli/render/table/rows.js'
 */

/**
 * @typedef {object} Confirmation
 * @property {string} text
 * @property {CommandName} method
 * @property {DaemonMethods[CommandName]['params']} params
 * @property {string} target app or worker
 * @property {{from: number, to: number}} [scale] for `scale`: the number can still be changed
 */

const idleStatuses = ['stopped', 'exited', 'errored'];
/** A job has one worker, and every run has the current code. */
const notForJobs = ['more', 'fewer', 'reload', 'restart'];

/**
 * @param {string} action reload, restart, stop, more, fewer or run-now
 * @param {Row} row the selected one
 * @returns {Confirmation | null} null: it does not apply to this app
 */
export function confirmationFor(action, { key: target, kind, app, worker }) {
  const { name, workers: all, job } = app;
  if (job ? notForJobs.includes(action) : action === 'run-now') return null;
  if (action === 'more') return confirmScale(name, all.length, all.length + 1);
  if (action === 'fewer') return confirmScale(name, all.length, all.length - 1);
  const workers = worker ? [worker] : all;
  const isIdle = workers.length > 0 && workers.every(({ status }) => idleStatuses.includes(status));
  const method = action === 'stop' && isIdle ? 'resume' : action;
  const { verb, effect } = questions[method](app, formatCount(workers.length, 'worker'), kind);
  const params = { selectors: [target], ...(method !== 'run-now' && { updateEnv: null }) };
  const text = `${verb} ${target}? ${effect}`;
  return { method: /** @type {CommandName} */ (method), target, params, text };
}

/** By the method of the daemon. @type {Record<string, (app: Row['app'], count: string, kind: Row['kind']) => {verb: string, effect: string}>} */
const questions = {
  reload: ({ mode }, count) => {
    const cost =
      mode === 'cluster' ? 'no request is lost' : 'each stops before the next one starts';
    return { verb: 'Reload', effect: `${count}, one by one; ${cost}.` };
  },
  restart: ({ mode }, count, kind) => ({
    verb: 'Restart',
    effect: `${count}; ${restartCost(mode, kind)}.`,
  }),
  stop: ({ job }, count) => ({
    verb: 'Stop',
    effect: job ? 'It no longer runs at its times.' : `${count} will stop.`,
  }),
  resume: ({ job }) => ({
    verb: 'Start',
    effect: job ? 'It runs at its times.' : 'It is not running.',
  }),
  'run-now': ({ job, status }) => {
    const isReplaced = job?.overlap === 'replace' && status !== 'waiting';
    const effect = isReplaced ? 'The run in progress is stopped.' : 'It runs besides its schedule.';
    return { verb: 'Run', effect };
  },
};

/**
 * @param {Confirmation} confirmation
 * @param {number} step
 * @returns {Confirmation} with another number of workers, if it is for `scale`
 */
export function changeScale(confirmation, step) {
  const { scale, target } = confirmation;
  return scale ? confirmScale(target, scale.from, scale.to + step) : confirmation;
}

/** @param {string} target @param {number} from @param {number} number @returns {Confirmation} */
function confirmScale(target, from, number) {
  const to = Math.max(1, number);
  return {
    text: `Scale ${target} from ${from} to ${to}? + and - change the number.`,
    method: 'scale',
    params: { selector: target, instances: String(to) },
    target,
    scale: { from, to },
  };
}

/** @param {string} mode @param {Row['kind']} kind */
function restartCost(mode, kind) {
  if (mode !== 'cluster') return 'requests are interrupted';
  // If only one worker restarts, the others keep serving.
  return kind === 'worker'
    ? 'requests are finished'
    : 'requests are finished, new connections wait';
}
