/** The question that the user must confirm before a command is sent, and the command. */
import { formatCount } from '../show/quantity.js';
import { hasEnded } from '../show/state.js';

/**
 * @import { App, Worker } from '../protocol/shapes.js'
 * @import { BareRow } from '../show/rows.js'
 *
 * @typedef {'scale' | 'resume' | 'reload' | 'restart' | 'stop' | 'run-now'} Method of the daemon
 *
 * @typedef {object} Confirmation
 * @property {string} title `Reload api?`
 * @property {string} text what it will do
 * @property {string} action `reload`, `restart`, `start`, `stop`, `scale` or `run-now`
 * @property {string} target `api` or `api:1`
 * @property {Record<string, unknown>} options of the command
 * @property {boolean} isRisky whether requests can be lost or something ends
 * @property {Scale} [scale] for `scale`: the number can still be changed
 *
 * @typedef {object} Scale
 * @property {number} from
 * @property {number} to
 * @property {{min: number, max: number} | null} range of an app that scales itself
 */

/** What keys ask for. */
export const keyActions = ['reload', 'restart', 'stop', 'more', 'fewer', 'run-now'];
/** A job has one worker, and every run has the current code. */
const notForJobs = ['more', 'fewer', 'reload', 'restart'];

/** @param {readonly Pick<Worker, 'status'>[]} workers @returns {boolean} whether they have to be started */
export function areIdle(workers) {
  return workers.length > 0 && workers.every(hasEnded);
}

/**
 * @param {string} action one of keyActions
 * @param {BareRow} row
 * @returns {Confirmation | null} null: it does not apply to this app
 */
export function confirmationFor(action, { kind, app, worker }) {
  const { name, job, workers: all, autoscaling: range = null } = app;
  if (job ? notForJobs.includes(action) : action === 'run-now') return null;
  const from = all.length;
  if (action === 'more') return confirmScale(name, { from, to: from + 1, range });
  if (action === 'fewer') return confirmScale(name, { from, to: from - 1, range });
  const one = kind === 'worker' ? worker : null;
  const target = one ? `${name}:${one.slot}` : name;
  const workers = one ? [one] : all;
  if (action === 'stop' && areIdle(workers)) {
    return ask('start', target, 'Start', job ? 'It runs on its schedule.' : 'It is not running.');
  }
  return questions[action](target, formatCount(workers.length, 'worker'), app, one !== null);
}

/** @param {App} app @returns {string[]} what a reload costs; none: it listens on nothing, so that nobody has to be served */
function reloadCost({ mode, workers }) {
  const listening = workers.flatMap((worker) => worker.listening);
  const isShared = mode === 'cluster' && listening.every(({ by }) => by === undefined);
  if (!isShared) return ['each worker stops before its successor starts'];
  return listening.length > 0 ? ['no request is lost'] : [];
}

/** @type {Record<string, (target: string, count: string, app: App, isWorker: boolean) => Confirmation>} */
const questions = {
  reload: (target, count, app) => {
    return ask('reload', target, 'Reload', `${[count, ...reloadCost(app)].join('; ')}.`);
  },
  restart: (target, count, { mode }, isWorker) => {
    const cost = restartCost(mode, isWorker);
    return ask('restart', target, 'Restart', `${count}; ${cost}.`, mode !== 'cluster');
  },
  stop: (target, count, { job }) => {
    const text = job ? 'It no longer runs on its schedule.' : `${count} will stop.`;
    return ask('stop', target, 'Stop', text, true);
  },
  'run-now': (target, _count, { job, status }) => {
    const isReplaced = job?.overlap === 'replace' && status !== 'waiting';
    const text = isReplaced ? 'The run in progress is stopped.' : 'It runs outside its schedule.';
    return ask('run-now', target, 'Run', text, isReplaced);
  },
};

/**
 * @param {Confirmation} confirmation
 * @param {number} step
 * @returns {Confirmation} with another number of workers, if it is for `scale`
 */
export function changeScale(confirmation, step) {
  const { scale, target } = confirmation;
  return scale ? confirmScale(target, { ...scale, to: scale.to + step }) : confirmation;
}

/** @param {string} target @param {Scale} scale @returns {Confirmation} */
function confirmScale(target, { from, to: number, range }) {
  const { min, max } = range ?? { min: 1, max: Infinity };
  const to = Math.min(Math.max(min, number), max);
  const then = range ? ` It keeps scaling itself between ${min} and ${max}.` : '';
  return {
    ...ask('scale', target, 'Scale', `+, - and digits change the number.${then}`),
    title: `Scale ${target} from ${from} to ${to}?`,
    options: { instances: String(to) },
    scale: { from, to, range },
  };
}

/** @param {string} action @param {string} target @param {string} verb @param {string} text */
function ask(action, target, verb, text, isRisky = false) {
  return { title: `${verb} ${target}?`, text, action, target, options: {}, isRisky };
}

/** @param {string | undefined} mode @param {boolean} isWorker */
function restartCost(mode, isWorker) {
  if (mode !== 'cluster') return 'requests are interrupted';
  // If only one worker restarts, the others keep serving.
  return isWorker ? 'requests are finished' : 'requests are finished, new connections wait';
}

/**
 * @param {Pick<Confirmation, 'action' | 'target' | 'options'>} confirmed
 * @returns {{method: Method, params: any}} what the daemon is asked
 */
export function requestFor({ action, target, options }) {
  if (action === 'scale') {
    return { method: 'scale', params: { selector: target, instances: String(options.instances) } };
  }
  const method = /** @type {Method} */ (action === 'start' ? 'resume' : action);
  return { method, params: { selectors: [target] } };
}
