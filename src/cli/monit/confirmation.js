/** The question that the user must confirm before a command is sent, and the command. */
import { formatCount } from '../render/quantity.js';

/**
 * @import { CommandName, DaemonMethods } from '../../protocol/methods.js'
 * @import { Row } from '../render/table/rows.js'
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

/**
 * @param {string} action reload, restart, stop, more or fewer
 * @param {Row} row the selected one
 * @returns {Confirmation}
 */
export function confirmationFor(action, { key: target, kind, app, worker }) {
  const { name, mode, workers: all } = app;
  if (action === 'more') return confirmScale(name, all.length, all.length + 1);
  if (action === 'fewer') return confirmScale(name, all.length, all.length - 1);
  const workers = worker ? [worker] : all;
  const count = formatCount(workers.length, 'worker');
  const params = { selectors: [target], updateEnv: null };
  if (action === 'reload') {
    const cost =
      mode === 'cluster' ? 'no request is lost' : 'each stops before the next one starts';
    const text = `Reload ${target}? ${count}, one by one; ${cost}.`;
    return { method: 'reload', target, params, text };
  }
  if (action === 'restart') {
    const text = `Restart ${target}? ${count}; ${restartCost(mode, kind)}.`;
    return { method: 'restart', target, params, text };
  }
  const noneRuns = workers.every(({ status }) => idleStatuses.includes(status));
  return workers.length > 0 && noneRuns
    ? { method: 'resume', target, params, text: `Start ${target}? It is not running.` }
    : { method: 'stop', target, params, text: `Stop ${target}? ${count} will stop.` };
}

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
