/** Puts the app of a launch file together: its slots, workers, sockets and logs. */
import { keepsSocket } from '../../lifecycle/socket-keeping.js';
import { App } from './app.js';
import { watchForHangs } from '../worker/hang-watch.js';
import { makeLaunch } from './generation.js';
import { chooseScheduling, launchInCluster } from '../launchers/cluster.js';
import { launchAsProcess } from '../launchers/process.js';
import { Leftovers } from '../processes/strays.js';
import { AppLogs } from '../log/app-logs.js';
import { ListeningSockets } from '../sockets/listening-sockets.js';
import { Remains } from '../processes/previous.js';
import { WorkerPool } from './worker-pool.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { WorkerHandle } from '../worker/worker-handle.js'
 * @import { PoolOptions } from './worker-pool.js'
 */

/**
 * @typedef {object} LaunchFile
 * @property {Spec} spec
 * @property {number} generation
 * @property {string} home
 * @property {number[]} slots
 * @property {number[]} [stoppedSlots]
 * @property {{execPath: string, script: string}} daemon
 */

/**
 * @param {LaunchFile} file
 * @param {HomePaths} paths
 * @returns {{app: App, sockets: ListeningSockets}}
 */
export function makeApp({ spec, generation, slots, stoppedSlots = [] }, paths) {
  chooseScheduling(spec.scheduling);
  const logs = new AppLogs(spec, paths, () => pool.changed());
  /** @type {PoolOptions['launcher']} */
  const launchWorker = (order, mark) => launchInCluster(order, mark, sockets);
  const launcher = spec.execMode === 'cluster' ? launchWorker : launchAsProcess;
  const remains = new Remains(paths.home, spec.name);
  const pool = new WorkerPool({ mode: spec.execMode, launcher, remains, logs });
  if (spec.execMode === 'cluster') watchForHangs(pool);
  const launch = makeLaunch(spec, generation);
  for (const number of slots) {
    const slot = pool.slot(number, launch);
    if (stoppedSlots.includes(number)) slot.unwant('close');
  }
  const app = new App(pool, launch, new Leftovers(remains, () => pool.changed()));
  /** @type {ListeningSockets} */
  const sockets = (app.sockets = socketsOf(app));
  return { app, sockets };
}

/** @param {App} app */
function socketsOf(app) {
  const { pool } = app;
  const sockets = new ListeningSockets({
    app: app.name,
    isKept: () =>
      keepsSocket({
        isComing: pool.isSomebodyComing,
        servingMs: pool.servingMs,
        settleMs: app.launch.spec.minUptimeMs,
      }),
    isSomebodyLeaving: () => [...pool.workers.values()].some(({ wasRetired }) => wasRetired),
    holdTimeoutMs: () => app.launch.spec.holdTimeoutMs,
    holdConnections: () => app.launch.spec.holdConnections,
  });
  pool.on('change', () => sockets.reconsider());
  pool.on('worker', (/** @type {WorkerHandle} */ worker) => {
    worker.on('change', () => {
      if (worker.status === 'online' && worker.child) sockets.admission.admit(worker.child);
    });
  });
  return sockets;
}
