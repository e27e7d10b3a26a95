/**
 * When a new worker counts as online, and when it has failed to start.
 *
 * A first start must listen or, if the program never does, stay up for `min_uptime`. The replacement of a working worker
 * must listen on every address that the old one serves, and the first one of a version stay up for `min_uptime` too. After a
 * restart a socket is required as long as clients wait for one: the new version may not listen any more.
 */

import { MAX_STRETCH } from './delays.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { Lateness, ListenFault } from '../protocol/shapes.js'
 */

/** After that time a first start is looked at from inside, and then again and again. */
const LOOK_MS = 1000;
/** What shows nothing of a server is looked at for so many times as long, and then listens on nothing. */
const PATIENCE = 3;

/**
 * @typedef {{hasPassed: boolean, failure: string | null, startPeriodMs: number}} FirstCheck failure: of the last check
 *
 * @typedef {object} CandidateFacts
 * @property {boolean} saidReady
 * @property {readonly string[]} listening addresses that it listens on
 * @property {ListenFault | null} fault why it could not listen, and listens on nothing; null: not known
 * @property {'none' | 'likely' | 'any' | 'again' | readonly string[]} expected what it must listen on;
 *   'likely': it is known to be a server; 'again': as the worker before a restart did
 * @property {ServerSign | null} sign whether its program looks like a server from inside; null: not
 *   known yet
 * @property {boolean} replaces it will take the place of a working one
 * @property {boolean} mustStayUp no worker has shown yet that what it runs stays up
 * @property {number} uptimeMs since the process was started, as `startClockMs` counts it
 * @property {boolean} isStopped by a signal (SIGSTOP)
 * @property {number | null} loadedMs since the program was loaded; null: not yet. A busy machine
 *   may need longer than `min_uptime` to reach the line at which a program throws
 * @property {number | null} upMs since it was loaded, listened or said that it is ready, whichever came last
 * @property {FirstCheck | null} check null: it need pass none
 *
 * @typedef {Pick<Spec, 'waitReady' | 'minUptimeMs' | 'listenTimeoutMs' | 'holdTimeoutMs' | 'hangTimeoutMs'> & CandidateFacts} Candidate
 *
 * 'server': it has made a server that does not listen yet; 'busy': it uses its event loop, as when modules are loaded;
 * 'unknown': nothing in it can say; 'silent': what it runs was seen to listen on nothing.
 * @typedef {'server' | 'busy' | 'none' | 'unknown' | 'silent'} ServerSign
 *
 * @typedef {{verdict: 'online'} | {verdict: 'failed', reason: Lateness | ListenFault} | {verdict: 'ask for the sign'}
 *   | {verdict: 'wait', ms: number | null, late?: Lateness, isUp?: true}} Readiness `ms`: judge again by then; null: only
 *   after an event; `late`: what it should have done by now; `isUp`: it need only stay so
 */

/**
 * A worker that waits for a CPU is not late.
 * @param {number} uptimeMs
 * @param {number} cpuWaitMs of it: ready to run, without a CPU
 */
export function startClockMs(uptimeMs, cpuWaitMs) {
  return Math.max(uptimeMs - cpuWaitMs, uptimeMs / MAX_STRETCH);
}

/** @param {Candidate} candidate @returns {Readiness} */
export function judgeReadiness(candidate) {
  const readiness = judgeStart(candidate);
  const { isStopped, uptimeMs, listenTimeoutMs } = candidate;
  if (isStopped && readiness.verdict === 'wait' && uptimeMs >= listenTimeoutMs) {
    return { verdict: 'failed', reason: { kind: 'late', what: 'continue' } };
  }
  if (readiness.verdict !== 'online' || candidate.check === null) return readiness;
  return judgeFirstCheck(candidate, candidate.check);
}

/**
 * A replacement must pass its check within `start_period`. A first start has no deadline: what the check needs may be down.
 * @param {Candidate} candidate @param {FirstCheck} check @returns {Readiness}
 */
function judgeFirstCheck({ uptimeMs, replaces }, { hasPassed, failure, startPeriodMs }) {
  if (hasPassed) return { verdict: 'online' };
  if (uptimeMs < startPeriodMs) return { verdict: 'wait', ms: startPeriodMs - uptimeMs };
  const text = failure ?? undefined;
  const late = /** @type {const} */ ({ kind: 'late', what: 'check', afterMs: startPeriodMs, text });
  return replaces ? { verdict: 'failed', reason: late } : { verdict: 'wait', ms: null, late };
}

/** @param {Candidate} candidate @returns {Readiness} */
function judgeStart(candidate) {
  const { uptimeMs, listenTimeoutMs, replaces, waitReady, fault, mustStayUp } = candidate;
  const missing = missingOf(candidate);
  if (missing === null) {
    // Of a replacement that shows nothing else, its uptime is all that is known.
    const showsNothing = !waitReady && candidate.listening.length === 0;
    const needsUptime = replaces && (mustStayUp || showsNothing);
    return needsUptime ? judgeUptime(candidate) : { verdict: 'online' };
  }
  // A program that has handled the error may still try again.
  const mayFail = replaces && candidate.expected !== 'likely';
  if (!waitReady && !mayFail && fault === null) return judgeFirstStart(candidate, missing);
  if (uptimeMs >= listenTimeoutMs) {
    return { verdict: 'failed', reason: fault ?? { ...missing, afterMs: listenTimeoutMs } };
  }
  return { verdict: 'wait', ms: listenTimeoutMs - uptimeMs };
}

