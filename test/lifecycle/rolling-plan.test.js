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
        const isProving = status === 'proving';
        const worker = { key: ++key, slot, generation: Number(generation), isProving };
        return { ...worker, status: isProving ? 'starting' : status };
      }),
  );
};
/** Workers of the first generation, but for the slots in `change`. */
const old = (count, change = {}) =>
  workers(...Array.from({ length: count }, (_, slot) => change[slot] ?? 'online@1'));
const slots = (count, generation, change = {}) =>
  Array.from({ length: count }, (_, slot) => ({
    slot,
    isDesired: true,
    emptiesFirst: false,
    blocked: false,
    isUnproven: false,
    trials: 0,
    retryAtMs: 0,
    generation,
    ...change[slot],
  }));
const plan = (slots, all, change = {}) => {
  const workersOf = ({ slot, generation }) =>
    all
      .filter((worker) => worker.slot === slot)
      .map((worker) => ({ ...worker, isCurrent: worker.generation === generation }));
  const inSlots = slots.map((slot) => ({ ...slot, workers: workersOf(slot) }));
  const view = { maxSurge: 0, nowMs: 1000 };
  return nextSteps({ ...view, maxBooting: Infinity, slots: inSlots, ...change });
};
const start = (slot) => ({ do: 'start', slot, replaces: false, mustStayUp: false });
const replace = (slot) => ({ ...start(slot), replaces: true });
/** The first one of a version; `replaces`: beside the old worker. */
const canary = (slot, replaces = true) => ({ ...start(slot), replaces, mustStayUp: true });
/** Slots that a reload gives a generation of which no worker has stayed up yet. */
const unproven = (count, generation) =>
  slots(count, generation).map((slot) => ({ ...slot, isUnproven: true }));
const retire = (key) => ({ do: 'retire', key });

