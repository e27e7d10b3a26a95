/** How far the latest reload of an app is, slot by slot, from its events. Pure. */

/**
 * @import { LineEvent } from '../shapes.js'
 * @import { App } from '../../../protocol/shapes.js'
 */

/**
 * @typedef {object} SlotStep
 * @property {number} slot
 * @property {number | null} oldGeneration
 * @property {string} old `serves`, `draining`, `stopping`, `stopped`, `exited`
 * @property {string} next `waits`, `starting`, `judging`, `online`, `failed`
 * @property {number} closed connections that were still open when the drain timed out
 *
 * @typedef {object} ReloadSteps
 * @property {number} begunAt epoch ms
 * @property {number | null} endedAt null: it is not done
 * @property {boolean} ok
 * @property {boolean} isRolledBack
 * @property {string} text the outcome; '' before it
 * @property {string} judged what was found out about the canary, and what follows; '' before it
 * @property {number | null} newGeneration
 * @property {SlotStep[]} slots
 */

/** @type {Record<string, string>} */
const changesOfNew = {
  starting: 'starting',
  online: 'online',
  judging: 'judging',
  judged: 'online',
  exited: 'failed',
  stopping: 'failed',
  stopped: 'failed',
};
const changesOfOld = ['draining', 'stopping', 'stopped'];

/**
 * @param {App} app
 * @param {LineEvent[]} events the oldest first; of other apps too
 * @returns {ReloadSteps | null} null: no reload is known
 */
export function reloadSteps(app, events) {
  const own = events.filter((event) => 'app' in event && event.app === app.name);
  const from = own.findLastIndex(({ type }) => type === 'reload.begun');
  if (from < 0) return null;
  const end = own.findIndex(({ type }, index) => index > from && type === 'reload.ended');
  const during = own.slice(from, end < 0 ? undefined : end);
  const newGeneration = newestGeneration(during);
  const slots = new Map(
    app.workers.map((worker) => [worker.slot, firstStep(worker, newGeneration, app.generation)]),
  );
  applyEvents(slots, during, newGeneration);
  const outcome = own[end];
  return {
    begunAt: own[from].at,
    endedAt: outcome?.at ?? null,
    ok: outcome !== undefined && 'ok' in outcome && outcome.ok,
    isRolledBack: during.some(({ type }) => type === 'reload.rollback'),
    text: outcome?.text ?? '',
    judged: reasonOf(during.findLast(({ type }) => type === 'worker.judged')),
    newGeneration,
    slots: [...slots.values()].sort((one, other) => one.slot - other.slot),
  };
}

/** @param {LineEvent | undefined} event */
function reasonOf(event) {
  return event !== undefined && 'reason' in event ? (event.reason ?? '') : '';
}

/** @param {LineEvent[]} events */
function newestGeneration(events) {
  const started = events.filter(({ type }) => type === 'worker.starting');
  const generations = started.map((event) => ('generation' in event && event.generation) || 0);
  return generations.length > 0 ? Math.max(...generations) : null;
}

/**
 * An app keeps its old generation until the reload has ended.
 * @param {{slot: number, generation?: number}} worker
 * @param {number | null} newest generation
 * @param {number} [before]
 * @returns {SlotStep}
 */
function firstStep({ slot, generation }, newest, before) {
  const known = [generation, before].find((each) => each !== undefined && each !== newest);
  const oldGeneration = known ?? null;
  return { slot, oldGeneration, old: 'serves', next: 'waits', closed: 0 };
}

/**
 * @param {Map<number, SlotStep>} slots
 * @param {LineEvent[]} events
 * @param {number | null} newest generation
 */
function applyEvents(slots, events, newest) {
  for (const event of events) {
    if (!isOfWorker(event)) continue;
    const step = slots.get(event.slot) ?? firstStep(event, newest);
    slots.set(event.slot, step);
    const change = event.type.split('.')[1];
    if (event.generation === newest) step.next = changesOfNew[change] ?? step.next;
    else applyToOld(step, event, change);
  }
}

/** @param {LineEvent} event @returns {event is Extract<LineEvent, {generation: number}>} */
function isOfWorker(event) {
  return 'slot' in event && 'generation' in event;
}

/** @param {SlotStep} step @param {LineEvent & {generation: number}} event @param {string} change */
function applyToOld(step, event, change) {
  step.oldGeneration = event.generation;
  if (changesOfOld.includes(change) || change === 'exited') step.old = change;
  if (change === 'starting' || change === 'online') step.old = 'serves';
  if ('cut' in event) step.closed = event.cut ?? 0;
}
