/** The usual way to measure: start the program, warm it up, send one load after the other. */
import { fileURLToPath } from 'node:url';
import { serving, underLoad } from './serving.js';

/**
 * @import { Conditions, Figure, Measured } from './types.js'
 * @import { Load } from './load/tool.js'
 *
 * @typedef {object} Sent
 * @property {Load} load
 * @property {string} [path]
 * @property {Load} [before] instead of the load itself to warm up
 */

/** Until code is compiled and caches are filled. */
const WARM_UP_SECONDS = 1;

/** @type {Record<string, Figure>} */
export const FIGURES = {
  perSecond: { key: 'perSecond', title: 'requests/s', better: 'more', isRatio: true },
  cpuUs: { key: 'cpuUs', title: 'CPU µs/request', better: 'less', isRatio: true },
  meanMs: { key: 'meanMs', title: 'mean ms', better: 'less', digits: 1 },
  p99Ms: { key: 'p99Ms', title: 'p99 ms', better: 'less' },
  longestMs: { key: 'longestMs', title: 'longest ms', better: 'less' },
  failed: { key: 'failed', title: 'failed', better: 'less' },
};

/** @param {string} name of a file in bench/programs @returns {string} its path */
export function programOf(name) {
  return fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
}

/**
 * @param {Parameters<typeof serving>[1]} given the program
 * @param {Record<string, Sent>} loads by variant
 * @param {Figure[]} figures to keep
 * @returns {(conditions: Conditions) => Promise<Measured[]>}
 */
export function measureLoads(given, loads, figures) {
  return (conditions) =>
    serving(conditions, given, async ({ url, root }) => {
      const measured = [];
      for (const [variant, { load, path = '/', before = load }] of Object.entries(loads)) {
        await before(url + path, WARM_UP_SECONDS);
        const { seconds } = conditions;
        const all = await underLoad(load, { url: url + path, root, seconds });
        const kept = figures.map(({ key }) => [key, all[key]]);
        measured.push({ variant, figures: Object.fromEntries(kept) });
      }
      return measured;
    });
}
