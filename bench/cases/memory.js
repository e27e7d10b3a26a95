/** What the supervisor itself needs, for one app and for many. */
import { setTimeout as pause } from 'node:timers/promises';
import { processesOf } from '../../test/support/processes.js';
import { startApps } from '../comparison/apps.js';
import { programOf } from '../comparison/loads.js';
import { serving } from '../comparison/serving.js';
import { privateMegabytes } from '../processes.js';

/** @import { Candidate, Case, Program } from '../comparison/types.js' */

/** @type {Record<string, {apps: number, exec_mode: string}>} */
const VARIANTS = {
  '1 app, fork': { apps: 1, exec_mode: 'fork' },
  '25 apps, fork': { apps: 25, exec_mode: 'fork' },
  '1 app, cluster': { apps: 1, exec_mode: 'cluster' },
  '25 apps, cluster': { apps: 25, exec_mode: 'cluster' },
  '100 apps, fork': { apps: 100, exec_mode: 'fork' },
};
/** V8 returns what the start needed only after some time. */
const SETTLED_MS = 10_000;

/** @type {Case} */
const memory = {
  section: 'Memory',
  title: 'Memory of the supervisor',
  about:
    'Private memory (`Private_Dirty` and `Private_Clean` of `smaps_rollup`) of all processes but the workers. Each app has one worker.',
  candidates: ['nodecluster', 'PM2 7'],
  rounds: 1,
  seconds: 130,
  drawn: 'megabytes',
  figures: [
    { key: 'megabytes', title: 'MB', better: 'less', digits: 1 },
    { key: 'each', title: 'MB an app', better: 'less', digits: 1, isDetail: true },
    { key: 'processes', title: 'processes', better: 'less' },
  ],
  measure: async (conditions) => {
    const measured = [];
    for (const [variant, { apps, exec_mode }] of Object.entries(VARIANTS)) {
      const script = programOf('expensive.cjs');
      const given = { script, workers: 1, path: '/fast' };
      const figures = await serving(conditions, given, async ({ program }) => {
        await startApps(conditions.candidate, program, { apps, instances: 1, exec_mode });
        await pause(SETTLED_MS);
        return memoryOf(conditions.candidate, program, apps);
      });
      measured.push({ variant, figures });
    }
    return measured;
  },
};

export default memory;

/** @param {Candidate} candidate @param {Program} program @param {number} count */
async function memoryOf({ name, run }, program, count) {
  const listed = name.startsWith('PM2') ? ['jlist'] : ['ls', '--json'];
  const workers = workersIn(JSON.parse((await run?.(program, listed)) ?? ''));
  if (workers.length !== count) throw new Error(`${workers.length} of ${count} workers run`);
  const others = processesOf(program.root).filter((pid) => !workers.includes(pid));
  const megabytes = others.reduce((sum, pid) => sum + privateMegabytes(pid), 0);
  return { megabytes, each: megabytes / count, processes: others.length };
}

/** @param {any} listed of PM2, or of nodecluster @returns {number[]} pids */
function workersIn(listed) {
  const workers = Array.isArray(listed)
    ? listed
    : listed.apps.flatMap((/** @type {any} */ app) => app.workers);
  return workers.map((/** @type {{pid: number}} */ { pid }) => pid);
}
