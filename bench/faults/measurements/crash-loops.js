/** The cost of apps in a crash loop, and the effect of four of them on a healthy neighbour. */
import { fileURLToPath } from 'node:url';
import { app } from '../../../test/support/home.js';
import { ask } from '../../../test/support/http-ask.js';
import { freePort, freePorts } from '../../../test/support/ports.js';
import { cpuMs } from '../../processes.js';
import { quantile } from '../../statistics.js';
import { count, distinct, middle, most, sum, zero } from '../figures.js';
import { startApps } from '../supervisors/supervisor.js';

/** @import { Measurement } from '../measurements.js' */

const OUT_OF_MEMORY = fileURLToPath(new URL('../programs/out-of-memory.cjs', import.meta.url));

/** Delay between an answer of the neighbour and the next request. */
const THINK_MS = 2;
/** Time for which the neighbour is measured alone, as a fraction of the time beside the loops. */
const ALONE = 0.25;

const loops = [
  { name: 'throws at load', script: app('throws-at-load.cjs') },
  { name: 'dies after 1.1 s', script: app('dies-after-listen.cjs'), env: { LIVES_MS: 1100 } },
  { name: 'exits with 0', script: app('exits-0.cjs') },
  { name: 'out of memory', script: OUT_OF_MEMORY, node_args: ['--max-old-space-size=32'] },
].map(({ name, ...spec }, at) => ({
  loop: name,
  spec: { name: `loop-${at}`, instances: 1, ...spec },
}));

/** @type {Measurement} */
export const crashLoops = {
  name: 'loops',
  tables: [
    {
      name: 'loops',
      title: 'Crash loops, all four at once',
      by: { loop: 'loop' },
      columns: [
        { head: 'seconds', of: 'seconds', over: distinct },
        { head: 'most starts', of: 'starts', over: most },
        { head: 'then', of: 'status', over: distinct },
        { head: 'CPU of its primary, % of a core', of: 'cpu', over: middle },
      ],
    },
    {
      name: 'neighbour',
      title: 'A healthy app beside the four crash loops',
      columns: [
        { head: 'CPU of the supervisor, % of a core', of: 'cpu', over: middle },
        count('requests', 'made'),
        zero('failed', 'failed'),
        { head: 'p99 ms alone', of: 'aloneMs', over: middle },
        { head: 'p99 ms beside', of: 'besideMs', over: middle },
        { head: 'ratio', of: 'ratio', over: middle },
      ],
    },
  ],
  async measure(supervisor, { scheduling, numbers: { seconds } }) {
    const port = await freePort();
    const healthy = { name: 'neighbour', script: app('http-pid.cjs'), env: { PORT: port } };
    await startApps(supervisor, scheduling, [healthy]);
    const alone = await latencies(port, seconds * ALONE);
    const ports = await freePorts(loops.length);
    const specs = loops.map(({ spec }, at) => ({ ...spec, env: { ...spec.env, PORT: ports[at] } }));
    const spent = cpuMeter([await supervisor.primaryOf('neighbour')]);
    const starting = startApps(supervisor, scheduling, specs, { mayFail: true });
    const beside = await latencies(port, seconds);
    await starting;
    const cpu = (/** @type {number[]} */ pids) => Math.round((1000 * spent(pids)) / seconds) / 10;
    const primaries = await Promise.all(specs.map(({ name }) => supervisor.primaryOf(name)));
    const rows = await Promise.all(
      loops.map(async ({ loop, spec: { name } }, at) => {
        const [{ restarts, status }] = await supervisor.workers(name);
        const of = cpu([primaries[at]]);
        return { table: 'loops', loop, seconds, starts: restarts + 1, status, cpu: of };
      }),
    );
    const neighbour = {
      ...{ table: 'neighbour', made: beside.made, failed: beside.failed },
      ...{ aloneMs: alone.p99Ms, besideMs: beside.p99Ms, ratio: beside.p99Ms / alone.p99Ms },
      cpu: cpu([...new Set(primaries)]),
    };
    return [...rows, neighbour];
  },
};

/**
 * One client that sends one request after another, each on its own connection.
 * @param {number} port
 * @param {number} seconds
 */
async function latencies(port, seconds) {
  /** @type {number[]} */
  const times = [];
  let failed = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    await ask(port).then(
      () => times.push(performance.now() - start),
      () => failed++,
    );
    await new Promise((resolve) => setTimeout(resolve, THINK_MS));
  }
  return { made: times.length + failed, failed, p99Ms: quantile(times, 0.99) };
}

/**
 * @param {number[]} running what these have spent before does not count
 * @returns {(pids: number[]) => number} CPU seconds that these have spent since
 */
function cpuMeter(running) {
  const before = new Map(running.map((pid) => [pid, cpuMs(pid).own]));
  return (pids) => sum(pids.map((pid) => cpuMs(pid).own - (before.get(pid) ?? 0))) / 1000;
}
