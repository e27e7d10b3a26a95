/** What the page may ask of the daemon, as the request that the daemon gets. Pure. */
import { Refusal } from '../http/respond.js';

/**
 * @import { CommandName, DaemonMethods } from '../../../protocol/methods.js'
 * @import { AppView } from '../../../protocol/shapes.js'
 */

/**
 * @typedef {object} Order
 * @property {string} action
 * @property {CommandName} method
 * @property {DaemonMethods[CommandName]['params']} params
 * @property {string[]} targets names of apps, or of workers: `api:0`
 */

/** The method of the daemon, and whether it takes single workers. @type {Record<string, {method: CommandName, takesWorkers: boolean}>} */
const ACTIONS = {
  start: { method: 'resume', takesWorkers: true },
  stop: { method: 'stop', takesWorkers: true },
  restart: { method: 'restart', takesWorkers: true },
  reload: { method: 'reload', takesWorkers: true },
  reset: { method: 'reset', takesWorkers: true },
  scale: { method: 'scale', takesWorkers: false },
  'run-now': { method: 'run-now', takesWorkers: false },
  flush: { method: 'flush', takesWorkers: false },
  delete: { method: 'delete', takesWorkers: false },
};
const MAX_TARGETS = 100;
const COUNT = /^(?:[+-]?\d{1,4}|max)$/;

/**
 * @param {Record<string, unknown>} body of the request
 * @param {AppView[]} apps that there are
 * @returns {Order}
 * @throws {Refusal}
 */
export function readAction({ action, targets, options = {} }, apps) {
  if (typeof action !== 'string' || !Object.hasOwn(ACTIONS, action)) {
    throw new Refusal(400, `The action must be one of ${Object.keys(ACTIONS).join(', ')}.`);
  }
  const { method, takesWorkers } = ACTIONS[action];
  if (
    !Array.isArray(targets) ||
    !targets.every(isTarget) ||
    targets.length === 0 ||
    targets.length > MAX_TARGETS
  ) {
    throw new Refusal(
      400,
      `The targets must be a list of 1 to ${MAX_TARGETS} names or worker ids.`,
    );
  }
  const names = targets.map((target) => nameOf(target, apps, takesWorkers));
  const given = /** @type {Record<string, unknown>} */ (Object(options));
  return { action, method, params: paramsOf(action, names, given), targets: names };
}

/** @param {unknown} target @returns {target is string | number} the name of an app, or the id of a worker */
function isTarget(target) {
  return typeof target === 'string' || typeof target === 'number';
}

/** @param {string | number} target @param {AppView[]} apps @param {boolean} takesWorkers */
function nameOf(target, apps, takesWorkers) {
  const app = apps.find(({ name }) => name === target);
  if (app) return app.name;
  for (const { name, workers } of takesWorkers ? apps : []) {
    const worker = workers.find(({ id }) => id === target);
    if (worker) return `${name}:${worker.slot}`;
  }
  throw new Refusal(404, `There is no app ${takesWorkers ? 'or worker ' : ''}${target}.`);
}

/** @param {string} action @param {string[]} selectors @param {Record<string, unknown>} options */
function paramsOf(action, selectors, { instances, parallel }) {
  if (action !== 'scale') {
    const isRolling = action === 'reload' && Number.isInteger(parallel) && Number(parallel) > 0;
    return { selectors, ...(isRolling && { parallel: Number(parallel) }) };
  }
  if (selectors.length > 1) throw new Refusal(400, 'Only one app can be scaled at a time.');
  if (typeof instances !== 'string' || !COUNT.test(instances)) {
    throw new Refusal(400, 'The number of instances must be like 4, +2, -1 or max.');
  }
  return { selector: selectors[0], instances };
}
