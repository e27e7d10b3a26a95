/**
 * When a worker's event loop counts as blocked. Its agent sends a beat every now and then; what
 * is judged is how long none has come. All times are differences of a monotonic clock.
 *
 * No beats come either when it is the judge who did not run: stopped (SIGSTOP, a frozen
 * container) or kept from the processor. So a gap in its own looks forgives everybody, as
 * unicorn's master does, and silence counts anew from there.
 */

/** How often an agent sends a beat. With this, eight idle workers cost a primary 0.03 % of a core. */
export const BEAT_EVERY_MS = 2000;
/** How often the primary looks. */
export const LOOK_EVERY_MS = 2000;
/** From then on a silent worker is shown as unresponsive. */
const UNRESPONSIVE_MS = 5000;
/** A primary that looks so late did not run itself; anything less cannot make a beat overdue. */
export const GAP_MS = 3000;

/**
 * @param {object} silence
 * @param {number} silence.silentMs since the last beat
 * @param {number} silence.sinceLookMs since the primary looked last
 * @param {number | null} silence.hangTimeoutMs null: nobody is ended
 * @returns {'responsive' | 'unresponsive' | 'hung' | 'unknown'} unknown: silence counts from now on
 */
export function judgeSilence({ silentMs, sinceLookMs, hangTimeoutMs }) {
  if (sinceLookMs >= GAP_MS) return 'unknown';
  // The loop may have turned for almost a beat's time after its last beat.
  if (hangTimeoutMs !== null && silentMs >= hangTimeoutMs + BEAT_EVERY_MS) return 'hung';
  return silentMs >= UNRESPONSIVE_MS ? 'unresponsive' : 'responsive';
}

/**
 * Of a worker that is to drain: one whose event loop is blocked can't, and waiting for the whole of
 * `drain_timeout` would be in vain. It has `kill_timeout` to come back, as one that does not end
 * on its stop signal has.
 * @param {object} silence
 * @param {number} silence.silentMs since the last beat
 * @param {number} silence.sinceLookMs since the primary looked last
 * @param {number} silence.drainingMs since it was told to drain
 * @param {number} silence.killTimeoutMs
 * @returns {'responsive' | 'unresponsive' | 'hung' | 'unknown'} hung: not to be waited for any more
 */
export function judgeDrain({ silentMs, sinceLookMs, drainingMs, killTimeoutMs }) {
  const verdict = judgeSilence({ silentMs, sinceLookMs, hangTimeoutMs: null });
  if (verdict !== 'unresponsive') return verdict;
  return Math.min(silentMs - UNRESPONSIVE_MS, drainingMs) >= killTimeoutMs ? 'hung' : verdict;
}

/**
 * @param {number} silentMs
 * @returns {string} 'event loop blocked for 12 s'
 */
export function describeHang(silentMs) {
  return `event loop blocked for ${Math.floor(silentMs / 1000)} s`;
}
