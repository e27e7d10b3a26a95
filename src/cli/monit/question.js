/** What changes something is asked first: what is asked, and what the daemon is told after a yes. */
import { formatCount } from '../render/quantity.js';

/**
 * @import { CommandName, DaemonMethods } from '../../protocol/methods.js'
 * @import { AppView } from '../../protocol/shapes.js'
 * @import { Row } from '../render/table/rows.js'
 */

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {CommandName} method
 * @property {DaemonMethods[CommandName]['params']} params
 * @property {string} about what it is done to
 * @property {{from: number, to: number}} [scale] the number can still be changed
 */

/** Those that do not run and will not by themselves. */
const RESTING = ['stopped', 'exited', 'errored'];

/**
 * @param {string} action reload, restart, stop, more or fewer
 * @param {Row} row that is selected
 * @returns {Question}
 */
export function questionFor(action, row) {
  if (action === 'more') return scaleQuestion(row, row.app.workers.length + 1);
  if (action === 'fewer') return scaleQuestion(row, row.app.workers.length - 1);
  const { key: about, app, worker } = row;
  const workers = worker ? [worker] : app.workers;
  const count = formatCount(workers.length, 'worker');
  const question = (/** @type {CommandName} */ method, /** @type {string} */ text) => ({
    ...{ method, text, about, params: { selectors: [about], updateEnv: null } },
  });
  if (action === 'reload') return question('reload', `Reload ${about}? ${reloadCost(app, count)}`);
  if (action === 'restart') {
    return question('restart', `Restart ${about}? ${count}; ${restartCost(row)}.`);
  }
  const rests = workers.length > 0 && workers.every(({ status }) => RESTING.includes(status));
  if (rests) return question('resume', `Start ${about}? It does not run.`);
  return question('stop', `Stop ${about}? ${count} will end.`);
}

/**
 * @param {Question} question about a number of workers
 * @param {number} step
 * @returns {Question}
 */
export function changeScale(question, step) {
  const { scale, about } = question;
  if (!scale) return question;
  return scaleTo(about, scale.from, Math.max(1, scale.to + step));
}

/**
 * @param {Row} row
 * @param {number} wanted
 */
function scaleQuestion({ app }, wanted) {
  return scaleTo(app.name, app.workers.length, Math.max(1, wanted));
}

/**
 * @param {string} about
 * @param {number} from
 * @param {number} to
 * @returns {Question}
 */
function scaleTo(about, from, to) {
  return {
    text: `Scale ${about} from ${from} to ${to}? + and - change the number.`,
    method: 'scale',
    params: { selector: about, instances: String(to) },
    about,
    scale: { from, to },
  };
}

/**
 * @param {AppView} app
 * @param {string} count
 */
function reloadCost({ mode }, count) {
  return mode === 'cluster'
    ? `${count}, one by one, and no request is lost.`
    : `${count}, one by one; each ends before the next starts.`;
}

/** @param {Row} row */
function restartCost({ app, kind }) {
  if (app.mode !== 'cluster') return 'requests are interrupted';
  // Beside one of several the others serve on.
  return kind === 'worker'
    ? 'requests are finished'
    : 'requests are finished, new connections wait';
}
