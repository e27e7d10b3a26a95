/** How many workers an app may have, and in which slots. */
import { availableCores } from '../cgroups.js';

/** @import { Spec } from '../../config/spec.js' */
/** @import { App } from './app.js' */

/**
 * How many workers are allowed, as close to the current number as possible.
 * @param {Spec['instances']} instances @param {number} [current] how many there are; 0: the app is new
 * @param {number} [cores]
 */
export function workerCount(instances, current = 0, cores = availableCores()) {
  const { min, max } = workerBounds(instances, cores);
  return Math.min(Math.max(current, min), max);
}

/**
 * Equal unless it scales itself; at least 1. On a machine with too few cores for both, `min` counts.
 * @param {Spec['instances']} instances @param {number} [cores]
 */
export function workerBounds(instances, cores = availableCores()) {
  const count = (/** @type {number} */ number) =>
    number > 0 ? number : Math.max(1, cores + number);
  if (typeof instances === 'number') return { min: count(instances), max: count(instances) };
  const min = count(instances.min);
  return { min, max: Math.max(min, count(instances.max)) };
}

/**
 * The slots that are allowed, in ascending order: current ones as far as they are needed, and the lowest free ones.
 * @param {Spec} spec @param {{slots: number[], count: number}} app as it is @param {number} [count] of workers
 */
export function allowedSlots(spec, app, count = workerCount(spec.instances, app.count)) {
  const length = count + spec.spares;
  const slots = app.slots.slice(0, length);
  for (let slot = 0; slots.length < length; slot += 1) if (!slots.includes(slot)) slots.push(slot);
  return slots.sort((a, b) => a - b);
}

/** Once workers are deleted: a spare was none, and one worker is left. @param {App} app @param {number[]} gone their slots */
export function scaledWithout({ spec, slots: all, link }, gone) {
  const slots = all.filter((slot) => !gone.includes(slot));
  const states = link.snapshot?.slots.filter(({ slot }) => gone.includes(slot)) ?? [];
  const goneSpares = states.filter(({ status }) => status === 'spare').length;
  const spares = Math.min(spec.spares - goneSpares, slots.length - 1);
  // One that scales itself gets another worker when it needs one.
  const isFixed = typeof spec.instances === 'number';
  const scaled = isFixed ? withCount(spec, slots.length - spares) : spec;
  return { slots, spec: { ...scaled, spares } };
}

/** @param {Spec} spec @param {Spec['instances']} instances @returns {Spec} */
export function withCount(spec, instances) {
  if (spec.instances === instances) return spec;
  const given = { ...spec.given, instances: /** @type {const} */ ('scaled') };
  return { ...spec, instances, given };
}

/** @param {Spec['instances']} instances @returns {boolean} whether it depends on the cores */
export function followsCores(instances) {
  if (typeof instances === 'number') return instances <= 0;
  return instances.min <= 0 || instances.max <= 0;
}
