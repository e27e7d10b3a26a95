/** Builds the app of a launch file: its slots, workers, sockets and logs. */
import path from 'node:path';
import { effectiveScheduling } from '../../lifecycle/effective-scheduling.js';
import { keepsSocket } from '../../lifecycle/listening.js';
import { features } from '../../features/primary.js';
import { chooseScheduling, launchAsProcess, launchInCluster } from '../worker/launchers.js';
import { AppLogs } from '../log/app-logs.js';
import { PreviousWorkers } from '../processes/previous.js';
import { StrayProcesses } from '../processes/strays.js';
import { canSharePort } from '../sockets/slot-sockets.js';
import { ListeningSockets } from '../sockets/listening-sockets.js';
import { watchPulses } from '../worker/pulse.js';
import { App } from './app.js';
import { makeLaunch } from './launch.js';
import { WorkerPool } from './pool.js';
import { isWorkerLeaving, prospectsOf } from './listening.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { LaunchFile, Output, PrimaryPaths } from '../launch-file.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { Launcher } from '../worker/process.js'
 */

/**
 * @param {LaunchFile} file
 * @param {Pick<PrimaryPaths, 'workers'> & Pick<HomePaths, 'logFile'>} paths
 * @param {Record<string, string>} baseEnv variables of its workers that the spec may override
 * @param {Output} [output] where their output goes instead of log files
 */
export function makeApp(file, paths, baseEnv, output) {
  const { spec, generation, home, slots, stoppedSlots, listeningRecord, createdAt } = file;
  const isCluster = spec.execMode === 'cluster';
  const scheduling = schedulingOf(spec);
  if (isCluster) chooseScheduling(scheduling.scheduling);
  const strays = new StrayProcesses(home, spec.name);
  const logs = new AppLogs(spec, paths, { onLoss: () => pool.changed(), output, createdAt });
  /** @type {Launcher} */
  const launcher = isCluster ? (worker) => launchInCluster(worker, sockets) : launchAsProcess;
  const pool = new WorkerPool(spec.execMode, {
    launcher,
    strays,
    logs,
    partsOf: (worker) => app.features.partsOf(worker),
  });
  if (isCluster) watchPulses(() => pool.workers.values());
  const launch = makeLaunch(spec, generation, baseEnv, listeningRecord);
  for (const number of slots) {
    const slot = pool.addSlot(number, launch);
    if (stoppedSlots.includes(number)) slot.setStopped('close');
  }
  const sockets = makeSockets(pool, scheduling, file, () => app.launch.spec);
  const previousWorkers = new PreviousWorkers(strays, () => pool.changed());
  const parts = { sockets, features, directory: path.dirname(paths.workers) };
  /** @type {App} */
  const app = new App(pool, parts, launch, previousWorkers, listeningRecord);
  return app;
}

/** @param {Spec} spec that the primary was started with; this part of it never changes */
function schedulingOf({ execMode, scheduling }) {
  if (execMode !== 'cluster') return { scheduling, note: null };
  const { platform, versions } = process;
  return effectiveScheduling(scheduling, { platform, node: versions.node, canSharePort });
}

/**
 * @param {WorkerPool} pool
 * @param {ReturnType<typeof schedulingOf>} scheduling
 * @param {LaunchFile} file
 * @param {() => Spec} currentSpec
 */
function makeSockets(pool, scheduling, { home, spec }, currentSpec) {
  const sockets = new ListeningSockets(scheduling, {
    app: spec.name,
    home,
    isKept: (slots) => keepsSocket(prospectsOf(pool, slots), currentSpec().minUptimeMs),
    isWorkerLeaving: () => isWorkerLeaving(pool),
    holdTimeoutMs: () => currentSpec().holdTimeoutMs,
    // A worker on trial is judged by what it answers, and the worker that wakes up first gets short requests.
    isTakingTurns: () => pool.slotsOf().some(({ isOnTrial }) => isOnTrial),
  });
  pool.on('change', () => sockets.reconsider());
  pool.on('worker', (/** @type {WorkerHandle} */ worker) => {
    worker.on('change', () => {
      const { status, child, parts, pulse } = worker;
      if (status !== 'online' || !child) return;
      if (parts.trouble !== null || pulse.isHeld) sockets.admission.suspend(child);
      else sockets.admission.admit(child);
    });
  });
  return sockets;
}
