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
  const follow = (/** @type {WorkerHandle} */ { agent, slot }) => {
    /** @type {Beat | null} */
    let before = null;
    const note = guard(({ cpuMs, busyMs }) => {
      if (!agent?.load || !isCount(cpuMs) || !isCount(busyMs)) return;
      const beat = { ...agent.load, atMs: performance.now(), cpuMs, busyMs };
      before ??= beat;
      if (stepAt(beat.atMs) === stepAt(before.atMs)) return;
      if (!slots.has(slot)) slots.set(slot, new Past());
      slots.get(slot)?.note(before, beat);
      before = beat;
    });
    agent?.channel.on('beat', note);
  };
  pool.on('worker', guard(follow));
  const report = () => {
    const nowMs = performance.now();
    const every = Math.max(1, Math.ceil(slots.size / MAX_WORKERS));
    // In the current step not all have beaten yet.
    const step = stepAt(nowMs) - 1;
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
  #lastStep = 0;

  /** All steps since the beat before, which is of the same worker, get the rates of that time. @param {Beat} before @param {Beat} beat */
  note(before, beat) {
    this.#moveTo(stepAt(beat.atMs));
    const perMs = (/** @type {'cpuMs' | 'busyMs' | 'answered' | 'errors'} */ key) =>
      Math.max(0, beat[key] - before[key]) / (beat.atMs - before.atMs);
    const [elu, answered, errors] = [
      Math.min(1, perMs('busyMs')),
      perMs('answered'),
      perMs('errors'),
    ];
    const row = [perMs('cpuMs') * 100, beat.bytes, elu, answered * 1000, errors * 1000];
    const count = Math.min(STEPS, stepAt(beat.atMs) - stepAt(before.atMs));
    for (let step = STEPS - count; step < STEPS; step += 1) this.#values.set(row, step * ROW);
  }

  /** @param {number} step */
  #moveTo(step) {
    const count = Math.min(STEPS, step - this.#lastStep);
    this.#values.copyWithin(0, count * ROW).fill(NaN, (STEPS - count) * ROW);
    this.#lastStep = step;
  }

  /** @param {number} step @param {number} every of so many steps, one is wanted */
  until(step, every) {
    this.#moveTo(Math.max(step, this.#lastStep));
    const end = STEPS - (this.#lastStep - step);
    const rows = Array.from({ length: Math.floor(end / every) }, (_, index) => {
      const at = (end - 1 - index * every) * ROW;
      return [...this.#values.subarray(at, at + ROW)].map(readable);
    });
    const figures = (/** @type {number} */ column) => rows.map((row) => row[column]).reverse();
    return {
      cpu: figures(0),
      memory: figures(1),
      elu: figures(2),
      requestsPerSecond: figures(3),
      errorsPerSecond: figures(4),
    };
  }
}

/** @param {number} value @returns {number | null} */
function readable(value) {
  return Number.isNaN(value) ? null : Math.round(value * 1000) / 1000;
}
