/** What is reported of a failure, without processes. */
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { Slot } from '../../../src/primary/pool/slot.js';
import { makeLaunch } from '../../../src/primary/pool/launch.js';
import { specWith } from '../../support/spec.js';
import { exit, killedBy, said } from '../../support/snapshot.js';

const CRASHED = { code: 1, signal: null, reason: exit(1) };
const KILLED = { code: null, signal: 'SIGKILL', reason: killedBy('SIGKILL') };

function slotWith(launch, ...workers) {
  const pool = Object.assign(new EventEmitter(), { changed: () => {} });
  return { slot: Object.assign(new Slot(0, launch, pool), { workers }), pool };
}

const killed = (launch) => ({
  launch,
  slot: 0,
  pid: 1234,
  generation: launch.generation,
  failure: KILLED.reason,
  fault: null,
  uptimeMs: 10,
  onlineAtMs: null,
  hasFailedEarly: false,
  readiness: { hasStayedUp: false },
  output: { lastLines: async () => ['Error: a request failed'] },
});

t.test('a reload that fails in a slot whose program had done its work before', async (t) => {
  const before = makeLaunch(specWith({ autorestart: false }), 1);
  const next = makeLaunch(specWith({ autorestart: false }), 2);
  const { slot, pool } = slotWith(before);
  slot.blocked = 'exited';
  const reason = exit(0, { final: 'autorestart' });
  slot.reason = reason;
  slot.beginReload(next);
  pool.on('replacement-failed', () => slot.revertReload());
  const reports = [];
  pool.on('progress', (report) => reports.push(report));
  const event = once(pool, 'event');

  slot.noteFailedExit(killed(next), KILLED);

  const seen = { slot: 0, reason: killedBy('SIGKILL'), signal: 'SIGKILL' };
  t.match(reports, [{ kind: 'failed', ...seen }], 'its own failure, not what was before');
  t.match(await event, [{ type: 'worker.exited', ...seen }]);
  t.match(slot, { blocked: 'exited', reason }, 'it is as before');
});

t.test('a new worker that dies beside the old one fails the reload', async (t) => {
  const [before, next] = [1, 2].map((generation) => makeLaunch(specWith({}), generation));
  for (const [status, fails] of [
    ['online', 1],
    ['draining', 0],
  ]) {
    const { slot, pool } = slotWith(before, { ...killed(before), key: 1, status });
    slot.beginReload(next);
    let failures = 0;
    pool.on('replacement-failed', () => (failures += 1));
    const readiness = { hasStayedUp: true };
    slot.noteFailedExit({ ...killed(next), key: 2, onlineAtMs: 1, readiness }, KILLED);
    t.equal(failures, fails, status);
  }
});

t.test('what a program wrote is the cause of its own end only', async (t) => {
  const launch = makeLaunch(specWith({}), 1);
  const causeAfter = async (exit, more = {}) => {
    const { slot } = slotWith(launch);
    slot.noteFailedExit({ ...killed(launch), ...more }, exit);
    const { cause } = await slot.lastFailure;
    t.equal(cause, slot.exits[0].cause);
    return cause;
  };
  const aborted = { code: null, signal: 'SIGABRT', reason: killedBy('SIGABRT') };
  t.equal(await causeAfter(CRASHED), 'a request failed');
  t.equal(await causeAfter(aborted), 'a request failed');
  t.equal(await causeAfter(aborted, { hasFailedEarly: true }), null, 'it hung');
  t.equal(await causeAfter(KILLED), null);
  t.equal(await causeAfter({ code: 0, signal: null, reason: exit(0) }), null);
});

t.test('a worker that is not started again: first why, then that', async (t) => {
  const launch = makeLaunch(specWith({ maxRestarts: 0 }), 1);
  for (const hasFailedEarly of [false, true]) {
    const { slot, pool } = slotWith(launch);
    const worker = Object.assign(new EventEmitter(), killed(launch), { hasFailedEarly });
    const events = [];
    pool.on('event', (event) => events.push(event));
    if (hasFailedEarly) slot.noteEarlyFailure(worker, said('hung'));
    slot.noteFailedExit(worker, CRASHED);
    const { reason } = slot;
    t.same((await slot.lastFailure).reason, reason, 'with why nothing starts it again');
    t.equal(slot.blocked, 'errored');
    t.match(events, [{ type: 'worker.exited' }, { type: 'worker.errored', slot: 0, reason }]);
    t.equal(events.length, 2);
  }
});

t.test('earlier exits keep their cause, not their last lines', async (t) => {
  const launch = makeLaunch(specWith({}), 1);
  const { slot } = slotWith(launch);
  for (const exit of [CRASHED, KILLED]) slot.noteFailedExit(killed(launch), exit);
  await slot.lastFailure;
  t.match(slot.exits, [
    { signal: 'SIGKILL', cause: null },
    { code: 1, cause: 'a request failed', lastLines: [] },
  ]);
  slot.setRunning(launch);
  t.match(slot.exits, [{ isExcused: true }, { isExcused: true }], 'a command has started it anew');
});

t.test('a script that ends with 0 has not crashed', async (t) => {
  for (const [hasListened, expected] of [
    [false, true],
    [true, undefined],
  ]) {
    const launch = { ...makeLaunch(specWith({}), 1), hasListened };
    const { slot } = slotWith(launch);
    slot.noteFailedExit(killed(launch), { code: 0, signal: null, reason: exit(0) });
    t.equal(slot.exits[0].isExcused, expected);
  }
});

t.test('whether an older worker served beside the one that failed', async (t) => {
  const launch = makeLaunch(specWith({}), 1);
  const isBesideOf = (worker) => {
    const { slot } = slotWith(launch, worker);
    slot.noteFailedExit({ ...killed(launch), key: 5 }, CRASHED);
    return slot.exits[0].isExcused ?? false;
  };
  t.equal(isBesideOf({ key: 4, status: 'online' }), true);
  t.equal(isBesideOf({ key: 4, status: 'stopping' }), false);
  t.equal(isBesideOf({ key: 6, status: 'online' }), false, 'it is the one that was replaced');
});
