/** What each worker did in the last hour, kept where its heartbeats arrive: nobody is woken for it, and the daemon may die. */
import { isCount } from '../../shared/checks.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { Load } from '../../primary/worker/agent-link.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 *
 * @typedef {Pick<Load, 'bytes' | 'answered' | 'errors'> & {atMs: number, cpuMs: number, busyMs: number}} Beat atMs: monotonic
 */

/** In which idle workers beat once. */
const STEP_MS = 10_000;
const STEPS = 360;
/** Figures of each step. */
const ROW = 5;
/** Of more, fewer steps are reported: a primary must not block, and a message has a limit. */
const MAX_WORKERS = 50;

/** @type {MakeFeature} */
export function pastHour({ pool }, _directory, guard) {
  /** @type {Map<number, Past>} */
  const slots = new Map();
  const follow = (/** @type {WorkerHandle} */ worker) => {
    const { agent, slot } = worker;
    /** @type {Beat | null} */
    let before = null;
    const note = guard(({ cpuMs, busyMs }) => {
      if (!agent?.load || !isCount(cpuMs) || !isCount(busyMs)) return;
      const beat = { ...agent.load, atMs: performance.now(), cpuMs, busyMs };
      before ??= beat;
      if (stepAt(beat.atMs) === stepAt(before.atMs)) return;
      const past = slots.get(slot) ?? new Past();
      // Not what drains beside its successor.
      if (pool.slots.get(slot)?.mainWorker === worker) slots.set(slot, past.note(before, beat));
      before = beat;
    });
    agent?.channel.on('beat', note);
  };
  pool.on('worker', guard(follow));
  const report = () => {
    const nowMs = performance.now();
    // In the current step not all have beaten yet.
    const step = stepAt(nowMs) - 1;
    for (const [slot, { lastStep }] of slots) if (step - lastStep >= STEPS) slots.delete(slot);
    const every = Math.max(1, Math.ceil(slots.size / MAX_WORKERS));
    const workers = [...slots].map(([slot, past]) => ({ slot, ...past.until(step, every) }));
    return { at: Math.round(Date.now() - (nowMs % STEP_MS)), everyMs: STEP_MS * every, workers };
  };
  return { methods: { 'past-hour': report } };
}

const stepAt = (/** @type {number} */ atMs) => Math.floor(atMs / STEP_MS);

/** Of the workers that one slot had. */
export class Past {
  /** The oldest step first; NaN: not known. */
  #values = new Float32Array(STEPS * ROW).fill(NaN);
  lastStep = 0;

  /** All steps since the beat before, which is of the same worker, get the rates of that time. @param {Beat} before @param {Beat} beat */
  note(before, beat) {
    const step = stepAt(beat.atMs);
    const moved = Math.min(STEPS, step - this.lastStep);
    this.#values.copyWithin(0, moved * ROW).fill(NaN, (STEPS - moved) * ROW);
    this.lastStep = step;
    const perMs = (/** @type {'cpuMs' | 'busyMs' | 'answered' | 'errors'} */ key) =>
      Math.max(0, beat[key] - before[key]) / (beat.atMs - before.atMs);
    const [elu, answered, errors] = [
      Math.min(1, perMs('busyMs')),
      perMs('answered'),
      perMs('errors'),
    ];
    const row = [perMs('cpuMs') * 100, beat.bytes, elu, answered * 1000, errors * 1000];
    const count = Math.min(STEPS, step - stepAt(before.atMs));
    for (let index = STEPS - count; index < STEPS; index += 1) this.#values.set(row, index * ROW);
    return this;
  }

  /** @param {number} step @param {number} every of so many steps, one is wanted */
  until(step, every) {
    const last = STEPS - 1 - (this.lastStep - step);
    // Not of the oldest, which is gone where the current step has begun.
    const starts = Array.from(
      { length: Math.floor((STEPS - 1) / every) },
      (_, index) => (last - index * every) * ROW,
    ).reverse();
    const figures = (/** @type {number} */ column) =>
      starts.map((start) => readable(this.#values[start + column]));
    return {
      cpu: figures(0),
      memory: figures(1),
      elu: figures(2),
      requestsPerSecond: figures(3),
      errorsPerSecond: figures(4),
    };
  }
}

/** @param {number | undefined} value of a step; undefined: nothing was noted since @returns {number | null} */
function readable(value = NaN) {
  return Number.isNaN(value) ? null : Math.round(value * 1000) / 1000;
}
