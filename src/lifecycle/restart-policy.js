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
 * @typedef {Pick<PastExit, 'code' | 'signal' | 'isShortage' | 'reason'>} Exit
 *
 * @typedef {{atMs: number, startingMs: number}} Death an unexpected exit; atMs: monotonic; startingMs: duration of its failed
 *   start; 0: it had been online
 *
 * @typedef {{action: 'restart', delayMs: number}
 *   | {action: 'exited' | 'errored', reason: Reason}} RestartDecision
 */

const RESOURCE_ERRORS = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];
const NO_DESCRIPTOR =
  'no file descriptor is left; raise `ulimit -n`, or LimitNOFILE of a systemd unit';
/** Its arguments and variables stay too large. */
const FINAL_ERROR = /^E2BIG\b/;

/**
 * A shortage is not the program's fault and passes, so it counts as no death, and the start is retried until it works.
 * @param {Pick<Exit, 'reason' | 'isShortage'>} exit
 */
export function isResourceShortage({ reason, isShortage = false }) {
  return isShortage || (reason.kind === 'start' && RESOURCE_ERRORS.includes(reason.error));
}

/** Whether it exited with 0 by itself: a server has failed then, a script has not. @param {Reason | null} [reason] */
export function exitedWell(reason) {
  return reason?.kind === 'exit' && reason.code === 0 && !reason.stdinEnded;
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
  if (reason.kind === 'start' && FINAL_ERROR.test(reason.error))
    return { action: 'errored', reason };
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

const STDIN_ENDED = {
  empty: ' because its stdin, /dev/null, is empty',
  given: ' at the end of its stdin',
};

/**
 * `exited with code 3`: of a process, in words that follow its name.
 * @param {{code?: number | null, signal?: string | null, error?: string | null, stdinEnded?: keyof STDIN_ENDED}} exit
 */
export function describeExit({ code = null, signal, error, stdinEnded }) {
  if (signal) return `was killed by ${signal}`;
  if (code !== null) return `exited with code ${code}${stdinEnded ? STDIN_ENDED[stdinEnded] : ''}`;
  return error ? `could not be started (${errnoText(error)})` : 'could not be started';
}

/** @param {string} error of the system */
export function errnoText(error) {
  return error === 'EMFILE' ? `EMFILE: ${NO_DESCRIPTOR}` : error;
}

/** With its last words; null: it exited with 0. @param {string} file of the command @param {{exit: Parameters<typeof describeExit>[0], excess: string | null, lastLine: string}} outcome */
export function commandFailure(file, { exit, excess, lastLine }) {
  if (exit.code === 0 && excess === null) return null;
  return `${file} ${excess ?? describeExit(exit)}${lastLine === '' ? '' : `: ${lastLine}`}`;
}
