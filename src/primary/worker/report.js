/** What a worker reports: steps, which the current command relays, and events, which no command waits for. */
/** @import { WorkerHandle } from './handle.js' */

/** @typedef {Pick<WorkerHandle, 'slot' | 'pid' | 'generation' | 'status' | 'after' | 'emit'>} Reporter */

/**
 * Also called for the first command, which may arrive after the worker has started.
 * @param {Reporter & Pick<WorkerHandle, 'mustStayUp' | 'launch'>} worker
 */
export function reportStart(worker) {
  const { slot, pid, generation, status, after, mustStayUp, launch } = worker;
  if (status !== 'starting' && status !== 'online') return;
  const { how, fault } = after ?? {};
  const { minUptimeMs } = launch.spec;
  const reason =
    mustStayUp && minUptimeMs > 0 ? `must stay up for ${minUptimeMs / 1000} s` : undefined;
  worker.emit('progress', { kind: 'starting', slot, pid, generation, reason, after: how, fault });
  if (status === 'online') reportStep(worker, 'online');
}

/** @param {Reporter} worker @param {string} kind @param {string} [reason] */
export function reportStep(worker, kind, reason) {
  const { slot, pid, generation } = worker;
  worker.emit('progress', { kind, slot, pid, generation, reason });
}

/** @param {Reporter} worker @param {string} type @param {string | null} [reason] */
export function reportEvent(worker, type, reason) {
  const { slot, pid, generation } = worker;
  worker.emit('event', { type, slot, pid, generation, reason: reason ?? undefined });
}
