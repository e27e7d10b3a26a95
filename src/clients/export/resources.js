/** What an app needs: CPU, memory, time to start and stop, ports. docs/guides/export.md explains the formulas. */
import { waveSize } from '../../lifecycle/rolling-plan.js';

/** @import { Spec } from '../../config/spec.js' */

/** Cores for `instances: max` where the command does not say. */
const DEFAULT_CPUS = 2;
const MiB = 1024 ** 2;
/** The daemon and one primary after many reloads: docs/explanations/reliability.md, "Growth". */
const OWN_BYTES = 256 * MiB;
/** A worker without max_memory_restart. */
const TYPICAL_WORKER_BYTES = 128 * MiB;

/**
 * One event loop uses one core. In a reload in cluster mode, one wave boots while another drains.
 * @param {Spec} spec
 * @param {number | undefined} cpus of the command
 */
export function resourcesOf(
  { instances, maxSurge, maxMemoryRestartBytes, execMode, autorestart },
  cpus,
) {
  const available = cpus ?? DEFAULT_CPUS;
  const most = typeof instances === 'number' ? instances : instances.max;
  const workers = most > 0 ? most : Math.max(1, Math.floor(available) + most);
  const perWorker = maxMemoryRestartBytes ?? TYPICAL_WORKER_BYTES;
  const surge = Math.min(2 * waveSize(maxSurge, workers), workers);
  const processes = execMode === 'cluster' && autorestart ? workers + surge : workers;
  const size = `${Math.ceil(perWorker / MiB)}M`;
  const limit = maxMemoryRestartBytes === null ? 'no max_memory_restart, so' : 'max_memory_restart';
  return {
    workers,
    /** That the workers can use. */
    cpus: cpus ?? (most > 0 ? most : available),
    memoryMiB: Math.ceil((processes * perWorker + OWN_BYTES) / MiB),
    /** Otherwise the memory is only an estimate, since nothing limits a worker. */
    isLimited: maxMemoryRestartBytes !== null,
    cpuSetting: cpus === undefined ? instancesText(instances) : '--cpus',
    memorySetting: `${processes} ${processes === 1 ? 'worker' : 'workers'} × ${limit} ${size} + ${OWN_BYTES / MiB}M for nodecluster`,
  };
}

/** @param {Spec['instances']} instances @returns {string} `instances: max`, `instances: 2..8` */
export function instancesText(instances) {
  const text = (/** @type {number} */ count) => (count === 0 ? 'max' : String(count));
  if (typeof instances === 'number') return `instances: ${text(instances)}`;
  return `instances: ${text(instances.min)}..${text(instances.max)}`;
}

/** What `run` itself needs to exit after its last worker. */
const MARGIN_S = 5;

/** @param {Spec} spec @returns {{seconds: number, setting: string}} after which the engine may kill what is left */
export function stopTime({ shutdownDelayMs, drainTimeoutMs, killTimeoutMs }) {
  const ms = shutdownDelayMs + drainTimeoutMs + killTimeoutMs;
  const seconds = Math.ceil(ms / 1000) + MARGIN_S;
  const delay = shutdownDelayMs > 0 ? `shutdown_delay ${shutdownDelayMs / 1000}s + ` : '';
  const parts = `${delay}drain_timeout ${drainTimeoutMs / 1000}s + kill_timeout ${killTimeoutMs / 1000}s`;
  return { seconds, setting: `${parts} + ${MARGIN_S}s` };
}

/**
 * A worker that fails is started again, until there were `max_restarts` within `restart_window`.
 * @param {Spec} spec
 * @returns {{seconds: number, setting: string}} after which `run` has either started or given up
 */
export function startTime({ listenTimeoutMs, minUptimeMs, restartWindowMs, health }) {
  const startPeriodMs = health?.startPeriodMs ?? 0;
  const firstMs = Math.max(startPeriodMs, listenTimeoutMs);
  const key = startPeriodMs > listenTimeoutMs ? 'health.start_period' : 'listen_timeout';
  const seconds = Math.ceil((firstMs + minUptimeMs + restartWindowMs) / 1000);
  const parts = [
    `${key} ${firstMs / 1000}s`,
    `min_uptime ${minUptimeMs / 1000}s`,
    `restart_window ${restartWindowMs / 1000}s`,
  ];
  return { seconds, setting: parts.join(' + ') };
}

/** @param {Spec} spec @param {number} [given] of the command @returns null: nothing in the settings names one */
export function portsOf(spec, given = Number(spec.env.PORT)) {
  const setting = given === Number(spec.env.PORT) ? `env.PORT: ${given}` : `--port ${given}`;
  const own = isPort(given) ? [given] : [];
  const privileged = spec.privilegedPorts.map((address) => Number(address.replace(/^.*:/, '')));
  if (own.length + privileged.length === 0) return null;
  const parts = [
    ...own.map(() => setting),
    ...(privileged.length === 0 ? [] : [`privileged_ports: ${spec.privilegedPorts.join(', ')}`]),
  ];
  return {
    /** At least one; the first is that of its clients. */
    numbers: [...new Set([...own, ...privileged])],
    /** Where they stand: `env.PORT: 3000`. */
    setting: parts.join(', '),
  };
}

/** @param {number} port */
function isPort(port) {
  return Number.isInteger(port) && port > 0 && port <= 65_535;
}
