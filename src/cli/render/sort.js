/** In which order `ls` shows apps. */
import { appTone, figuresOf } from '../../show/rows.js';
import { stateTone } from '../../show/state.js';
import { TONES } from '../../show/tone.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { Tone } from '../../show/tone.js'
 * @import { Sort } from '../commands/ls.js'
 */

/** @typedef {string | number | null} Value null: unknown */

/** @type {(key: 'id' | 'pid' | 'cpu' | 'memory' | 'restarts') => (worker: Worker) => Value} */
const figure = (key) => (worker) => worker[key] ?? null;
/** @type {(key: 'cpu' | 'memory' | 'restarts') => (app: App) => Value} */
const sum = (key) => (app) => figuresOf(app.workers, Date.now())[key] ?? null;
/** The latest start is the shortest uptime. @param {Worker} worker */
const uptime = ({ startedAt }) => (startedAt === undefined ? null : -startedAt);
/** What is wrong comes first. @param {Tone | 'off'} tone @param {{status: string}} view */
const severity = (tone, { status }) => `${TONES.indexOf(tone)} ${status}`;

/** @type {Record<string, [ofApp: (app: App) => Value, ofWorker: (worker: Worker, app: App) => Value]>} */
const values = {
  name: [({ name }) => name, figure('id')],
  id: [lowest(figure('id')), figure('id')],
  pid: [lowest(figure('pid')), figure('pid')],
  status: [
    (app) => severity(appTone(app, Date.now()), app),
    (worker, app) =>
      severity(stateTone({ key: '', kind: 'worker', app, worker }, Date.now()), worker),
  ],
  cpu: [sum('cpu'), figure('cpu')],
  memory: [sum('memory'), figure('memory')],
  uptime: [lowest(uptime), uptime],
  restarts: [sum('restarts'), figure('restarts')],
};

/** @param {App[]} apps @param {Sort} sort */
export function sortApps(apps, sort) {
  const [ofApp, ofWorker] = values[sort.key];
  return apps
    .map((each) => {
      const order = comparison((/** @type {Worker} */ worker) => ofWorker(worker, each), sort);
      return { ...each, workers: [...each.workers].sort(order) };
    })
    .sort(comparison(ofApp, sort));
}

/** @template T @param {(item: T) => Value} valueOf @param {Sort} sort */
function comparison(valueOf, { isDescending }) {
  return (/** @type {T} */ one, /** @type {T} */ other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    // Unknown values come last.
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = Number(a > b) - Number(a < b);
    return isDescending ? -order : order;
  };
}

/** @param {(worker: Worker) => Value} valueOf */
function lowest(valueOf) {
  return (/** @type {App} */ { workers }) => {
    const known = workers.map(valueOf).filter((value) => value !== null);
    return known.length > 0 ? Math.min(...known.map(Number)) : null;
  };
}
