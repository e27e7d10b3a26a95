/**
 * What to do about a worker that exited unexpectedly. Every such exit counts, however long it ran. Time that failed starts
 * take does not: otherwise a program that takes 10 s to fail would be restarted forever.
 */
import { doublingDelay } from './delays.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { PastExit, Reason } from '../protocol/shapes.js'
 *
 * @typedef {Pick<Spec, 'autorestart' | 'onDemand' | 'stopExitCodes' | 'maxRestarts' | 'restartWindowMs' | 'restartDelayMs' |
 *   'expBackoffRestartDelayMs' | 'maxRestartDelayMs'>} RestartPolicy
 * @typedef {Pick<PastExit, 'code' | 'signal' | 'reason'> & {isShortage?: boolean}} Exit isShortage: something outside of the
 *   program was missing for a moment, such as a secret that it is started with
 *
 * @typedef {{atMs: number, startingMs: number}} Death an unexpected exit; atMs: monotonic; startingMs: duration of its failed
 *   start; 0: it had been online
 *
 * @typedef {{action: 'restart', delayMs: number}
 *   | {action: 'exited' | 'errored', reason: Reason}} RestartDecision
 */

const RESOURCE_ERRORS = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];
/** Its arguments and variables stay too large. */
const FINAL_ERROR = 'E2BIG';

/**
 * A shortage is not the program's fault and passes, so it counts as no death, and the start is retried until it works.
 * @param {Pick<Exit, 'reason' | 'isShortage'>} exit
 */
export function isResourceShortage({ reason, isShortage = false }) {
  return isShortage || (reason.kind === 'start' && RESOURCE_ERRORS.includes(reason.error));
}

/** @param {Pick<RestartPolicy, 'autorestart' | 'stopExitCodes'>} policy @param {Exit} exit */
export function isExpectedExit({ autorestart, stopExitCodes }, { code, reason }) {
  // One that handled its failed listen may have had nothing else to do, but none is meant to crash.
  if (reason.kind === 'listen' && code !== 0) return false;
  return code !== null && (stopExitCodes.includes(code) || (!autorestart && code === 0));
}

/**
 * @param {object} death @param {RestartPolicy} death.policy @param {Exit} death.exit
 * @param {readonly Death[]} death.deaths of this slot, ascending, including this one
 * @param {number} death.nowMs monotonic
 * @param {number} death.random in [0, 1), for the jitter
 * @returns {RestartDecision}
 */
export function decideRestart({ policy, exit, deaths, nowMs, random }) {
  const { reason } = exit;
  if (isRetried(policy, exit)) return { action: 'restart', delayMs: policy.maxRestartDelayMs };
  if (isExpectedExit(policy, exit) && policy.stopExitCodes.includes(exit.code ?? -1)) {
    return { action: 'exited', reason: { ...reason, final: 'stop_exit_codes' } };
  }
  if (!policy.autorestart) {
    const action = isExpectedExit(policy, exit) ? 'exited' : 'errored';
    // A run ends, and something else begins the next.
    return { action, reason: policy.onDemand ? reason : { ...reason, final: 'autorestart' } };
  }
  const recent = recentDeaths(deaths, nowMs, policy.restartWindowMs);
  if (reason.kind === 'start' && reason.error === FINAL_ERROR) return { action: 'errored', reason };
  if (recent.length > policy.maxRestarts) {
    const { restartWindowMs: windowMs } = policy;
    const isLonger = nowMs - recent[0].atMs >= windowMs;
    const final = { failures: recent.length, windowMs, isLonger };
    return { action: 'errored', reason: { ...reason, final } };
  }
  return { action: 'restart', delayMs: restartDelay(policy, recent.length, random) };
}

/** Another run of a job would be one that nobody asked for. @param {RestartPolicy} policy @param {Exit} exit */
function isRetried({ onDemand }, exit) {
  return isResourceShortage(exit) && !onDemand;
}

/** Those that still count. @param {readonly Death[]} deaths ascending @param {number} nowMs @param {number} windowMs */
export function recentDeaths(deaths, nowMs, windowMs) {
  let startingMs = 0;
  let first = deaths.length;
  while (first > 0 && nowMs - deaths[first - 1].atMs - startingMs < windowMs) {
    first -= 1;
    startingMs += deaths[first].startingMs;
  }
  return deaths.slice(first);
}

/**
 * Jitter of up to a quarter keeps workers that died together from starting together.
 * @param {RestartPolicy} policy @param {number} recent deaths in the window, at least 1 @param {number} random
 */
function restartDelay(policy, recent, random) {
  if (recent <= 1) return policy.restartDelayMs;
  const { expBackoffRestartDelayMs: firstMs, maxRestartDelayMs: maxMs } = policy;
  const backoffMs = doublingDelay(recent - 2, firstMs, maxMs);
  return Math.max(policy.restartDelayMs, Math.round(backoffMs * (1 - random / 4)));
}