/** What is to be, what runs in each slot, and the steps; `first`: a canary without an old worker. */
const PLANS = `
nothing runs: start all | 2@1 | , | start 0, start 1
all is well | 2@1 | online@1 ×2 |
one is missing: start it | 2@1 | online@1, | start 1
starting already: wait | 1@1 | starting@1 |
a reload starts one replacement | 2@2 | online@1 ×2 | replace 0
and waits while it starts | 2@2 | online@1 starting@2, online@1 |
when it is online the old one goes | 2@2 | online@1 online@2, online@1 | retire 1
while the old one drains the next one boots | 2@2 | draining@1 online@2, online@1 | replace 1
but no third one while two drain | 3@2 | draining@1 online@2, draining@1 online@2, online@1 |
what is not proven is tried in one slot first | 8@2 unproven | online@1 ×8 | canary 0
and the others wait while it starts | 8@2 unproven | online@1 starting@2, online@1 ×7 |
while it proves itself the next wave boots | 8@2 unproven | online@1 proving@2, online@1 ×7 | canary 1, canary 2
and no more than that | 8@2 unproven | online@1 proving@2, online@1 starting@2 ×2, online@1 ×5 |
also when those need only to stay up too | 8@2 unproven | online@1 proving@2 ×3, online@1 ×5 |
a wave of one | 2@2 unproven | online@1 proving@2, online@1 | canary 1
of an app with one worker there is none | 1@2 unproven | online@1 proving@2 |
an old worker that dies meanwhile makes no room | 8@2 unproven | online@1 proving@2, starting@2, online@1 starting@2 ×2, online@1 ×4 |
it fails, and every slot goes back: what has booted goes | 8@1 | online@1, online@1 proving@2, online@1 ×6 | retire 3
what proves itself for an earlier reload lets no more boot | 8@3 unproven | online@1 stopping@2, online@1 proving@2, online@1 ×6 | canary 0
once it is proven, a quarter follows while its predecessor drains | 8@2 | draining@1 online@2, online@1 ×7 | replace 1, replace 2
also one by one, as places become free | 8@2 | online@2, draining@1 online@2, online@1 starting@2, online@1 ×5 | replace 3
the canary dies: another attempt is one canary again | 4@2 unproven | online@1 ×4 | canary 0
an old one that dies meanwhile comes back new, and must prove itself too | 4@2 unproven | online@1 starting@2, , online@1 ×2 | first 1
a slot that had no worker is the canary | 3@2 unproven | , online@1 ×2 | first 0
no slot has a worker: all start at once | 2@2 unproven | , | first 0, first 1
the slot of the canary is blocked: the next one tries it | 2@2 unproven 0:blocked | , online@1 | canary 1
an old worker that never comes online does not keep the canary from starting | 2@2 unproven | starting@1, online@1 | canary 0
scaled down during a reload: the unwanted ones go first | 3@2 unproven 2:unwanted | online@1 ×2, online@1 starting@2 | retire 3, retire 4
a rollback to what ran before needs no canary | 8@1 | online@2 ×8 | replace 0, replace 1
a replacement was given up for a reload: its exit does not hold up the canary | 2@3 unproven | online@1 stopping@2, online@1 | canary 0
then the next slot | 2@2 | online@2, online@1 | replace 1
an old one that dies during a reload comes back new, whatever the surge | 2@2 | online@1 starting@2, | start 1
a reload that went back: the new one goes, the old one stays | 1@1 | online@1 starting@2 | retire 2
scaled down: the unwanted one goes | 2@1 1:unwanted | online@1 ×2 | retire 2
stopped while starting | 1@1 0:unwanted | starting@1 | retire 1
errored: leave it | 1@1 0:blocked | |
errored again after a reload that failed: what that started goes | 2@1 0:blocked 1:blocked | starting@2, online@2 | retire 1, retire 2
backoff: not yet | 1@1 0:early | |
backoff is over | 1@1 0:late | | start 0
trials on trial: the first one starts | 4@2 trial | online@1 ×4 | canary 0
and serves beside the old one | 4@2 trial | online@1 online@2, online@1 ×3 |
two at a time | 4@2 trial two | online@1 ×4 | canary 0, canary 1
the second one waits for no other | 4@2 trial two | online@1 online@2, online@1 ×3 | canary 1
passed: old ones go, the next wave boots | 4@2 | online@1 online@2, online@1 ×3 | retire 1
taken back: they go, and nothing starts | 4@1 | online@1 online@2 ×2, online@1 ×2 | retire 2, retire 4
taken back, and the old one has died meanwhile: one starts first | 2@1 | online@2, online@1 | replace 0
the only worker of an app on trial | 1@2 trial | online@1 online@2 |
a slot that empties first: the old worker retires first | 2@2 emptied | online@1 ×2 | retire 1
nothing starts while it stops | 2@2 emptied | stopping@1, online@1 |
then the new one starts | 2@2 emptied | , online@1 | start 0
one slot at a time | 2@2 emptied | starting@2, online@1 |
the next slot empties | 2@2 emptied | online@2, online@1 | retire 2
one that starts retires too | 2@2 emptied | starting@1, online@1 | retire 1
what is not proven empties one slot | 8@2 unproven emptied | online@1 ×8 | retire 1
and no other while that stops | 8@2 unproven emptied | stopping@1, online@1 ×7 |
a canary starts in it | 8@2 unproven emptied | , online@1 ×7 | first 0
the others wait for it | 8@2 unproven emptied | starting@2, online@1 ×7 |
also while it proves itself | 8@2 unproven emptied | proving@2, online@1 ×7 |
a quarter empties once it is proven | 8@2 emptied | online@2, online@1 ×7 | retire 2, retire 3
a failed reload of an emptied slot: the new one retires | 1@1 emptied | starting@2 | retire 1
what ran before waits for its exit | 1@1 emptied | stopping@2 |
and then starts | 1@1 emptied | | start 0
`;
const FLAGS = {
  blocked: { blocked: true },
  unwanted: { isDesired: false, isUnproven: false },
  early: { retryAtMs: 1500 },
  late: { retryAtMs: 1000 },
};
const STEPS = {
  start,
  replace,
  canary: (slot) => canary(slot),
  first: (slot) => canary(slot, false),
  retire,
};
for (const line of PLANS.trim().split('\n')) {
  const [name, desired, running, steps] = line.split('|').map((part) => part.trim());
  const [size, ...flags] = desired.split(' ');
  const change = Object.fromEntries(flags.map((flag) => flag.split(':')));
  const trials = flags.includes('two') ? 2 : Number(flags.includes('trial'));
  const isUnproven = trials > 0 || flags.includes('unproven');
  const emptiesFirst = flags.includes('emptied');
  const [count, generation] = size.split('@').map(Number);
  const wanted = slots(count, generation).map((slot) => ({
    ...{ ...slot, isUnproven, trials, emptiesFirst },
    ...FLAGS[change[slot.slot]],
  }));
  const inSlots = running.split(',').flatMap((words) => {
    const [each, times = 1] = words.split('×');
    return Array(Number(times)).fill(each.trim());
  });
  const expected = steps
    .split(', ')
    .filter(Boolean)
    .map((step) => step.split(' '));
  const all = expected.map(([what, number]) => STEPS[what](Number(number)));
  t.same(plan(wanted, workers(...inSlots)), all, name);
}

