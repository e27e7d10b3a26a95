/** When a slot counts as done, without processes. */
import t from 'tap';
import { EventEmitter } from 'node:events';
import { start } from '../../../src/primary/methods.js';
import { makeLaunch } from '../../../src/primary/pool/launch.js';
import { recordOutcome, untilStarted } from '../../../src/primary/pool/outcome.js';
import { WorkerPool } from '../../../src/primary/pool/pool.js';
import { Replacements } from '../../../src/primary/pool/replacements.js';
import { Slot } from '../../../src/primary/pool/slot.js';
import { specWith } from '../../support/spec.js';
import { exit, said } from '../../support/snapshot.js';

/** A pool with one worker in each slot, all online. */
function onlinePool(count) {
  const launch = makeLaunch(specWith(), 1);
  const pool = new WorkerPool({});
  for (let number = 0; number < count; number++) {
    const slot = pool.addSlot(number, launch);
    const of = { addresses: [], holders: [], below: [], look: async () => {} };
    const shown = { listening: Object.assign(new Map(), of), expected: 'none', agent: null };
    const worker = { key: number, slot: number, launch, status: 'online', isReady: true };
    slot.workers = [{ ...worker, ...shown, readiness: { sign: null, restMs: 0 } }];
  }
  return { pool, launch, slots: [...pool.slots.values()] };
}

function outcomeOf(pool, slots) {
  return recordOutcome(pool, { notify() {} }, () => untilStarted(pool, slots));
}

