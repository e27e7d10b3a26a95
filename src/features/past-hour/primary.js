/** What each worker did in the last hour, kept where its heartbeats arrive: nobody is woken for it, and the daemon may die. */
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

/** @type {MakeFeature} */
export function pastHour({ pool }, _directory, guard) {
  /** @type {Map<number, Past>} */
  const slots = new Map();
  const follow = guard((/** @type {WorkerHandle} */ worker) => {
    const { agent, slot } = worker;
    /** @type {Beat | null} */
    let before = null;
    const note = guard(({ cpuMs, busyMs }) => {
      if (!agent?.load) return;
      const beat = { ...agent.load, atMs: performance.now(), cpuMs, busyMs };
      before ??= beat;
      if (stepAt(beat.atMs) === stepAt(before.atMs)) return;
      const past = slots.get(slot) ?? new Past();
      // Not what drains beside its successor.
      if (pool.slots.get(slot)?.mainWorker === worker) slots.set(slot, past.note(before, beat));
      before = beat;
    });
    agent?.channel.on('beat', note);
  });
  pool.on('worker', follow);
  /** @param {{every: number}} params of so many steps, one is wanted */
  const report = ({ every }) => {
    const nowMs = performance.now();
    // In the current step not all have beaten yet.
    const last = stepAt(nowMs) - 1;
    const workers = [...slots].map(([slot, past]) => ({ slot, ...past.until(last, every) }));
    return { at: Math.round(Date.now() - (nowMs % STEP_MS)), everyMs: STEP_MS * every, workers };
  };
  return { methods: { 'past-hour': report } };
}

const stepAt = (/** @type {number} */ atMs) => Math.floor(atMs / STEP_MS);

const FIGURES = ['cpu', 'memory', 'elu', 'requestsPerSecond', 'errorsPerSecond'];
const UNKNOWN = FIGURES.map(() => NaN);

/** Of the workers that one slot had. */
export class Past {
  /** By the remainder of the step. */
  #ring = new Float32Array(STEPS * FIGURES.length);
  #lastStep = -STEPS;

  /** All steps since the beat before, which is of the same worker, get the rates of that time. @param {Beat} before @param {Beat} beat */
  note(before, beat) {
    const perMs = (/** @type {'cpuMs' | 'busyMs' | 'answered' | 'errors'} */ key) =>
      Math.max(0, beat[key] - before[key]) / (beat.atMs - before.atMs);
    const elu = Math.min(1, perMs('busyMs'));
    const cpu = perMs('cpuMs') * 100;
    const figures = [cpu, beat.bytes, elu, perMs('answered') * 1000, perMs('errors') * 1000];
    const last = stepAt(beat.atMs);
    for (let step = Math.max(this.#lastStep, last - STEPS) + 1; step <= last; step += 1) {
      const values = step > stepAt(before.atMs) ? figures : UNKNOWN;
      this.#ring.set(values, ((step + STEPS) % STEPS) * FIGURES.length);
    }
    this.#lastStep = last;
    return this;
  }

  /** @param {number} last step @param {number} every @returns {any} its figures; null: not known */
  until(last, every) {
    const count = Math.floor((STEPS - 1) / every);
    const steps = Array.from({ length: count }, (_, at) => last - (count - 1 - at) * every);
    const valueOf = (/** @type {number} */ step, /** @type {number} */ figure) => {
      const isKept = step <= this.#lastStep && step > this.#lastStep - STEPS;
      const value = this.#ring[((step + STEPS) % STEPS) * FIGURES.length + figure];
      return isKept && value >= 0 ? Math.round(value * 1000) / 1000 : null;
    };
    return Object.fromEntries(
      FIGURES.map((name, figure) => [name, steps.map((step) => valueOf(step, figure))]),
    );
  }
}
