/** When a slot counts as done, without processes. */
import t from 'tap';
import { start } from '../../../src/primary/pool/commands.js';
import { failuresOf, isUp, untilStarted } from '../../../src/primary/pool/outcome.js';
import { makeLaunch } from '../../../src/primary/pool/launch.js';
import { WorkerPool } from '../../../src/primary/pool/pool.js';
import { specWith } from '../../support/spec.js';

/** They add nothing. */
const features = { startMs: () => 0 };

/** A pool with one worker in each slot, all online. @param {number} count */
function onlinePool(count) {
  const launch = makeLaunch(specWith(), 1);
  const pool = new WorkerPool('cluster', /** @type {any} */ ({}));
  for (let number = 0; number < count; number++) {
    pool.addSlot(number, launch);
    const worker = { key: number, slot: number, launch, status: 'online', isReady: true };
    const shown = {
      listening: new Map(),
      expected: 'none',
      readiness: { sign: null },
      agent: null,
    };
    pool.workers.set(number, /** @type {any} */ ({ ...worker, ...shown }));
  }
  return { pool, launch, slots: [...pool.slots.values()] };
}

/** Its worker has failed; what it says is known later. @param {any} pool @param {any} slot */
function failSlot(pool, slot) {
  pool.workers.delete(slot.number);
  slot.hasFailed = true;
  let report = () => {};
  slot.lastFailure = new Promise((resolve) => {
    report = () => resolve({ slot: slot.number, reason: 'exited with code 1', lastLines: [] });
  });
  return () => report();
}

t.test('a slot that fails while the failure of another is waited for is not done', async (t) => {
  const { pool, launch, slots } = onlinePool(3);
  const [first, second] = slots;
  const reportFirst = failSlot(pool, first);
  const outcome = untilStarted(/** @type {any} */ ({ pool, launch, features }), slots);
  await new Promise(setImmediate);
  const reportSecond = failSlot(pool, second);
  reportFirst();
  reportSecond();
  t.match(await outcome, { ok: false, done: [2], failed: [{ slot: 0 }, { slot: 1 }] });
});

t.test('what has done its work is up', async (t) => {
  const { pool, slots } = onlinePool(2);
  failSlot(pool, slots[0])();
  slots[0].blocked = 'exited';
  const failures = await failuresOf(pool, slots, (slot) => isUp(pool, slot), 'is late');
  t.same([...failures], []);
});

t.test('a run of a job that has ended well is done', async (t) => {
  const { pool, launch, slots } = onlinePool(1);
  failSlot(pool, slots[0])();
  slots[0].blocked = 'exited';
  const outcome = await untilStarted(/** @type {any} */ ({ pool, launch, features }), slots);
  t.match(outcome, { ok: true, done: [0], failed: [] });
});

t.test('a worker that has crashed and runs again has not been started well', async (t) => {
  const { pool, launch, slots } = onlinePool(1);
  const worker = pool.workers.get(0);
  failSlot(pool, slots[0])();
  pool.workers.set(0, worker);
  const outcome = await untilStarted(/** @type {any} */ ({ pool, launch, features }), slots);
  t.match(outcome, { ok: false, done: [], failed: [{ reason: 'exited with code 1' }] });
});

t.test('the first command of a primary, after what has failed', async (t) => {
  for (const hasStayedUp of [true, false]) {
    const { pool, launch, slots } = onlinePool(1);
    const worker = /** @type {any} */ (pool.workers.get(0));
    failSlot(pool, slots[0])();
    Object.assign(worker, { readiness: { sign: null, hasStayedUp }, reportStart: () => {} });
    pool.workers.set(0, worker);
    const app = /** @type {any} */ ({ pool, launch, features, isNew: true });
    t.equal((await start(app, {})).ok, hasStayedUp, `its worker has stayed up: ${hasStayedUp}`);
  }
});