/**
 * It fails only if its event loop has been blocked all along, and there is a `hang_timeout`.
 * @param {Candidate} candidate
 * @param {Lateness} missing
 * @returns {Readiness}
 */
function judgeFirstStart(candidate, missing) {
  const { sign, loadedMs, uptimeMs, listenTimeoutMs, hangTimeoutMs } = candidate;
  const isBlocked = loadedMs === null;
  const limitMs = isBlocked
    ? Math.max(listenTimeoutMs, hangTimeoutMs ?? Infinity)
    : listeningLimitMs(candidate);
  if (uptimeMs >= limitMs) {
    if (!isBlocked) return judgeSilent(candidate, loadedMs);
    return { verdict: 'failed', reason: { kind: 'late', what: 'turn', afterMs: limitMs } };
  }
  if (uptimeMs < listenTimeoutMs) {
    const restMs = listenTimeoutMs - uptimeMs;
    return { verdict: 'wait', ms: sign === 'busy' ? Math.min(restMs, LOOK_MS) : restMs };
  }
  const ms = limitMs < Infinity ? limitMs - uptimeMs : null;
  if (isBlocked) return { verdict: 'wait', ms, late: { kind: 'late', what: 'turn' } };
  return { verdict: 'wait', ms, late: { ...missing, afterMs: listenTimeoutMs } };
}

/** No socket is required of it. @param {Candidate} candidate @param {number} loadedMs @returns {Readiness} */
function judgeSilent(candidate, loadedMs) {
  const { expected, sign, uptimeMs, minUptimeMs, listenTimeoutMs } = candidate;
  if (expected !== 'none' || sign === 'server') return judgeUptime(candidate);
  const lookMs = Math.min(minUptimeMs, LOOK_MS);
  if (loadedMs < lookMs) return { verdict: 'wait', ms: lookMs - loadedMs };
  if (sign === null) return { verdict: 'ask for the sign' };
  // A program may do much before it makes its server.
  const patienceMs = Math.min(PATIENCE * lookMs - loadedMs, listenTimeoutMs - uptimeMs);
  if (sign !== 'silent' && patienceMs > 0) {
    return { verdict: 'wait', ms: Math.min(patienceMs, lookMs) };
  }
  return judgeUptime(candidate);
}

/** The uptime after which no socket is required. @param {Candidate} candidate */
function listeningLimitMs({ expected, sign, listenTimeoutMs, holdTimeoutMs }) {
  if (expected === 'none') return sign === 'server' || sign === 'busy' ? listenTimeoutMs : 0;
  if (expected === 'likely') return listenTimeoutMs;
  return expected === 'again' ? Math.max(listenTimeoutMs, holdTimeoutMs) : Infinity;
}

/** @param {Candidate} candidate @returns {Readiness} */
function judgeUptime(candidate) {
  const { upMs, minUptimeMs, replaces, mustStayUp, listening, waitReady } = candidate;
  if (upMs === null) return { verdict: 'wait', ms: null };
  // Whoever replaces the first worker by one that shows nothing, replaces the others too.
  const isUnseen = mustStayUp && listening.length === 0 && !waitReady;
  const patienceMs = isUnseen ? PATIENCE * Math.min(minUptimeMs, LOOK_MS) : 0;
  const restMs = (replaces ? Math.max(minUptimeMs, patienceMs) : firstUptimeMs(candidate)) - upMs;
  return restMs > 0 ? { verdict: 'wait', ms: restMs, isUp: true } : { verdict: 'online' };
}

/**
 * How long a worker that replaces none must stay up. PM2's users set `min_uptime` to a minute, which nothing waits for.
 * @param {Pick<Candidate, 'minUptimeMs' | 'listenTimeoutMs'>} limits
 */
export function firstUptimeMs({ minUptimeMs, listenTimeoutMs }) {
  return Math.min(minUptimeMs, listenTimeoutMs);
}

/** @param {Candidate} candidate @returns {Lateness | null} what it has not done yet */
function missingOf({ waitReady, saidReady, expected, listening, replaces, loadedMs }) {
  if (waitReady && !saidReady) return { kind: 'late', what: 'ready' };
  if (Array.isArray(expected)) {
    const addresses = expected.filter((address) => !listening.includes(address));
    if (addresses.length === 0) return null;
    const instead = listening.filter((address) => !expected.includes(address));
    return { kind: 'late', what: 'listen', addresses, instead };
  }
  if (listening.length > 0 || waitReady) return null;
  if (expected !== 'none' || !replaces) return { kind: 'late', what: 'listen' };
  return loadedMs === null ? { kind: 'late', what: 'load' } : null;
}
