/** Which apps `ls` shows, and in which order. */
import { figuresOf, isTroubled } from '../../show/rows.js';
import { appTone, stateTone } from '../../show/state.js';
import { TONES } from '../../show/tone.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { Tone } from '../../show/tone.js'
 * @import { Sort } from '../commands/ls.js'
 */

/** @type {(key: 'id' | 'pid' | 'cpu' | 'memory' | 'restarts') => (worker: Worker) => number | null} */
const figure = (key) => (worker) => worker[key] ?? null;
/** The latest start is the shortest uptime. @type {(worker: Worker) => number | null} */
const uptime = ({ startedAt }) => (startedAt === undefined ? null : -startedAt);

/** What each column is sorted by: of an app, and of a worker among those of its app. */
const values = {
  name: { app: (/** @type {App} */ { name }) => name, worker: figure('id') },
  id: { app: lowest(figure('id')), worker: figure('id') },
  pid: { app: lowest(figure('pid')), worker: figure('pid') },
  status: {
    app: (/** @type {App} */ app) => severity(appTone(app, Date.now()), app),
    worker: (/** @type {Worker} */ worker, /** @type {App} */ app) =>
      severity(stateTone({ key: '', kind: 'worker', app, worker }, Date.now()), worker),
  },
  cpu: { app: sum('cpu'), worker: figure('cpu') },
  memory: { app: sum('memory'), worker: figure('memory') },
  uptime: { app: lowest(uptime), worker: uptime },
  restarts: { app: sum('restarts'), worker: figure('restarts') },
};

/**
 * @param {App[]} apps
 * @param {{sort?: Sort, problems?: boolean}} options sort: by default as the daemon lists them
 */
export function arrangeApps(apps, { sort, problems }) {
  const shown = problems ? apps.filter((app) => isTroubled(app, Date.now())) : apps;
  if (sort === undefined) return shown;
  const { app, worker } = values[sort.key];
  return shown
    .map((each) => {
      const order = comparison((/** @type {Worker} */ one) => worker(one, each), sort);
      return { ...each, workers: [...each.workers].sort(order) };
    })
    .sort(comparison(app, sort));
}

/**
 * @template T
 * @param {(item: T) => string | number | null} valueOf
 * @param {Sort} sort
 * @returns {(a: T, b: T) => number} unknown values come last
 */
function comparison(valueOf, { isDescending }) {
  return (one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = Number(a > b) - Number(a < b);
    return isDescending ? -order : order;
  };
}

/** @param {Tone | 'off'} tone @param {{status: string}} view @returns {string} what is wrong comes first */
function severity(tone, { status }) {
  return `${TONES.indexOf(tone)} ${status}`;
}

/** @param {(worker: Worker) => number | null} valueOf */
function lowest(valueOf) {
  return (/** @type {App} */ { workers }) => {
    const known = workers.map(valueOf).filter((value) => value !== null);
    return known.length > 0 ? Math.min(...known) : null;
  };
}

/** @param {'cpu' | 'memory' | 'restarts'} key */
function sum(key) {
  return (/** @type {App} */ { workers }) => figuresOf(workers, Date.now())[key] ?? null;
}