async function turns(count) {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

/** Its worker has failed; what it says is known later. */
function failSlot(pool, slot) {
  slot.workers = [];
  slot.hasFailed = true;
  let report = () => {};
  slot.lastFailure = new Promise((resolve) => {
    report = () => resolve({ slot: slot.number, reason: exit(1), lastLines: [] });
  });
  return () => report();
}

t.test('whether a worker may be about to listen', async (t) => {
  const nowMs = performance.now();
  const serving = { status: 'online', child: { connected: true }, onlineAtMs: -Infinity };
  const since = (listenedAtMs) => ({ workers: [{ ...serving, listenedAtMs }] });
  const rows = [
    ['no slot is left', [], false],
    ['nobody is left and nobody comes', [{ isDesired: false }], false],
    ['somebody is coming', [{}], true],
    ['somebody has just come, and may yet open it', [since(nowMs)], true],
    ['somebody has been here long without it', [since(nowMs - 1e6)], false],
    ['one has been here long, another is coming', [since(nowMs - 1e6), {}], true],
    ['one is stopped for a restart', [{ isDesired: false, comesBack: true }], true],
  ];
  for (const [name, states, may] of rows) {
    const pool = new WorkerPool({});
    const launch = makeLaunch(specWith(), 1);
    for (const [number, state] of states.entries())
      Object.assign(pool.addSlot(number, launch), state);
    t.equal(pool.mayListen(1e5), may, name);
  }
});

t.test('a slot that fails while the failure of another is waited for is not done', async (t) => {
  const { pool, slots } = onlinePool(3);
  const [first, second] = slots;
  const reportFirst = failSlot(pool, first);
  const outcome = outcomeOf(pool, slots);
  await new Promise(setImmediate);
  const reportSecond = failSlot(pool, second);
  reportFirst();
  reportSecond();
  t.match(await outcome, { ok: false, done: [2], failed: [{ slot: 0 }, { slot: 1 }] });
});

t.test('one that is neither online nor late is waited for, forked or not', async (t) => {
  const { pool, slots } = onlinePool(1);
  const [worker] = pool.workers;
  slots[0].workers = [];
  let isOver = false;
  const outcome = outcomeOf(pool, slots).finally(() => (isOver = true));
  const look = async () => {
    pool.changed();
    await turns(3);
  };
  await look();
  slots[0].workers = [Object.assign(worker, { status: 'starting' })];
  await look();
  t.notOk(isOver);
  worker.status = 'online';
  pool.changed();
  t.match(await outcome, { ok: true, done: [0], failed: [] });
});

t.test('one that is late is not waited for', async (t) => {
  const { pool, slots } = onlinePool(2);
  const late = { kind: 'late', what: 'listen', afterMs: 3000 };
  const output = { linesSoFar: ['connecting'] };
  const more = { status: 'starting', readiness: { sign: null, late, restMs: 0 }, output };
  Object.assign(pool.workers[1], more);
  const outcome = await outcomeOf(pool, slots);
  t.match(outcome, { ok: false, done: [0], failed: [{ slot: 1, reason: late }] });
});

t.test('all must stay up for a while after they are online, side by side', async (t) => {
  const { pool, slots } = onlinePool(2);
  const [first, second] = pool.workers;
  let isOver = false;
  second.readiness.restMs = 30_000;
  const outcome = outcomeOf(pool, slots).finally(() => (isOver = true));
  await turns(3);
  t.notOk(isOver);
  first.readiness.restMs = 1;
  second.readiness.restMs = 1;
  const dying = pool.until(() => true).then(failSlot(pool, slots[1]));
  pool.once('change', () => Object.assign(first.readiness, { restMs: 0 }));
  await dying;
  t.match(await outcome, { ok: false, done: [0], failed: [{ slot: 1 }] });
});

t.test('one that was late, and is not any more, is waited for', async (t) => {
  const { pool, slots } = onlinePool(1);
  const [worker] = pool.workers;
  const late = 'event loop blocked since its start';
  const readiness = { sign: null, late, restMs: 0 };
  Object.assign(worker, { status: 'starting', readiness, output: {} });
  const outcome = outcomeOf(pool, slots);
  // After the command has seen it, and before it reports it.
  pool.once('change', () => (worker.readiness.late = null));
  await turns(3);
  worker.status = 'online';
  pool.changed();
  t.match(await outcome, { ok: true, done: [0], failed: [] });
});

t.test('a run of a job that has ended well is done', async (t) => {
  const { pool, slots } = onlinePool(1);
  failSlot(pool, slots[0])();
  slots[0].blocked = 'exited';
  const outcome = await outcomeOf(pool, slots);
  t.match(outcome, { ok: true, done: [0], failed: [] });
});

t.test('a worker that has crashed and runs again has not been started well', async (t) => {
  const { pool, slots } = onlinePool(1);
  const [worker] = pool.workers;
  failSlot(pool, slots[0])();
  slots[0].workers = [worker];
  const outcome = await outcomeOf(pool, slots);
  t.match(outcome, { ok: false, done: [], failed: [{ reason: exit(1) }] });
});

t.test('the first command of a primary, after what has failed', async (t) => {
  for (const hasStayedUp of [true, false]) {
    const { pool, launch, slots } = onlinePool(1);
    const [worker] = pool.workers;
    failSlot(pool, slots[0])();
    const readiness = { sign: null, hasStayedUp, restMs: 0 };
    Object.assign(worker, { readiness, reportStart: () => {} });
    slots[0].workers = [worker];
    const app = { pool, launch, isNew: true };
    const { failed } = await start(app, {});
    t.equal(failed.length === 0, hasStayedUp, `its worker has stayed up: ${hasStayedUp}`);
  }
});

t.test('what replaced a worker by a command has not failed to be replaced', async (t) => {
  const [before, next] = [1, 2].map((generation) => makeLaunch(specWith({}), generation));
  const workerOf = (launch) => ({
    slot: 0,
    launch,
    status: 'online',
    listening: { areShared: true },
    reportEvent: () => {},
    end: () => {},
  });
  const [old, other] = [workerOf(before), workerOf(next)];
  const pool = Object.assign(new EventEmitter(), { changed: () => {} });
  const slot = Object.assign(new Slot(0, before, pool), { workers: [old] });
  Object.assign(pool, { slots: new Map([[0, slot]]), slotsOf: () => [slot] });
  const replacements = new Replacements(pool, () => false);
  for (const worker of [old, other]) replacements.markDue(worker, said('is old'));
  pool.emit('change');
  pool.emit('replacement-failed', slot, { failure: exit(1) });
  const reason = exit(1, { replaces: said('is old') });
  t.match(replacements.failuresOf(old), { count: 1, reason });
  t.equal(replacements.failuresOf(other), null);
  replacements.cancel();
});
