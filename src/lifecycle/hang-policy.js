/**
 * When a worker's event loop counts as blocked: by the time since the last heartbeat of its agent. Heartbeats also fail to
 * arrive when the primary itself did not run, so after a gap between its own checks silence counts from zero.
 */

/** @import { StackFrame } from '../protocol/shapes.js' */

/** With this, the heartbeats of eight workers cost a primary 0.03 % of a core. */
export const HEARTBEAT_INTERVAL_MS = 2000;
/** Of a worker that does nothing, unless it has a `hang_timeout`. */
export const QUIET_INTERVAL_MS = 10_000;
export const CHECK_INTERVAL_MS = 2000;
const BLOCKED_MS = 5000;
/** A check that is this late means that the primary did not run; a shorter delay cannot make a heartbeat overdue. */
export const CHECK_GAP_MS = 3000;

/**
 * @typedef {{silentMs: number, sinceCheckMs: number}} Silence since the last heartbeat, and since the primary's last check
 *
 * @typedef {'responsive' | 'blocked' | 'hung' | 'unknown'} Verdict unknown: silence counts from now on
 */

/** @param {Silence & {hangTimeoutMs: number | null}} silence null: no worker is killed @returns {Verdict} */
export function judgeSilence({ silentMs, sinceCheckMs, hangTimeoutMs }) {
  if (sinceCheckMs >= CHECK_GAP_MS) return 'unknown';
  // The loop may have turned for almost an interval after its last heartbeat.
  if (hangTimeoutMs !== null && silentMs >= hangTimeoutMs + HEARTBEAT_INTERVAL_MS) return 'hung';
  return silentMs >= BLOCKED_MS ? 'blocked' : 'responsive';
}

/**
 * A worker whose event loop is blocked cannot drain, so it has only `kill_timeout` to respond.
 * @param {Silence & {drainingMs: number, killTimeoutMs: number}} silence
 * @returns {Verdict} hung: do not wait any longer
 */
export function judgeDrain({ silentMs, sinceCheckMs, drainingMs, killTimeoutMs }) {
  const verdict = judgeSilence({ silentMs, sinceCheckMs, hangTimeoutMs: null });
  if (verdict !== 'blocked') return verdict;
  return Math.min(silentMs - BLOCKED_MS, drainingMs) >= killTimeoutMs ? 'hung' : verdict;
}

/** Enough to find the place; the whole stack is in `describe` and `why`. */
const MAX_INNERMOST = 5;

/** The innermost one of the program, or else of Node. @param {readonly StackFrame[]} frames */
export function mainFrame(frames) {
  return frames.find(({ origin }) => origin === 'program') ?? frames[0];
}

/** `hash (app.js:10:5)` @param {StackFrame} frame */
export function shortFrame(frame) {
  return frameText({ ...frame, file: frame.file.split('/').at(-1) ?? '' });
}

/** `hash (/srv/app.js:10:5), called from handle (/srv/app.js:20:3)` @param {readonly StackFrame[]} frames */
export function stackInLine(frames) {
  return innermostOf(frames).map(frameText).join(', called from ');
}

/** A few of the program, or of Node if there is none. @param {readonly StackFrame[]} frames */
export function innermostOf(frames) {
  const own = frames.filter(({ origin }) => origin === 'program');
  return (own.length > 0 ? own : frames).slice(0, MAX_INNERMOST);
}

/** As in a stack trace of V8. @param {StackFrame} frame */
export function frameText({ name, file, line, column }) {
  const place = `${file || 'evaluated code'}:${line}:${column}`;
  return name ? `${name} (${place})` : place;
}
