import t from 'tap';
import { nextSteps } from '../../src/lifecycle/rolling-plan.js';

/** 'online@2' in slot 0 → a worker; keys count from 1. */
const workers = (...bySlot) => {
  let key = 0;
  return bySlot.flatMap((words, slot) =>
    words
      .split(' ')
      .filter(Boolean)
      .map((word) => {
        const [status, generation] = word.split('@');
        return { key: ++key, slot, status, generation: Number(generation) };
      }),
  );
};
const slots = (count, generation, change = {}) =>
  Array.from({ length: count }, (_, slot) => ({
    slot,
    isDesired: true,
    blocked: false,
    retryAtMs: 0,
    generation,
    ...change[slot],
  }));
const plan = (slots, all, change = {}) => {
  const workers = all.map((worker) => ({
    ...worker,
    isCurrent: worker.generation === slots[worker.slot].generation,
  }));
  return nextSteps({ mode: 'cluster', maxSurge: 1, nowMs: 1000, slots, workers, ...change });
};
const start = (slot, replaces = false) => ({ do: 'start', slot, replaces });
const retire = (key) => ({ do: 'retire', key });

const rows = [
  ['nothing runs: start all', slots(2, 1), workers('', ''), [start(0), start(1)]],
  ['all is well', slots(2, 1), workers('online@1', 'online@1'), []],
  ['one is missing: start it', slots(2, 1), workers('online@1', ''), [start(1)]],
  ['starting already: wait', slots(1, 1), workers('starting@1'), []],
  [
    'a reload starts one replacement',
    slots(2, 2),
    workers('online@1', 'online@1'),
    [start(0, true)],
  ],
  ['and waits while it starts', slots(2, 2), workers('online@1 starting@2', 'online@1'), []],
  [
    'when it is online the old one goes',
    slots(2, 2),
    workers('online@1 online@2', 'online@1'),
    [retire(1)],
  ],
  [
    'while the old one drains no second one starts',
    slots(2, 2),
    workers('draining@1 online@2', 'online@1'),
    [],
  ],
  ['then the next slot', slots(2, 2), workers('online@2', 'online@1'), [start(1, true)]],
  [
    'an old one that dies during a reload comes back new, whatever the surge',
    slots(2, 2),
    workers('online@1 starting@2', ''),
    [start(1)],
  ],
  [
    'the replacement dies: the plan is the same as before it',
    slots(2, 2),
    workers('online@1', 'online@1'),
    [start(0, true)],
  ],
  [
    'a reload that went back: the new one goes, the old one stays',
    slots(1, 1),
    workers('online@1 starting@2'),
    [retire(2)],
  ],
  [
    'scaled down: the unwanted one goes',
    slots(2, 1, { 1: { isDesired: false } }),
    workers('online@1', 'online@1'),
    [retire(2)],
  ],
  [
    'stopped while starting',
    slots(1, 1, { 0: { isDesired: false } }),
    workers('starting@1'),
    [retire(1)],
  ],
  ['errored: leave it', slots(1, 1, { 0: { blocked: true } }), workers(''), []],
  [
    'backoff: ask again then',
    slots(1, 1, { 0: { retryAtMs: 1500 } }),
    workers(''),
    [{ do: 'wake', atMs: 1500 }],
  ],
  ['backoff is over', slots(1, 1, { 0: { retryAtMs: 1000 } }), workers(''), [start(0)]],
];
for (const [name, slots, workers, steps] of rows) {
  t.test(name, async (t) => t.same(plan(slots, workers), steps));
}

t.test('a larger surge replaces several at a time', async (t) => {
  const old = workers('online@1', 'online@1', 'online@1');
  t.same(plan(slots(3, 2), old, { maxSurge: 2 }), [start(0, true), start(1, true)]);
});

t.test('fork mode: the old worker retires first, one slot at a time', async (t) => {
  const fork = { mode: 'fork' };
  t.same(plan(slots(2, 2), workers('online@1', 'online@1'), fork), [retire(1)]);
  t.same(plan(slots(2, 2), workers('stopping@1', 'online@1'), fork), []);
  t.same(plan(slots(2, 2), workers('', 'online@1'), fork), [start(0)]);
  t.same(plan(slots(2, 2), workers('starting@2', 'online@1'), fork), []);
  t.same(plan(slots(2, 2), workers('online@2', 'online@1'), fork), [retire(2)]);
});

t.test('a rolling reload ends, and respects its limits on the way', async (t) => {
  for (const maxSurge of [1, 2, 5]) {
    const wanted = slots(4, 2);
    let all = workers('online@1', 'online@1', 'online@1', 'online@1');
    let key = 100;
    for (let turn = 0; turn < 100; turn++) {
      const steps = plan(wanted, all, { maxSurge });
      for (const step of steps) {
        if (step.do === 'start')
          all.push({ key: key++, slot: step.slot, status: 'starting', generation: 2 });
        if (step.do === 'retire') all.find((worker) => worker.key === step.key).status = 'draining';
      }
      t.ok(all.length <= 4 + maxSurge, `${all.length} workers at surge ${maxSurge}`);
      const online = all.filter((worker) => worker.status === 'online').length;
      t.ok(online >= 4, `${online} online`);
      if (steps.length > 0) continue;
      if (all.every((worker) => worker.status === 'online')) break;
      all = all.filter((worker) => worker.status !== 'draining');
      for (const worker of all) worker.status = 'online';
    }
    t.ok(all.every((worker) => worker.generation === 2 && worker.status === 'online'));
    t.equal(all.length, 4);
  }
});
