/** Point 4: all workers killed at once. Their own requests are lost; nobody may be refused. */
import { versionOf } from '../bench-home.js';
import { RESTARTS_UNLIMITED, served } from './served.js';

allKilled.heads = ['Node', 'scheduling', 'rounds', 'requests', 'failed', 'how', 'longest wait ms'];

/**
 * @param {string} node
 * @param {Record<string, number>} numbers
 * @returns {Promise<(string | number)[][]>}
 */
export async function allKilled(node, { rounds }) {
  const rows = [];
  for (const scheduling of ['round-robin', 'shared']) {
    const given = { node, scheduling, flags: RESTARTS_UNLIMITED };
    const { made, failed, codes, more } = await served(given, async ({ home, loads }) => {
      let longest = 0;
      for (let round = 0; round < rounds; round++) {
        await Promise.all(loads.map((load) => load.answers(20)));
        const pids = await home.pidsOf('api');
        for (const load of loads) load.state.longestGapMs = 0;
        for (const pid of pids) if (pid) process.kill(pid, 'SIGKILL');
        await Promise.all(loads.map((load) => load.answers(50)));
        longest = Math.max(longest, ...loads.map((load) => load.state.longestGapMs));
      }
      return [Math.round(longest)];
    });
    rows.push([versionOf(node), scheduling, rounds, made, failed, codes, ...more]);
  }
  return rows;
}
