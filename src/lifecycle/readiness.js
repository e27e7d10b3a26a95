/**
 * When a new worker counts as online, and when it has failed to become so.
 *
 * A first start asks for a listening socket, or, of a program that never listens, for staying up
 * for `min_uptime`. The replacement of a working one is asked for more: every address that the
 * old one serves, and `min_uptime` in any case, since a version that listens and then dies would
 * otherwise replace every healthy worker before anybody notices.
 *
 * After a restart the clients of the old workers wait for a socket, so it is asked for; but only
 * for as long as they wait: the new version may be one that does not listen any more.
 */

/** Of one that has not come to its first turn. */
const BLOCKED = 'event loop blocked since its start';

/**
 * @typedef {object} Candidate
 * @property {boolean} waitReady the program says 'ready' itself
 * @property {boolean} saidReady
 * @property {readonly string[]} listening addresses that it listens on
 * @property {'none' | 'any' | 'again' | readonly string[]} expected what it must listen on; 'again':
 *   as what ran before a restart did
 * @property {boolean} replaces it is to take over from a working one
 * @property {number} uptimeMs since the process was started
 * @property {number | null} loadedMs since the program was loaded; null: it is not yet. A busy
 *   machine may need longer than `min_uptime` to get to the line at which a program throws
 * @property {number} minUptimeMs how long it must stay up once it is loaded
 * @property {number} listenTimeoutMs
 * @property {number} holdTimeoutMs for which clients wait
 * @property {number | null} hangTimeoutMs null: nobody is ended for a blocked event loop
 *
 * @typedef {{verdict: 'online'} | {verdict: 'failed', reason: string}
 *   | {verdict: 'wait', ms: number | null, late?: string}} Readiness `ms`: ask again by then; null:
 *   only after an event; `late`: what it should have done by now
 */

/**
 * @param {Candidate} candidate
 * @returns {Readiness}
 */
export function judgeReadiness(candidate) {
  const { uptimeMs, listenTimeoutMs, replaces, waitReady } = candidate;
  const missing = whatIsMissing(candidate);
  if (missing === null) return replaces ? stayingUp(candidate) : { verdict: 'online' };
  if (!waitReady && !replaces) return waitForFirstStart(candidate);
  if (uptimeMs >= listenTimeoutMs) {
    return { verdict: 'failed', reason: `${missing} within ${listenTimeoutMs / 1000} s` };
  }
  return { verdict: 'wait', ms: listenTimeoutMs - uptimeMs };
}

/**
 * It may take its time: a program may have much to do before it listens. Only one whose event loop
 * has been blocked all along is ended, where that is wanted.
 * @param {Candidate} candidate
 * @returns {Readiness}
 */
function waitForFirstStart(candidate) {
  const { loadedMs, uptimeMs, listenTimeoutMs, hangTimeoutMs } = candidate;
  const isBlocked = loadedMs === null;
  const limitMs = isBlocked
    ? Math.max(listenTimeoutMs, hangTimeoutMs ?? Infinity)
    : listeningLimitMs(candidate);
  if (uptimeMs >= limitMs) {
    if (!isBlocked) return stayingUp(candidate);
    return { verdict: 'failed', reason: `${BLOCKED} for ${limitMs / 1000} s` };
  }
  if (uptimeMs < listenTimeoutMs) return { verdict: 'wait', ms: listenTimeoutMs - uptimeMs };
  const ms = limitMs < Infinity ? limitMs - uptimeMs : null;
  return {
    verdict: 'wait',
    ms,
    late: isBlocked ? BLOCKED : `${whatIsMissing(candidate)} within ${listenTimeoutMs / 1000} s`,
  };
}

/**
 * @param {Candidate} candidate
 * @returns {number} the uptime from which on it may do without a socket
 */
function listeningLimitMs({ expected, listenTimeoutMs, holdTimeoutMs }) {
  if (expected === 'none') return 0;
  return expected === 'again' ? Math.max(listenTimeoutMs, holdTimeoutMs) : Infinity;
}

/**
 * @param {Candidate} candidate
 * @returns {Readiness}
 */
function stayingUp({ loadedMs, minUptimeMs }) {
  if (loadedMs === null) return { verdict: 'wait', ms: null };
  const rest = minUptimeMs - loadedMs;
  return rest > 0 ? { verdict: 'wait', ms: rest } : { verdict: 'online' };
}

/**
 * @param {Candidate} candidate
 * @returns {string | null} what a failure would be called
 */
function whatIsMissing({ waitReady, saidReady, expected, listening, replaces, loadedMs }) {
  if (waitReady && !saidReady) return `did not say 'ready'`;
  if (Array.isArray(expected)) {
    const absent = expected.filter((address) => !listening.includes(address));
    return absent.length === 0 ? null : `did not listen on ${absent.join(', ')}`;
  }
  if (listening.length > 0 || waitReady) return null;
  if (expected === 'none' && replaces) return loadedMs === null ? 'was not loaded' : null;
  return 'did not listen';
}
