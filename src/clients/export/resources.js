/** How much CPU and memory an app needs. docs/export.md explains the formulas. */
/** @import { Spec } from '../../config/spec.js' */

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
  const most = typeof instances === 'number' ? instances : instances.max;
  const workers = most > 0 ? most : Math.max(1, Math.floor(available) + most);
  const perWorker = maxMemoryRestartBytes ?? TYPICAL_WORKER_BYTES;
  const surge = Math.min(2 * waveOf(maxSurge, workers), workers);
  const processes = execMode === 'cluster' && autorestart ? workers + surge : workers;
  const size = `${Math.ceil(perWorker / MiB)}M`;
  const limit = maxMemoryRestartBytes === null ? 'no max_memory_restart, so' : 'max_memory_restart';
  return {
    workers,
    cpus: cpus ?? (most > 0 ? most : available),
    memoryMiB: Math.ceil((processes * perWorker + OWN_BYTES) / MiB),
    isLimited: maxMemoryRestartBytes !== null,
    cpuSetting: cpus === undefined ? instancesText(instances) : '--cpus',
    memorySetting: `${processes} ${processes === 1 ? 'worker' : 'workers'} × ${limit} ${size} + ${OWN_BYTES / MiB}M for nodecluster`,
  };
}

/** How many workers a reload replaces at a time. @param {number} maxSurge @param {number} workers */
function waveOf(maxSurge, workers) {
  return maxSurge || Math.max(1, Math.floor(workers / 4));
}

/**
 * @param {Spec['instances']} instances
 * @returns {string} `instances: max`, `instances: 2..8`
 */
export function instancesText(instances) {
  const text = (/** @type {number} */ count) => (count === 0 ? 'max' : String(count));
  if (typeof instances === 'number') return `instances: ${text(instances)}`;
  return `instances: ${text(instances.min)}..${text(instances.max)}`;
}
