/**
 * What to do about a worker that exited unexpectedly. Every such exit counts, however long it ran. Time that failed starts
 * take does not: otherwise a program that takes 10 s to fail would be restarted forever.
 */
import { doublingDelay } from './delays.js';
import { formatDuration } from '../shared/units.js';
import { describeListenFault } from './listening.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { PastExit } from '../protocol/shapes.js'
 * @import { CommandOutcome } from '../shared/processes/bounded-command.js'
 *
 * @typedef {Pick<Spec, 'autorestart' | 'onDemand' | 'stopExitCodes' | 'maxRestarts' | 'restartWindowMs' | 'restartDelayMs' |
 *   'expBackoffRestartDelayMs' | 'maxRestartDelayMs'>} RestartPolicy
 * @typedef {Pick<PastExit, 'code' | 'signal' | 'error' | 'isShortage' | 'fault' | 'stdinEnded'>} Exit `error`: of the system, such as EMFILE
 *
 * @typedef {{atMs: number, startingMs: number}} Death an unexpected exit; atMs: monotonic; startingMs: duration of its failed
 *   start; 0: it had been online
 *
 * @typedef {{action: 'restart', delayMs: number}
 *   | {action: 'exited' | 'errored', reason: string}} RestartDecision
 */

const RESOURCE_ERRORS = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];
const NO_DESCRIPTOR =
  'no file descriptor is left; raise `ulimit -n`, or LimitNOFILE of a systemd unit';
/** Its arguments and variables stay too large. */
const FINAL_ERROR = /^E2BIG\b/;

/**
 * A shortage is not the program's fault and passes, so it counts as no death, and the start is retried until it works.
 * @param {Pick<Exit, 'error' | 'isShortage'>} exit
 */
export function isResourceShortage({ error, isShortage = false }) {
  return isShortage || RESOURCE_ERRORS.includes(error ?? '');
}

/** A server that exits with 0 has failed, a script has not. @param {Partial<Exit>} exit @param {boolean} hasListened */
export function hasEnded({ code, fault, stdinEnded }, hasListened) {
  return code === 0 && !fault && !stdinEnded && !hasListened;
}

/** @param {Pick<RestartPolicy, 'autorestart' | 'stopExitCodes'>} policy @param {Exit} exit */
export function isExpectedExit({ autorestart, stopExitCodes }, { code, fault }) {
  // One that handled its failed listen may have had nothing else to do, but none is meant to crash.
  if (fault && code !== 0) return false;
  return code !== null && (stopExitCodes.includes(code) || (!autorestart && code === 0));
}

/**
 * @param {object} death @param {RestartPolicy} death.policy @param {Exit} death.exit
 * @param {string} [death.how] what happened, in words that follow 'the worker'
 * @param {readonly Death[]} death.deaths of this slot, ascending, including this one
 * @param {number} death.nowMs monotonic
 * @param {number} death.random in [0, 1), for the jitter
 * @returns {RestartDecision}
 */
export function decideRestart({ policy, exit, how = describeExit(exit), deaths, nowMs, random }) {
  if (isRetried(policy, exit)) return { action: 'restart', delayMs: policy.maxRestartDelayMs };
  if (isExpectedExit(policy, exit) && policy.stopExitCodes.includes(exit.code ?? -1)) {
    const note = exit.fault ? `${how}; ` : '';
    return { action: 'exited', reason: `${note}exit code ${exit.code} is one of stop_exit_codes` };
  }
  if (!policy.autorestart) {
    const action = isExpectedExit(policy, exit) ? 'exited' : 'errored';
    // A run ends, and something else begins the next.
    if (policy.onDemand) return { action, reason: how };
    return { action, reason: `${how}${exit.fault ? ';' : ' and'} autorestart is off` };
  }
  const recent = recentDeaths(deaths, nowMs, policy.restartWindowMs);
  const reason = reasonToGiveUp({ policy, exit, how, nowMs }, recent);
  if (reason !== null) return { action: 'errored', reason };
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
 * @param {{policy: RestartPolicy, exit: Exit, how: string, nowMs: number}} death
 * @param {readonly Death[]} recent
 */
function reasonToGiveUp({ policy, exit, how, nowMs }, recent) {
  if (FINAL_ERROR.test(exit.error ?? '')) return how;
  if (recent.length <= policy.maxRestarts) return null;
  return `${describeDeaths(recent, policy, nowMs)} ${how}`;
}

/** @param {readonly Death[]} recent @param {RestartPolicy} policy @param {number} nowMs */
function describeDeaths(recent, { restartWindowMs }, nowMs) {
  const times = recent.length === 1 ? 'once' : `${recent.length} times`;
  const exceedsWindow = nowMs - recent[0].atMs >= restartWindowMs;
  const note = exceedsWindow ? ', not counting the time of failed starts' : '';
  return `failed ${times} within ${formatDuration(restartWindowMs)}${note}; the last time it`;
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

/** Null: it exited as nodecluster ended it. @param {Exit & {wasEnded?: boolean}} exit */
export function endingOf({ code, signal, error, fault, stdinEnded, wasEnded = false }) {
  return wasEnded && !fault ? null : { code, signal, error, fault, stdinEnded };
}

const STDIN_ENDED = {
  empty: ' because its stdin, /dev/null, is empty',
  given: ' at the end of its stdin',
};

/** `exited with code 3`: of a process, in words that follow its name. @param {Exit} exit */
export function describeExit({ code, signal, error, fault, stdinEnded }) {
  if (fault) return describeListenFault(fault);
  if (signal) return `was killed by ${signal}`;
  if (code !== null) return `exited with code ${code}${stdinEnded ? STDIN_ENDED[stdinEnded] : ''}`;
  return error ? `could not be started (${explain(error)})` : 'could not be started';
}

/** @param {string} code of the system, for a message to a worker */
export function describeLoss(code) {
  // The worker had no descriptor for the socket that came with it.
  return `could not be sent a ${code === 'EMFILE' ? 'socket' : 'message'} (${explain(code)})`;
}

/** @param {string} error of the system */
function explain(error) {
  return error === 'EMFILE' ? `EMFILE: ${NO_DESCRIPTOR}` : error;
}

/** With its last words; null: it exited with 0. @param {string} file of the command @param {CommandOutcome} outcome */
export function commandFailure(file, { exit, excess, lastLine }) {
  if (exit.code === 0 && excess === null) return null;
  return `${file} ${excess ?? describeExit(exit)}${lastLine === '' ? '' : `: ${lastLine}`}`;
}
