/** How much CPU and memory an app needs. docs/export.md explains the formulas. */
import { waveSize } from '../lifecycle/rolling-plan.js';

/** @import { Spec } from '../config/spec.js' */

/** Cores for `instances: max` where the command does not say. */
const DEFAULT_CPUS = 2;
const MiB = 1024 ** 2;
/** The daemon and one primary after many reloads: docs/reliability.md, "Growth". */
const OWN_BYTES = 256 * MiB;
/** A worker without max_memory_restart. */
const TYPICAL_WORKER_BYTES = 128 * MiB;

/**
 * @typedef {object} Resources
 * @property {number} workers
 * @property {number} cpus that the workers can use
 * @property {number} memoryMiB
 * @property {boolean} isLimited false: the memory is only an estimate, since nothing limits a worker
 * @property {string} cpuSetting `instances: 4`
 * @property {string} memorySetting
 */

/**
 * One event loop uses one core. In a reload in cluster mode, one wave boots while another drains.
 * @param {Spec} spec
 * @param {number | undefined} cpus of the command
 * @returns {Resources}
 */
export function resourcesOf(
  { instances, maxSurge, maxMemoryRestartBytes, execMode, autorestart },
  cpus,
) {
  const available = cpus ?? DEFAULT_CPUS;
  const workers = instances > 0 ? instances : Math.max(1, Math.floor(available) + instances);
  const perWorker = maxMemoryRestartBytes ?? TYPICAL_WORKER_BYTES;
  const surge = Math.min(2 * waveSize(maxSurge, workers), workers);
  const most = execMode === 'cluster' && autorestart ? workers + surge : workers;
  const size = `${Math.ceil(perWorker / MiB)}M`;
  const limit = maxMemoryRestartBytes === null ? 'no max_memory_restart, so' : 'max_memory_restart';
  return {
    workers,
    cpus: cpus ?? (instances > 0 ? instances : available),
    memoryMiB: Math.ceil((most * perWorker + OWN_BYTES) / MiB),
    isLimited: maxMemoryRestartBytes !== null,
    cpuSetting: cpus === undefined ? `instances: ${instances === 0 ? 'max' : instances}` : '--cpus',
    memorySetting: `${most} ${most === 1 ? 'worker' : 'workers'} × ${limit} ${size} + ${OWN_BYTES / MiB}M for nodecluster`,
  };
}
