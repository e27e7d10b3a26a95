/** What one app more costs: memory, CPU, and the time of commands with few apps and with many. */
import { setTimeout as pause } from 'node:timers/promises';
import { processesOf } from '../../test/support/processes.js';
import { startApps } from '../comparison/apps.js';
import { programOf, serving } from '../comparison/serving.js';
import { cpuMs, privateMegabytes, proportionalMegabytes } from '../processes.js';

/** @import { Candidate, Case, Program } from '../comparison/types.js' */

/** @type {Record<string, {apps: number, exec_mode: string}>} */
const VARIANTS = {
  '1 app, fork': { apps: 1, exec_mode: 'fork' },
  '100 apps, fork': { apps: 100, exec_mode: 'fork' },
  '1 app, cluster': { apps: 1, exec_mode: 'cluster' },
  '25 apps, cluster': { apps: 25, exec_mode: 'cluster' },
  '100 apps, cluster': { apps: 100, exec_mode: 'cluster' },
  '500 apps, cluster': { apps: 500, exec_mode: 'cluster' },
};
/** V8 returns what the start needed only after some time. */
const SETTLED_MS = 10_000;
const IDLE_MS = 20_000;

/** @type {Case} */
const apps = {
  title: 'By the number of apps',
  // Supervisor: all processes but the workers, their private memory; tree: all processes, Pss. Each app has one worker.
  candidates: ['nodecluster', 'PM2 7'],
  rounds: 1,
  seconds: 300,
  drawn: 'megabytes',
  figures: [
    { key: 'megabytes', title: 'supervisor MB', better: 'less', digits: 1 },
    { key: 'tree', title: 'tree MB', better: 'less' },
    { key: 'processes', title: 'processes', better: 'less' },
    { key: 'idle', title: 'idle, % of a core', better: 'less', digits: 1 },
    { key: 'start', title: 'start s', better: 'less', digits: 1 },
    { key: 'ls', title: 'ls s', better: 'less', digits: 2 },
    { key: 'reload', title: 'reload s', better: 'less', digits: 2 },
  ],
  measure: async (conditions) => {
    const measured = [];
    for (const [variant, { apps, exec_mode }] of Object.entries(VARIANTS)) {
      const script = programOf('expensive.cjs');
      const given = { script, workers: 1, path: '/fast' };
      const figures = await serving(conditions, given, async ({ program }) => {
        const shape = { apps, instances: 1, exec_mode };
        const start = await secondsOf(() => startApps(conditions.candidate, program, shape));
        await pause(SETTLED_MS);
        return { start, ...(await costOf(conditions.candidate, program, apps)) };
      });
      measured.push({ variant, figures });
    }
    return measured;
  },
};

export default apps;

/** @param {Candidate} candidate @param {Program} program @param {number} count */
async function costOf({ name, run }, program, count) {
  const command = (/** @type {string[]} */ ...args) => run?.(program, args) ?? '';
  const listed = await command(...(name.startsWith('PM2') ? ['jlist'] : ['ls', '--json']));
  const workers = workersIn(JSON.parse(listed));
  if (workers.length !== count) throw new Error(`${workers.length} of ${count} workers run`);
  const all = processesOf(program.root);
  const others = all.filter((pid) => !workers.some((worker) => worker.pid === pid));
  const usedMs = () => sumOf(others, (pid) => cpuMs(pid).own);
  const beforeMs = usedMs();
  await pause(IDLE_MS);
  return {
    idle: ((usedMs() - beforeMs) / IDLE_MS) * 100,
    megabytes: sumOf(others, privateMegabytes),
    tree: sumOf(all, proportionalMegabytes),
    processes: others.length,
    ls: await secondsOf(() => command('ls')),
    reload: await secondsOf(() => command('reload', workers[0].name)),
  };
}

/** @param {() => unknown} work */
async function secondsOf(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

/** @param {any} listed of PM2, or of nodecluster @returns {{name: string, pid: number}[]} */
function workersIn(listed) {
  if (Array.isArray(listed)) return listed;
  return listed.apps.flatMap((/** @type {any} */ { name, workers }) =>
    workers.map((/** @type {any} */ { pid }) => ({ name, pid })),
  );
}

/** @param {number[]} pids @param {(pid: number) => number} of */
function sumOf(pids, of) {
  return pids.reduce((sum, pid) => sum + of(pid), 0);
}
