/** Point 1: reloads under load. */
import { versionOf } from '../bench-home.js';
import { median } from '../table.js';
import { served } from './served.js';

reloads.heads = [
  'Node',
  'scheduling',
  'reloads',
  'requests',
  'failed',
  'how',
  'executed twice',
  'fewest ready',
  'median s',
];

/**
 * @param {string} node
 * @param {Record<string, number>} numbers
 * @returns {Promise<(string | number)[][]>}
 */
export async function reloads(node, { reloads: count }) {
  const rows = [];
  for (const scheduling of ['round-robin', 'shared']) {
    const { made, failed, codes, twice, more } = await served({ node, scheduling }, async (app) => {
      const times = [];
      let fewest = Infinity;
      for (let reload = 0; reload < count; reload++) {
        const { stdout } = await app.home.ok(['reload', 'api', '--json'], { node });
        const [outcome] = JSON.parse(stdout).apps;
        times.push(outcome.durationMs / 1000);
        fewest = Math.min(fewest, outcome.minReady);
      }
      return [fewest, median(times).toFixed(1)];
    });
    rows.push([versionOf(node), scheduling, count, made, failed, codes, twice, ...more]);
  }
  return rows;
}
