import t from 'tap';
import { QUIET_INTERVAL_MS } from '../../../src/lifecycle/hang-policy.js';
import { lookAtAll, Pulse } from '../../../src/primary/worker/pulse.js';

/** Lets the test decide what time it is. */
const clock = { nowMs: 0 };
t.before(() => {
  const { now } = performance;
  performance.now = () => clock.nowMs;
  t.teardown(() => (performance.now = now));
});

const agent = { isConnected: true };

/** A worker whose event loop is blocked from the beginning. */
function blockedWorker(t, { hangTimeoutMs = null } = {}) {
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
    end: ({ reason: { kind, ms } }) => reports.push(`${kind} ${ms}`),
  });
  t.teardown(() => pulse.end());
  clock.nowMs = 0;
  lookAtAll(0);
  pulse.start();
  return { pulse, reports };
}

function look(timesMs) {
  for (const nowMs of timesMs) {
    clock.nowMs = nowMs;
    lookAtAll(nowMs);
  }
}

t.test('a blocked worker is reported once; with hang_timeout it has hung', async (t) => {
  const [shown, ended] = [blockedWorker(t), blockedWorker(t, { hangTimeoutMs: 5000 })];
  look([2000, 4000]);
  t.same([shown.reports, ended.reports], [[], []]);
  look([6000, 8000]);
  t.same(shown.reports, ['blocked since 0']);
  t.same(ended.reports, ['blocked since 0', 'hang 8000']);
  clock.nowMs = 9000;
  shown.pulse.beat();
  ended.pulse.end();
  look([10_000]);
  t.same(shown.reports, ['blocked since 0', 'turns after 9000']);
  t.equal(ended.reports.length, 2, 'one that is being ended is not judged');
});

t.test('a primary that was stopped itself blames no worker', async (t) => {
  const worker = blockedWorker(t, { hangTimeoutMs: 5000 });
  look([2000, 62_000, 64_000, 66_000]);
  t.same(worker.reports, [], 'silence counts anew from then');
  look([68_000, 70_000]);
  t.same(worker.reports, ['blocked since 62000', 'hang 8000']);
});

t.test('one that does nothing is not expected to beat for a while, until it drains', async (t) => {
  const { pulse, reports } = blockedWorker(t);
  pulse.beat(QUIET_INTERVAL_MS);
  look([2000, 4000, 6000, 8000, 10_000, 12_000]);
  t.same(reports, []);
  look([14_000]);
  t.same(reports, ['blocked since 8000']);
  const draining = blockedWorker(t);
  draining.pulse.beat(QUIET_INTERVAL_MS);
  draining.pulse.startDrain();
  look([2000, 4000, 6000]);
  t.same(draining.reports, ['blocked since 0']);
  const forged = blockedWorker(t);
  forged.pulse.beat(Infinity);
  look([2000, 4000, 6000]);
  t.same(forged.reports, ['blocked since 0']);
});

t.test('nothing that forgives silence shortens the time of one that does nothing', async (t) => {
  const notRun = blockedWorker(t);
  notRun.pulse.beat(QUIET_INTERVAL_MS);
  look([2000, 6000, 8000, 10_000, 12_000]);
  t.same(notRun.reports, [], 'after a gap of the primary');
  const held = blockedWorker(t);
  held.pulse.beat(QUIET_INTERVAL_MS);
  held.pulse.heldUntilMs = Infinity;
  look([2000]);
  held.pulse.heldUntilMs = 2000;
  look([4000, 6000, 8000, 10_000, 12_000]);
  t.same(held.reports, [], 'after it was held');
  const started = blockedWorker(t);
  started.pulse.end();
  started.pulse.beat(QUIET_INTERVAL_MS);
  started.pulse.start();
  look([2000, 4000, 6000, 8000, 10_000, 12_000]);
  t.same(started.reports, [], 'when it comes online');
  look([14_000]);
  started.pulse.beat(QUIET_INTERVAL_MS);
  look([16_000]);
  t.same(started.reports, ['blocked since 8000', 'turns after 8000']);
});
