/** How far the latest reload of an app is, slot by slot, from its events. Pure. */

/**
 * @import { LineEvent } from '../../shapes.js'
 * @import { App, Worker } from '../state/model.js'
 */

/**
 * @typedef {object} SlotStep
 * @property {number} slot
 * @property {number | null} oldGeneration
 * @property {string} old `serves`, `draining`, `stopping`, `stopped`, `exited`
 * @property {string} next `waits`, `starting`, `online`, `failed`
 * @property {number | null} wave 0: the canary; null: its turn has not come
 * @property {number} closed connections that were still open when the drain timed out
 *
 * @typedef {object} ReloadSteps
 * @property {number} begunAt epoch ms
 * @property {number | null} endedAt null: it is not done
 * @property {boolean} ok
 * @property {boolean} isRolledBack
 * @property {string} text the outcome; '' before it
 * @property {number | null} newGeneration
 * @property {SlotStep[]} slots
 */

/** @type {Record<string, string>} */
const changesOfNew = {
  starting: 'starting',
  online: 'online',
  exited: 'failed',
  stopping: 'failed',
  stopped: 'failed',
};
const changesOfOld = ['draining', 'stopping', 'stopped'];

/**
 * @param {App} app
 * @param {Worker[]} workers of the app
 * @param {LineEvent[]} events the oldest first; of other apps too
 * @returns {ReloadSteps | null} null: no reload is known
 */
export function reloadSteps(app, workers, events) {
  const own = events.filter((event) => 'app' in event && event.app === app.name);
  const from = own.findLastIndex(({ type }) => type === 'reload.begun');
  if (from < 0) return null;
  const end = own.findIndex(({ type }, index) => index > from && type === 'reload.ended');
  const during = own.slice(from, end < 0 ? undefined : end);
  const newGeneration = newestGeneration(during);
  const slots = stepsBySlot(workers);
  applyEvents(slots, during, newGeneration);
  const outcome = own[end];
  return {
    begunAt: own[from].at,
    endedAt: outcome?.at ?? null,
    ok: outcome !== undefined && 'ok' in outcome && outcome.ok,
    isRolledBack: during.some(({ type }) => type === 'reload.rollback'),
    text: outcome?.text ?? '',
    newGeneration,
    slots: [...slots.values()].sort((one, other) => one.slot - other.slot),
  };
}

/** @param {LineEvent[]} events */
function newestGeneration(events) {
  const started = events.filter(({ type }) => type === 'worker.starting');
  const generations = started.map((event) => ('generation' in event ? event.generation : 0));
  return generations.length > 0 ? Math.max(...generations) : null;
}

/** @param {Worker[]} workers @returns {Map<number, SlotStep>} */
function stepsBySlot(workers) {
  return new Map(workers.map(({ slot }) => [slot, firstStep(slot)]));
}

/** @param {number} slot @returns {SlotStep} */
function firstStep(slot) {
  return { slot, oldGeneration: null, old: 'serves', next: 'waits', wave: null, closed: 0 };
}

/** @param {Map<number, SlotStep>} slots @param {LineEvent[]} events @param {number | null} newest */
function applyEvents(slots, events, newest) {
  let wave = -1;
  let isOpen = false;
  for (const event of events) {
    if (!isOfWorker(event)) continue;
    const step = slots.get(event.slot) ?? firstStep(event.slot);
    slots.set(event.slot, step);
    const change = event.type.split('.')[1];
    if (event.generation !== newest) {
      applyToOld(step, event, change);
      continue;
    }
    // Workers that start without one coming online in between are one wave.
    if (change === 'starting') {
      wave += isOpen ? 0 : 1;
      step.wave ??= wave;
    }
    if (change === 'starting' || change === 'online') isOpen = change === 'starting';
    step.next = changesOfNew[change] ?? step.next;
  }
}

/**
 * @param {LineEvent} event
 * @returns {event is Extract<LineEvent, {generation: number}>}
 */
function isOfWorker(event) {
  return 'slot' in event && 'generation' in event;
}

/** @param {SlotStep} step @param {LineEvent & {generation: number}} event @param {string} change */
function applyToOld(step, event, change) {
  step.oldGeneration = event.generation;
  if (changesOfOld.includes(change) || change === 'exited') step.old = change;
  if (change === 'starting' || change === 'online') step.old = 'serves';
  if ('cut' in event) step.closed = event.cut;
}
