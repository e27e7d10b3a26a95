/** The commands during which calls fail: those of `interrupted/`, and `save` and a job's run. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { app } from '../home.js';
import {
  operations,
  writeFile,
  writeRelease,
} from '../../../bench/faults/interrupted/operations.js';
import { readState } from '../../../bench/faults/interrupted/state.js';

const RUNNING = { workers: 2, version: '1' };
const PARTLY = { workers: 2, version: '1 and 2' };
const NAMES = ['start', 'reload', 'scale up', 'scale down', 'stop', 'update'];

export const verbs = [
  ...operations.filter(({ name }) => NAMES.includes(name)).map(verbOf),
  verbOf({ name: 'save', before: RUNNING, after: RUNNING, args: ['save'] }),
  jobRun(),
];

function verbOf(operation) {
  const { name, before, after, args, release } = operation;
  const write = ({ home, port }, shape) =>
    writeFile(home, operation, shape ?? RUNNING, { ports: [port], scheduling: 'round-robin' });
  return {
    name,
    needsNewHome: release !== undefined,
    async prepare(place) {
      const shape = (await readState(place.home))?.actual('api');
      if (isDeepStrictEqual(shape ?? null, before)) return;
      if (before === null) await run(place, ['delete', 'api']);
      else await run(place, [commandTo(shape), write(place, before)]);
    },
    command(place) {
      const file = write(place, after?.version ? after : RUNNING);
      const bin = release && writeRelease(place.home, release);
      return { args: args.map((word) => (word === 'FILE' ? file : word)), bin };
    },
    async look({ home }) {
      const state = await readState(home);
      if (state === null) return null;
      const versions = state.actual('api')?.version?.split(' and ') ?? [];
      return { outcome: outcomeOf(operation, state), pids: state.pids, versions, text: state.text };
    },
  };
}

function outcomeOf({ before, after, release }, { actual, isSettled, release: running }) {
  const shape = actual('api');
  const isInstalled = release === undefined || running === release;
  if (isSettled && isInstalled && isDeepStrictEqual(shape, after)) return 'finished';
  if (isSettled && isDeepStrictEqual(shape, before)) return 'undone';
  return isDeepStrictEqual(shape, PARTLY) ? 'partly' : null;
}

/**
 * @param shape of the app now
 * @returns what leads to that of a file
 */
function commandTo(shape) {
  if (!shape?.workers) return 'start';
  return shape.version?.includes(' and ') ? 'reload' : 'apply';
}

function jobRun() {
  /** How often the program had run before. */
  let before = 0;
  const runsOf = ({ home }) => join(home.root, 'runs');
  const countOf = (place) =>
    existsSync(runsOf(place)) ? readFileSync(runsOf(place), 'utf8').split('\n').length - 1 : 0;
  return {
    name: "a job's run",
    async prepare(place) {
      if (countOf(place) === 0) await startJob(place, runsOf(place));
      before = countOf(place);
    },
    command: () => ({ args: ['run-now', 'api'] }),
    async look(place) {
      const { daemon, apps } = await place.home.list();
      const [{ busy, primaryPid, workers, job } = { workers: [] }] = apps;
      const runs = countOf(place) - before;
      const isWaiting = busy === undefined && workers[0]?.status === 'waiting';
      const isFinished = runs === 1 && job?.lastRun?.ok;
      const outcome = !isWaiting || runs > 1 ? null : isFinished ? 'finished' : 'undone';
      const pids = [daemon.pid, primaryPid, ...workers.map((worker) => worker.pid)].filter(Boolean);
      const text = JSON.stringify({ runs, busy, workers, lastRun: job?.lastRun });
      return { outcome, pids, versions: [], text };
    },
  };
}

async function startJob(place, runs) {
  const { root } = place.home;
  const [file, task] = [join(root, 'ecosystem.json'), join(root, 'task.json')];
  writeFileSync(task, JSON.stringify({ ms: 50, code: 0 }));
  const env = { RUNS: runs, TASK: task };
  const entry = { name: 'api', script: app('job.cjs'), schedule: '0 0 1 1 *', env };
  writeFileSync(file, JSON.stringify({ apps: [entry] }));
  await run(place, ['start', file]);
  await run(place, ['run-now', 'api']);
}

function run({ home, node, env }, args) {
  return home.ok(args, { node, env });
}
