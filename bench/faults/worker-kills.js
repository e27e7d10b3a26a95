/** Point 3: one worker killed again and again at a high rate of connections. */
import { readdirSync } from 'node:fs';
import { until } from '../../test/support/until.js';
import { versionOf } from '../bench-home.js';
import { median } from '../table.js';
import { RESTARTS_UNLIMITED, served } from './served.js';

workerKills.heads = [
  'Node',
  'scheduling',
  'kills',
  'requests',
  'failed',
  'how',
  'descriptors of the primary',
  'median ms',
  'p99 ms',
];

/**
 * @param {string} node
 * @param {Record<string, number>} numbers
 * @returns {Promise<(string | number)[][]>}
 */
export async function workerKills(node, { kills }) {
  const rows = [];
  for (const scheduling of ['round-robin', 'shared']) {
    const given = { node, scheduling, flags: RESTARTS_UNLIMITED };
    const { made, failed, codes, more } = await served(given, async ({ home, loads }) => {
      const { primaryPid } = await home.appNamed('api');
      const before = descriptorsOf(primaryPid);
      const times = [];
      for (let kill = 0; kill < kills; kill++) {
        await Promise.all(loads.map((load) => load.answers(10)));
        times.push(await killOne(home));
      }
      const sorted = times.sort((a, b) => a - b);
      const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];
      const fds = `${before} → ${descriptorsOf(primaryPid)}`;
      return [fds, Math.round(median(times)), Math.round(p99)];
    });
    rows.push([versionOf(node), scheduling, kills, made, failed, codes, ...more]);
  }
  return rows;
}

/**
 * @param {import('./served.js').Home} home
 * @returns {Promise<number>} milliseconds until `ls` shows another in its place
 */
async function killOne(home) {
  const [{ pid, slot }] = (await home.appNamed('api')).workers;
  const start = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(async () => {
    const { workers } = await home.appNamed('api');
    const now = workers.find((/** @type {any} */ worker) => worker.slot === slot);
    return now.pid && now.pid !== pid && now.status === 'online';
  }, 'the replacement');
  return performance.now() - start;
}

/** @param {number} pid */
function descriptorsOf(pid) {
  return readdirSync(`/proc/${pid}/fd`).length;
}
