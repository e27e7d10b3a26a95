/**
 * When the deliveries of one alarm begin, are tried again and are given up.
 *
 * The first event is delivered at once. For each type a delivery begins at most once per interval, and the
 * events that come meanwhile wait together, as one notice with their number. So an alarm whose command
 * causes the same event again goes on at that pace and no faster, and no more notices can wait than there
 * are types of events. One delivery of an alarm is in progress at a time.
 */

/** ms before the second, the third … attempt. After the last one it is given up. */
const RETRY_AFTER_MS = [1000, 5000, 30_000, 120_000];

/**
 * @typedef {{type: string, at: number}} Occurrence an event, of which nothing else matters here
 *
 * @typedef {object} Notice events of one type that are delivered together
 * @property {string} type
 * @property {Occurrence} event the last one
 * @property {number} count
 * @property {number} firstAt epoch ms
 * @property {number} attempts that have failed
 * @property {string | null} reason why the last one failed
 * @property {number} dueMs monotonic
 *
 * @typedef {object} AlarmState
 * @property {readonly Notice[]} waiting at most one for each type
 * @property {Notice | null} current what is being delivered
 * @property {Readonly<Record<string, number>>} quietUntilMs by type
 *
 * @typedef {{reason: string, isFinal: boolean}} Failure isFinal: another attempt would fail for the same reason
 */

/** @type {AlarmState} */
export const IDLE = Object.freeze({ waiting: [], current: null, quietUntilMs: {} });

/**
 * @param {AlarmState} state
 * @param {Occurrence} event
 * @param {number} nowMs monotonic
 * @returns {AlarmState}
 */
export function addEvent(state, event, nowMs) {
  const { type, at } = event;
  const { waiting, quietUntilMs } = state;
  const known = waiting.find((notice) => notice.type === type);
  if (known) {
    const merged = { ...known, event, count: known.count + 1 };
    return { ...state, waiting: without(waiting, known, merged) };
  }
  const dueMs = Math.max(nowMs, quietUntilMs[type] ?? 0);
  const notice = { type, event, count: 1, firstAt: at, attempts: 0, reason: null, dueMs };
  return { ...state, waiting: [...waiting, notice] };
}

/**
 * @param {AlarmState} state
 * @param {number} nowMs monotonic
 * @param {number} intervalMs
 * @returns {{state: AlarmState, notice: Notice | null, waitMs: number | null}} `notice`: to be delivered now;
 *   `waitMs`: the time until the next one is due; null: there is none, or one is being delivered
 */
export function beginNext(state, nowMs, intervalMs) {
  const { waiting, current, quietUntilMs } = state;
  if (current !== null || waiting.length === 0) return { state, notice: null, waitMs: null };
  const notice = waiting.reduce((first, each) => (each.dueMs < first.dueMs ? each : first));
  if (notice.dueMs > nowMs) return { state, notice: null, waitMs: notice.dueMs - nowMs };
  const begun = {
    waiting: without(waiting, notice),
    current: notice,
    quietUntilMs: { ...quietUntilMs, [notice.type]: nowMs + intervalMs },
  };
  return { state: begun, notice, waitMs: null };
}

/**
 * @param {AlarmState} state in which a notice is being delivered
 * @param {Failure | null} failure null: it was delivered
 * @param {number} nowMs monotonic
 * @returns {{state: AlarmState, givenUp: Notice | null}}
 */
export function endAttempt(state, failure, nowMs) {
  const { waiting, current } = state;
  const rest = { ...state, current: null };
  if (failure === null || current === null) return { state: rest, givenUp: null };
  const { reason, isFinal } = failure;
  const failed = { ...current, attempts: current.attempts + 1, reason };
  const delayMs = RETRY_AFTER_MS[current.attempts];
  if (isFinal || delayMs === undefined) return { state: rest, givenUp: failed };
  const later = waiting.find(({ type }) => type === current.type);
  const again = {
    ...failed,
    event: later?.event ?? failed.event,
    count: failed.count + (later?.count ?? 0),
    dueMs: nowMs + delayMs,
  };
  return { state: { ...rest, waiting: [...without(waiting, later), again] }, givenUp: null };
}

/** @param {readonly Notice[]} notices @param {Notice | undefined} one @param {Notice} [instead] */
function without(notices, one, instead) {
  return notices.flatMap((each) => (each !== one ? [each] : instead ? [instead] : []));
}