t.test('only some slots are reloaded: what starts in another one is no canary', async (t) => {
  const some = [...slots(1, 1), ...unproven(2, 2).slice(1)];
  t.same(plan(some, workers('starting@1', 'online@1')), [canary(1)]);
});

t.test('no more boot at a time than have a CPU, in a start and in a reload', async (t) => {
  const booting = (all) =>
    all.map((worker) => ({ ...worker, isBooting: worker.status === 'starting' }));
  const steps = (slots, running, maxBooting) => plan(slots, booting(running), { maxBooting });
  t.same(steps(slots(4, 1), workers('', '', '', ''), 2), [start(0), start(1)]);
  t.same(steps(slots(4, 1), workers('starting@1', '', '', ''), 2), [start(1)]);
  t.same(steps(slots(4, 1), workers('starting@1', 'starting@1', '', ''), 2), []);
  t.same(steps(slots(4, 1), workers('starting@1', 'online@1', '', ''), 2), [start(2)]);
  const loaded = workers('starting@1', 'starting@1', '', '');
  t.same(plan(slots(4, 1), loaded, { maxBooting: 2 }), [start(2), start(3)]);
  t.same(steps(slots(8, 2), old(8), 1), [replace(0)]);
  t.same(steps(slots(8, 2), old(8, { 0: 'online@1 starting@2' }), 1), []);
});

t.test('a larger surge replaces several at a time; each slot follows its own rule', async (t) => {
  t.same(plan(slots(3, 2), old(3), { maxSurge: 2 }), [replace(0), replace(1)]);
  const mixed = slots(2, 2, { 0: { emptiesFirst: true } });
  t.same(plan(mixed, old(2), { maxSurge: 1 }), [retire(1), replace(1)]);
});

t.test('a rolling reload ends, and respects its limits on the way', async (t) => {
  for (const maxSurge of [1, 2, 5]) {
    let wanted = unproven(4, 2);
    let all = old(4);
    let key = 100;
    for (let turn = 0; turn < 100; turn++) {
      const steps = plan(wanted, all, { maxSurge });
      for (const step of steps) {
        if (step.do === 'start')
          all.push({ key: key++, slot: step.slot, status: 'starting', generation: 2 });
        if (step.do === 'retire') all.find((worker) => worker.key === step.key).status = 'draining';
      }
      t.ok(all.length <= 4 + 2 * maxSurge, `${all.length} workers at surge ${maxSurge}`);
      const online = all.filter((worker) => worker.status === 'online').length;
      t.ok(online >= 4, `${online} online`);
      if (steps.length > 0) continue;
      if (all.every((worker) => worker.status === 'online')) break;
      all = all.filter((worker) => worker.status !== 'draining');
      for (const worker of all) worker.status = 'online';
      wanted = slots(4, 2);
    }
    t.ok(all.every((worker) => worker.generation === 2 && worker.status === 'online'));
    t.equal(all.length, 4);
  }
});
