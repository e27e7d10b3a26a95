/**
 * Judges a primary that does not answer the daemon's pings, and a daemon that sends a primary nothing. On a busy machine each
 * process is late, so silence alone is not enough: one is frozen if a signal stopped it, if it uses the CPU without ever
 * answering, or if it has used none for long. After a gap between the observer's own checks, silence counts from zero.
 */

export const PING_INTERVAL_MS = 2000;
/** A check that is this late means that the observer itself did not run. */
const CHECK_GAP_MS = 5000;
/** Two pings were not answered: shown as unknown. */
const LATE_MS = 5000;
/** Commands that wait for it fail. */
const LOST_MS = 10_000;
/** From now on it is replaced if it is frozen. */
const FROZEN_MS = 15_000;
/** CPU time since it fell silent. An event loop that is not blocked reads a ping long before that. */
const LOOP_CPU_MS = 5000;
/** After this time without any CPU time it counts as frozen; before, its disk may just be slow. */
const IDLE_MS = 60_000;
/** Of 5 s each, of a command for its connection: also about a minute. */
const MOST_WAITS = 12;

/**
 * @typedef {{isStopped: boolean, cpuMs: number}} Activity of a process that is silent; cpuMs: that it has used since
 *
 * @typedef {{silentMs: number, sinceCheckMs: number, activity: Activity | null}} ProcessSilence since its last answer, or
 *   ping, and since the observer's last check; activity null: it could not be read
 *
 * @typedef {'responsive' | 'late' | 'lost' | 'frozen' | 'unclear'} ProcessVerdict late: shown as unknown; lost: its
 *   connection is given up; frozen: it is replaced; unclear: silence counts from now on
 */

/** @param {ProcessSilence} silence @returns {ProcessVerdict} */
export function judgeProcess({ silentMs, sinceCheckMs, activity }) {
  if (sinceCheckMs >= CHECK_GAP_MS) return 'unclear';
  if (silentMs < LATE_MS) return 'responsive';
  if (silentMs < LOST_MS) return 'late';
  if (silentMs < FROZEN_MS || !activity) return 'lost';
  const { isStopped, cpuMs } = activity;
  const isIdle = cpuMs === 0 && silentMs >= IDLE_MS;
  return isStopped || cpuMs >= LOOP_CPU_MS || isIdle ? 'frozen' : 'lost';
}

/**
 * Whether a command waits on for a daemon that does not reply: it may need long for the files that it reads at its start.
 * @param {boolean} isStopped by a signal
 * @param {readonly number[]} cpuMs used, whenever the command had waited in vain
 */
export function mayReplyYet(isStopped, cpuMs) {
  if (isStopped || cpuMs.length > MOST_WAITS) return false;
  const [first, last, before = -1] = [cpuMs[0], cpuMs.at(-1) ?? 0, cpuMs.at(-2)];
  return last > before && last - first < LOOP_CPU_MS;
}

/** What the process seems to do, in words that follow 'it'. @param {Activity} activity */
export function describeFreeze({ isStopped, cpuMs }) {
  if (isStopped) return 'was stopped by a signal';
  return cpuMs > 0 ? 'uses the CPU and does not reply' : 'does nothing';
}

/** Why it is shown as unknown. @param {Activity | null} activity null: it could not be read @param {number} pid */
export function describeSilence(activity, pid) {
  return activity?.isStopped
    ? `it was stopped by a signal; \`kill -CONT ${pid}\` lets it continue`
    : 'it does not reply to pings';
}
