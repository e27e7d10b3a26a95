/** The primary itself killed: how long nobody answers. */
import { versionOf } from '../bench-home.js';
import { median } from '../table.js';
import { served } from './served.js';

primaryKilled.heads = [
  'Node',
  'scheduling',
  'kills',
  'requests',
  'failed',
  'how',
  'median ms',
  'longest ms',
];

/**
 * @param {string} node
 * @param {Record<string, number>} numbers
 * @returns {Promise<(string | number)[][]>}
 */
export async function primaryKilled(node, { rounds }) {
  const rows = [];
  for (const scheduling of ['round-robin', 'shared']) {
    const { made, failed, codes, more } = await served({ node, scheduling }, async (app) => {
      const times = [];
      for (let round = 0; round < rounds; round++) {
        const { primaryPid } = await app.home.appNamed('api');
        for (const load of app.loads) load.state.longestGapMs = 0;
        process.kill(primaryPid, 'SIGKILL');
        await Promise.all(app.loads.map((load) => load.answers(200)));
        times.push(Math.max(...app.loads.map((load) => load.state.longestGapMs)));
      }
      return [Math.round(median(times)), Math.round(Math.max(...times))];
    });
    rows.push([versionOf(node), scheduling, rounds, made, failed, codes, ...more]);
  }
  return rows;
}
