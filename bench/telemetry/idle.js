/** The CPU use of daemon, primary and idle workers, with and without a client that watches. */
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../src/protocol/client.js';
import { homePaths } from '../../src/shared/home.js';
import { app } from '../../test/support/home.js';
import { freePort } from '../../test/support/ports.js';
import { inHome } from '../bench-home.js';
import { cpuMs } from './cpu.js';

/** V8 still collects garbage for some time after a start. */
const SETTLED_MS = 60_000;

/**
 * @param {string} node
 * @param {{workers: number, idle: number}} numbers of workers; seconds that each measurement takes
 * @returns {Promise<{off: number[], on: number[]}>} percent of a core of daemon, primary, one worker
 */
export function measureIdle(node, { workers: count, idle: seconds }) {
  return inHome(async ({ ok, home, list }) => {
    const start = ['start', app('http-pid.cjs'), '-i', String(count), '--name', 'api'];
    await ok(start, { node, env: { PORT: String(await freePort()) } });
    const { daemon, apps } = await list();
    const workers = apps[0].workers.map((/** @type {{pid: number}} */ worker) => worker.pid);
    const groups = [[daemon.pid], [apps[0].primaryPid], workers];
    await pause(SETTLED_MS);
    const off = await percents(groups, seconds);
    const client = await connect(homePaths(home).daemonSocket, {
      hello: { role: 'bench', version: '0' },
    });
    client.request('watch', { intervalMs: 1000 }).catch(() => {});
    await pause(2000);
    const on = await percents(groups, seconds);
    client.close();
    return { off, on };
  });
}

/**
 * @param {number[][]} groups of pids
 * @param {number} seconds
 * @returns {Promise<number[]>} percent of a core that one process of each group takes
 */
async function percents(groups, seconds) {
  const cpu = () => groups.map((pids) => pids.reduce((sum, pid) => sum + cpuMs(pid), 0));
  const [before, begun] = [cpu(), performance.now()];
  await pause(seconds * 1000);
  const [after, lastedMs] = [cpu(), performance.now() - begun];
  return groups.map(({ length }, at) => ((after[at] - before[at]) / lastedMs / length) * 100);
}
