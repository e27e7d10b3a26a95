import t from 'tap';
import { jobs } from '../../../src/features/jobs/show.js';

const run = (more) => ({
  at: 10_000,
  durationMs: 2100,
  ok: true,
  code: 0,
  reason: 'exited with code 0',
  ...more,
});
const app = (more) => ({
  job: {
    schedule: '*/5 * * * *',
    overlap: 'skip',
    nextRunAt: 264_000,
    skipped: 0,
    ...more,
  },
});
const waiting = { status: 'waiting' };

t.test('the state of a job', async (t) => {
  for (const [job, worker, text] of [
    [{}, waiting, 'waiting 4m 10s'],
    [{ lastRun: run() }, waiting, 'waiting 4m 10s, last ok, took 2.1s'],
    [
      { lastRun: run({ ok: false, code: 3 }) },
      waiting,
      'waiting 4m 10s, last failed (exit 3), took 2.1s',
    ],
    [
      { lastRun: run({ ok: false, code: undefined, signal: 'SIGKILL' }) },
      waiting,
      'waiting 4m 10s, last failed (SIGKILL), took 2.1s',
    ],
    [{ nextRunAt: undefined }, waiting, 'waiting for no further time'],
    [{ lastRun: run() }, { status: 'online', startedAt: 2000 }, 'running 12s'],
    [{}, { status: 'starting' }, 'running 0s'],
    [{}, { status: 'stopped' }, null],
    [{}, { status: 'stopping' }, null],
  ]) {
    t.equal(jobs.worker(app(job), worker, 14_000), text);
  }
  t.equal(jobs.worker({}, waiting, 0), null);
});

t.test('the facts of describe, and the outcome of a command', async (t) => {
  t.equal(jobs.section({}, 0), null);
  const factsOf = (/** @type {any} */ of) => jobs.section(of, 14_000).facts;
  t.same(factsOf({ job: { schedule: '@daily', overlap: 'skip', skipped: 0 } }), [
    ['schedule', '@daily, overlap: skip'],
    ['next run', undefined],
    ['last run', undefined, ''],
  ]);
  const [schedule, next, last] = factsOf(
    app({ timezone: 'UTC', skipped: 2, lastRun: run({ ok: false, reason: 'exited with code 3' }) }),
  );
  t.same(schedule, ['schedule', '*/5 * * * * (UTC), overlap: skip, 2 skipped']);
  t.match(next[1], /^19(69|70)-\d\d-\d\d \d\d:\d\d:24, in 4m 10s$/);
  t.same(last, ['last run', 'failed: exited with code 3, took 2.1s, 4s ago', 'bad']);
  t.equal(
    jobs.outcome({ action: 'start' }, { nextRunAt: 18_000 }, 14_000),
    'runs at its times, next in 4s',
  );
  t.match(
    jobs.outcome({ action: 'reload' }, { nextRunAt: null }, 14_000),
    /^the next run has .* no further one$/,
  );
});
