/** Which events `run` shows on stderr, and in which words. */
import { describeRecord } from '../../shared/log-files/daemon-line.js';
import { formatDuration } from '../../shared/units.js';

/** @typedef {Record<string, any> & {event: string, level: 'info' | 'warn' | 'error'}} Entry */

/** By the number of requests to stop. */
const STOPPING = [
  '',
  ': stopping',
  ' again: stopping without waiting for requests',
  ' again: killing what still runs',
];

/** Null: it needs no line. @type {Record<string, (entry: Entry) => string | null>} */
const WORDS = {
  'worker.ended': workerEnded,
  'worker.online': ({ slot, restarts }) => (restarts > 0 ? `worker ${slot} is online again` : null),
  'worker.unresponsive': ({ slot, blockedFor }) =>
    `worker ${slot} has been unresponsive for ${blockedFor}`,
  'worker.responsive': ({ slot }) => `worker ${slot} is responsive again`,
  'worker.unhealthy': ({ slot, reason }) => `worker ${slot} is unhealthy: ${reason}`,
  'worker.healthy': ({ slot }) => `worker ${slot} is healthy again`,
  'app.unhealthy': ({ reason }) =>
    `the health check fails on every worker, so none is replaced: ${reason}`,
  'app.healthy': () => 'the health check succeeds again',
  'cores.changed': ({ cores, from, to }) =>
    `cores available now: ${cores}; workers: ${from} → ${to}`,
  // Its outcome is described instead, as after a command.
  'action.ended': () => null,
  'reload.refused': ({ reason }) => `the reload was refused, nothing has changed: ${reason}`,
  'endpoint.open': ({ address }) => `probes and metrics on http://${address}`,
  'run.stopping': ({ signal, requests }) => `${signal}${STOPPING[Math.min(requests, 3)]}`,
  'run.over': runOver,
  'daemon.ended': () => 'stopped',
};

/**
 * @param {Entry} entry as for daemon.log
 * @returns {string | null} null: it is not shown
 */
export function ownLine(entry) {
  const words = WORDS[entry.event];
  if (words) return words(entry);
  if (entry.level === 'info') return null;
  return describeRecord({ ...entry, app: undefined, slot: undefined, worker: entry.slot })
    .join(' ')
    .trimEnd();
}

/** @param {Entry} entry */
function workerEnded({ slot, reason, after, then, inMs, why }) {
  const ended = `worker ${slot} ${reason} (uptime ${after})`;
  if (then === 'backoff') return `${ended}; it starts again in ${formatDuration(inMs)}`;
  if (then === 'the old worker stays') return `the new ${ended}; the old one stays`;
  if (then === 'errored' || then === 'exited') return `worker ${slot} ${why}; it stays ${then}`;
  return `${ended}; it is ${then}`;
}

/** @param {Entry} entry */
function runOver({ errored }) {
  if (!errored) return 'every app has exited; ending';
  return `${errored.join(', ')} cannot run any more; ending`;
}
