/** The question that the user must confirm before a command is sent, and the command. */
import { formatCount } from '../format/quantity.js';

/**
 * @import { App, Worker } from '../state/model.js'
 * @import { Row } from '../table/rows.js'
 */

/**
 * @typedef {object} Confirmation
 * @property {string} title `Reload api?`
 * @property {string} text what it will do
 * @property {string} action `reload`, `restart`, `stop`, `scale`, `delete` or `reset`
 * @property {string} target the name of the app or the worker
 * @property {string | number} id the name of the app, or the id of the worker
 * @property {Record<string, unknown>} options of the command
 * @property {boolean} isRisky whether requests can be lost or something ends
 * @property {{from: number, to: number}} [scale] for `scale`: the number can still be changed
 */

const idleStatuses = ['stopped', 'exited', 'errored'];

/**
 * @param {Pick<Worker, 'status'>} worker
 * @returns {boolean} whether it has to be started
 */
export function isIdle({ status }) {
  return idleStatuses.includes(status);
}

/**
 * @param {string} action reload, restart, stop, more, fewer, reset, flush or delete
 * @param {Row} row
 * @returns {Confirmation}
 */
export function confirmationFor(action, { kind, app, workers: all, worker }) {
  const { name } = app;
  if (action === 'more') return confirmScale(name, all.length, all.length + 1);
  if (action === 'fewer') return confirmScale(name, all.length, all.length - 1);
  const one = kind === 'worker' ? worker : null;
  const target = one ? { name: `${name}:${one.slot}`, id: one.id } : { name, id: name };
  const workers = one ? [one] : all;
  if (action === 'stop' && workers.every(isIdle)) {
    return ask('start', target, 'Start', 'It is not running.');
  }
  return questions[action](target, formatCount(workers.length, 'worker'), app);
}

/** @typedef {{name: string, id: string | number}} Target */

/** @type {Record<string, (target: Target, count: string, app: App) => Confirmation>} */
const questions = {
  reload: (target, count, { mode }) => {
    const cost =
      mode === 'cluster' ? 'no request is lost' : 'each stops before the next one starts';
    return ask('reload', target, 'Reload', `${count}, one after the other; ${cost}.`);
  },
  restart: (target, count, { mode }) => {
    const cost = restartCost(mode, typeof target.id === 'number');
    return ask('restart', target, 'Restart', `${count}; ${cost}.`, mode !== 'cluster');
  },
  stop: (target, count) => ask('stop', target, 'Stop', `${count} will stop.`, true),
  reset: (target, count) =>
    ask('reset', target, 'Reset', `The restart counters of ${count} start again at 0.`),
  flush: (target) => ask('flush', target, 'Empty', 'The lines in its log files are lost.', true),
  delete: (target, count) =>
    ask('delete', target, 'Delete', `${count} will stop, and the app is no longer listed.`, true),
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
  const text = `From ${formatCount(from, 'worker')} to ${to}. + and - change the number.`;
  const asked = ask('scale', { name: target, id: target }, 'Scale', text);
  return { ...asked, options: { instances: String(to) }, scale: { from, to } };
}

/**
 * @param {string} action
 * @param {Target} target
 * @param {string} verb
 * @param {string} text
 * @param {boolean} [isRisky]
 * @returns {Confirmation}
 */
function ask(action, { name, id }, verb, text, isRisky = false) {
  return { title: `${verb} ${name}?`, text, action, target: name, id, options: {}, isRisky };
}

/** @param {string | undefined} mode @param {boolean} isWorker */
function restartCost(mode, isWorker) {
  if (mode !== 'cluster') return 'requests are interrupted';
  // If only one worker restarts, the others keep serving.
  return isWorker ? 'requests are finished' : 'requests are finished, new connections wait';
}
