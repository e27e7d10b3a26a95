/** Between which values the small curves of CPU and memory are drawn. */

/** @typedef {{low: number, high: number}} Scale */

/** Percent of one core. A load below this never looks high. */
const MIN_CPU_SPAN = 20;
/** Bytes. Memory that changes by less than this looks flat. */
const MIN_MEMORY_SPAN = 16 * 1024 ** 2;

/**
 * @param {readonly (number | null)[]} values
 * @returns {Scale} from 0
 */
export function cpuScale(values) {
  return { low: 0, high: Math.max(MIN_CPU_SPAN, ...values.map(Number)) };
}

/**
 * @param {readonly (number | null)[]} values
 * @returns {Scale} as wide as they are
 */
export function memoryScale(values) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { low: 0, high: MIN_MEMORY_SPAN };
  const low = Math.min(...known);
  return { low, high: Math.max(low + MIN_MEMORY_SPAN, ...known) };
}
