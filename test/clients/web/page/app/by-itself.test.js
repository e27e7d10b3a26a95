/** What an app does by itself, in words: jobs, scaling, a canary beside the old workers. */
import t from 'tap';
import { jobFacts } from '../../../../../src/clients/web/page/app/job.js';
import { scalingFacts } from '../../../../../src/clients/web/page/app/scaling.js';
import { compareCanary } from '../../../../../src/clients/web/page/reload/compare-canary.js';

const NOW = new Date(2026, 10, 23, 14, 0, 0).getTime();

t.test('a job', async (t) => {
  const job = { schedule: '*/5 * * * *', overlap: 'skip', skipped: 0 };
  t.same(jobFacts(job, NOW), [
    ['last run', 'none yet', ''],
    ['next run', 'none'],
    ['schedule', '*/5 * * * *'],
    ['overlap', 'skip'],
  ]);
  const failed = { ok: false, reason: 'exited with code 1', durationMs: 2100, at: NOW - 5000 };
  const late = { ...job, timezone: 'Europe/Berlin', skipped: 2, lastRun: failed };
  t.same(jobFacts({ ...late, nextRunAt: NOW + 130_000 }, NOW), [
    ['last run', 'failed: exited with code 1, took 2.1 s, 5 s ago', 'bad'],
    ['next run', '14:02:10, in 2m 10s'],
    ['schedule', '*/5 * * * * (Europe/Berlin)'],
    ['overlap', 'skip, 2 left out'],
  ]);
  const [, [, tomorrow]] = jobFacts({ ...job, nextRunAt: NOW + 86_400_000 }, NOW);
  t.equal(tomorrow, '2026-11-24 14:00:00, in 1d');
});

t.test('scaling', async (t) => {
  const scaling = { min: 2, max: 8, elu: 0.8 };
  t.same(scalingFacts({ instances: 2 }, scaling, NOW), [
    ['workers', '2 of 2–8'],
    ['event loops', 'not measured yet, target 80 %'],
    ['last change', 'none yet'],
    ['not scaled now', '', 'warn'],
  ]);
  const lastChange = { at: NOW - 12_000, from: 2, to: 3, reason: 'event loops were 91 % busy' };
  const held = { ...scaling, utilisation: 0.634, lastChange, held: 'is at its maximum' };
  t.same(scalingFacts({ instances: 3 }, held, NOW).slice(1), [
    ['event loops', '63 % busy, target 80 %'],
    ['last change', '2 → 3 workers 12 s ago: event loops were 91 % busy'],
    ['not scaled now', 'is at its maximum', 'warn'],
  ]);
});

t.test('a canary and the old workers', async (t) => {
  /** @param {number} requests @param {number} errors @param {number} [p99Ms] */
  const answers = (requests, errors, p99Ms) => ({ requests, errors, p99Ms });
  const rule = { slots: [0], forMs: 1000, max5xx: 0.01, maxP99: 2 };
  const rows = [
    [answers(0, 0), answers(0, 0), ['0 %', false, '-', false]],
    [answers(100, 1, 4), answers(300, 0, 1.5), ['1 %', false, '4.0ms', false]],
    [answers(100, 3, 50), answers(300, 3, 20), ['3 %', true, '50ms', true]],
    [answers(100, 3, 50), answers(300, 12, 30), ['3 %', false, '50ms', false]],
    [answers(2, 1, 12), answers(0, 0), ['50 %', false, '12ms', false]],
  ];
  for (const [canary, old, expected] of rows) {
    const [, errors, p99] = compareCanary({ ...rule, canary, old });
    t.same([errors.own, errors.isOver, p99.own, p99.isOver], expected);
  }
  const [requests, errors, p99] = compareCanary({
    ...rule,
    canary: answers(7, 0),
    old: answers(9, 0),
  });
  t.same([requests.own, requests.old], ['7', '9']);
  t.same([errors.allowed, p99.allowed], ['1 % more', '2 times']);
});
