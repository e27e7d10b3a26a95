/** Which states and figures need attention. */

import { exitedWell } from '../lifecycle/exit.js';

/**
 * @import { Reason } from '../protocol/shapes.js'
 * @import { Quantity } from './quantity.js'
 *
 * @typedef {'good' | 'warn' | 'bad' | ''} Tone
 */

/** The worst first. */
export const TONES = /** @type {const} */ (['bad', 'warn', 'good', 'off', '']);

/** @type {Record<string, Tone | 'off'>} */
const ofStatus = {
  online: 'good',
  waiting: 'good',
  starting: 'warn',
  draining: 'warn',
  stopping: 'warn',
  unknown: 'warn',
  degraded: 'warn',
  failing: 'bad',
  backoff: 'bad',
  errored: 'bad',
  blocked: 'bad',
  failed: 'bad',
  stopped: 'off',
  exited: 'off',
};

/** Off: it does not run. @param {string} status of a worker or an app, or the kind of a progress event */
export function statusTone(status) {
  return ofStatus[status] ?? '';
}

/** @type {Record<string, Tone>} */
const ofChange = {
  online: 'good',
  healthy: 'good',
  responsive: 'good',
  exited: 'bad',
  errored: 'bad',
  blocked: 'bad',
  unhealthy: 'bad',
  lost: 'bad',
  rollback: 'bad',
  replacing: 'warn',
  judging: 'warn',
  degraded: 'warn',
  failing: 'bad',
  recovered: 'good',
  skipped: 'warn',
};

/** @param {{type: string, ok?: boolean, reason?: Reason | null}} event */
export function eventTone({ type, ok, reason }) {
  if (ok !== undefined) return ok ? 'good' : 'bad';
  // Of what has done its work.
  if (type === 'worker.exited' && reason?.final && exitedWell(reason)) return '';
  return ofChange[type.split('.')[1]] ?? '';
}

/** @param {Quantity} value @param {number} warn from here on @param {number} bad @returns {Tone} */
export function toneFrom(value, warn, bad) {
  if (typeof value !== 'number' || value < warn) return '';
  return value < bad ? 'warn' : 'bad';
}
