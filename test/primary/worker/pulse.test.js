import t from 'tap';
import { Pulse } from '../../../src/primary/worker/pulse.js';

/** Lets the test decide what time it is. */
const clock = { nowMs: 0 };
t.before(() => {
  const { now } = performance;
  performance.now = () => clock.nowMs;
  t.teardown(() => (performance.now = now));
});

const agent = { isConnected: true };

/** A worker whose event loop is blocked from the beginning. */
function blockedWorker({ hangTimeoutMs = null } = {}) {
  const reports = [];
  const launch = { spec: { hangTimeoutMs, killTimeoutMs: 2000 } };
  const pulse = new Pulse({
    launch,
    agent,
    notePulse: (blockedMs) => {
      const { blockedSinceMs } = pulse;
      const isOver = blockedSinceMs === null;
      reports.push(isOver ? `turns after ${blockedMs}` : `blocked since ${blockedSinceMs}`);
    },
    output: { add: () => {} },
    end: ({ reason }) => reports.push(reason),
  });
  clock.nowMs = 0;
  look.lastMs = 0;
  pulse.start();
  return { pulse, reports };
}

function look(workers, timesMs) {
  for (const nowMs of timesMs) {
    const sinceCheckMs = nowMs - look.lastMs;
    look.lastMs = nowMs;
    clock.nowMs = nowMs;
    for (const { pulse } of workers) pulse.look(nowMs, sinceCheckMs);
  }
}

t.test('a blocked worker is reported once; with hang_timeout it has hung', async (t) => {
  const [shown, ended] = [blockedWorker(), blockedWorker({ hangTimeoutMs: 5000 })];
  const both = [shown, ended];
  look(both, [2000, 4000]);
  t.same([shown.reports, ended.reports], [[], []]);
  look(both, [6000, 8000]);
  t.same(shown.reports, ['blocked since 0']);
  t.same(ended.reports, ['blocked since 0', 'event loop blocked for 8s']);
  clock.nowMs = 9000;
  shown.pulse.beat();
  ended.pulse.end();
  look(both, [10_000]);
  t.same(shown.reports, ['blocked since 0', 'turns after 9000']);
  t.equal(ended.reports.length, 2, 'one that is being ended is not judged');
});

t.test('a primary that was stopped itself blames no worker', async (t) => {
  const worker = blockedWorker({ hangTimeoutMs: 5000 });
  look([worker], [2000, 62_000, 64_000, 66_000]);
  t.same(worker.reports, [], 'silence counts anew from then');
  look([worker], [68_000, 70_000]);
  t.same(worker.reports, ['blocked since 62000', 'event loop blocked for 8s']);
});
