import t from 'tap';
import { setImmediate as turn } from 'node:timers/promises';
import { CommandQueue, limitPerCore } from '../../../src/daemon/apps/command-queue.js';
import { untilLoaded } from '../../../src/daemon/apps/dependencies.js';
import * as outcomes from '../../../src/daemon/apps/outcome.js';
import { availableCores } from '../../../src/daemon/cgroups.js';
import { Door } from '../../../src/daemon/control/door.js';
import { exit, said } from '../../support/snapshot.js';

t.test('the commands on one app wait for each other', async (t) => {
  const queue = new CommandQueue({ name: 'web' });
  const seen = [];
  let finish = () => {};
  const finished = new Promise((resolve) => (finish = () => resolve(null)));
  const first = queue.run('reload', () => finished);
  const second = queue.run('stop', async () => {
    seen.push(queue.current);
    throw new Error('no');
  });
  const third = queue.run('start', async () => seen.push(queue.current));
  const fourth = queue.run('reload', async () => seen.push(queue.current));
  t.equal(queue.current, 'reload');
  finish();
  await first;
  await t.rejects(second, { message: 'no' });
  await Promise.all([third, fourth]);
  t.strictSame(seen, ['stop', 'start', 'reload']);
  await queue.whenDone();
  t.equal(queue.current, null);
});

t.test('a full queue takes only the recovery of the app', async (t) => {
  const queue = new CommandQueue({ name: 'web' });
  const all = Array.from({ length: 100 }, () => queue.run('start', async () => {}));
  const another = queue.run('start', async () => {});
  await t.rejects(another, { code: 'E_APP_BUSY', data: { app: 'web', waiting: 100 } });
  await queue.run('recovery', async () => {});
  await Promise.all(all);
  await queue.run('start', async () => {});
});

t.test('a few tasks for each core at a time, in order, also after a failure', async (t) => {
  const limited = limitPerCore();
  const running = new Set();
  const order = [];
  let most = 0;
  const task = async (number) => {
    running.add(number);
    order.push(number);
    most = Math.max(most, running.size);
    await turn();
    running.delete(number);
    if (number % 3 === 0) throw new Error('failed');
  };
  const numbers = Array.from({ length: 20 * availableCores() }, (_, index) => index);
  await Promise.allSettled(numbers.map((number) => limited(() => task(number))));
  t.equal(most, 4 * availableCores());
  t.same(order, numbers);
});

t.test('a start gives its place on when its programs are loaded', async (t) => {
  const app = { desiredSlots: [0], link: { state: 'connected' } };
  const show = (status, pid) => (app.link.snapshot = { slots: [{ slot: 0, status, pid }] });
  for (const [status, pid] of [
    ['errored', null],
    ['starting', null],
    ['online', 7],
  ]) {
    show(status, pid);
    let isLoaded = false;
    const loaded = untilLoaded(() => app, new Promise(() => {})).finally(() => (isLoaded = true));
    await turn();
    show('starting', 8);
    await turn();
    t.notOk(isLoaded, `${status} before`);
    show('online', 8);
    t.equal(await loaded, null);
  }
});

const wanted = {
  reload: (door, app) => door.reload(app, 'watch'),
  scaling: (door, app) => door.scale(app, 2, { because: 'autoscaling', reason: 'CPU' }),
};

for (const [what, run] of Object.entries(wanted)) {
  for (const change of [{ stopped: true }, { deleted: true }]) {
    t.test(`a ${what} behind a command that sets ${Object.keys(change)} never was`, async (t) => {
      const seen = [];
      const note = (...args) => void seen.push(args);
      const events = { publish: (_app, event) => note(event) };
      const log = { info: note, error: note };
      const features = { ask: () => [] };
      const daemon = { isEnding: false, paths: {}, events, log, features, onOutcome: note };
      const queue = new CommandQueue({ name: 'web' });
      const link = { state: 'none', snapshot: null };
      const app = {
        ...{ name: 'web', spec: {}, ids: { 0: 0 }, slots: [0], desiredSlots: [0], link, queue },
        ...{ stopped: false, deleted: false },
      };
      const command = app.queue.run('stop', async () => void Object.assign(app, change));
      await run(new Door(daemon), app);
      await command;
      t.same(seen, []);
    });
  }
}

const appWith = (ids, states) => {
  const slots = ids.map((_, slot) => slot);
  const link = { state: 'connected', snapshot: { slots: states } };
  return {
    slots,
    count: ids.length,
    desiredSlots: slots,
    ids: { ...ids },
    queue: { current: null },
    link,
  };
};

t.test('outcomes contain worker ids', async (t) => {
  const failure = { slot: 1, reason: said('r'), lastLines: ['l'] };
  const primary = { ok: false, done: [0], failed: [failure], kept: [1] };
  const failed = [{ id: 8, ...failure }];
  const expected = { name: 'web', ok: false, done: [7], failed, kept: [8] };
  t.match(outcomes.appOutcome('web', 'reload', primary, { 0: 7, 1: 8 }), expected);
  const listener = { address: '*:3000', protocol: 'http' };
  const states = [
    { slot: 0, status: 'online', listening: [listener] },
    { slot: 2, status: 'errored', listening: [] },
  ];
  const app = { ...appWith([7, 8, 9], states), desiredSlots: [0, 2] };
  const summary = { workers: 3, online: [7], stopped: [8], listening: [listener] };
  t.strictSame(outcomes.summarize(app), summary);
  t.match(outcomes.failedOutcome(new Error('boom')), {
    ok: false,
    failed: [{ slot: null, reason: { kind: 'error', code: 'E_INTERNAL', text: /boom/ } }],
  });
  const [first, second] = [2, 1].map((minReady, at) => ({ ok: true, done: [at], minReady }));
  t.match(outcomes.joinOutcomes(first, second), { ok: true, done: [0, 1], minReady: 1 });
});

t.test('what was killed in two steps of a command, or in several', async (t) => {
  const how = { afterMs: 5000, signal: 'SIGTERM' };
  const first = { ok: true, killed: { workers: 1, ...how } };
  const second = { ok: true, killed: { workers: 2, ...how } };
  const both = outcomes.joinOutcomes(first, second);
  t.same(both.killed, { workers: 3, ...how });
  t.same(outcomes.joinOutcomes(first, { ok: true }).killed, first.killed);
  t.same(outcomes.appOutcome('api', 'stop', both, {}).killed, both.killed);
  t.notOk('killed' in outcomes.appOutcome('api', 'stop', { ok: true }, {}));
});

t.test('a worker that was online may have crashed when the last app is done', async (t) => {
  const lastExit = { reason: exit(1), lastLines: ['no database'] };
  const slots = [
    { slot: 0, status: 'online', lastExit: null },
    { slot: 1, status: 'backoff', lastExit },
    { slot: 2, status: 'exited', lastExit },
    { slot: 3, status: 'errored', lastExit },
  ];
  const app = appWith([10, 11, 12, 13], slots);
  const outcome = { name: 'web', action: 'start', ok: true, done: [10, 11, 12], failed: [] };
  t.match(outcomes.withLaterExits(outcome, app), {
    ok: false,
    done: [10, 12],
    failed: [{ id: 11, slot: 1, ...lastExit }],
    after: { workers: 4, online: [10] },
  });
  for (const [one, other] of [
    [{ ...outcome, done: [10, 12] }, app],
    [outcome, { ...app, desiredSlots: [0, 2] }],
    [outcome, { ...app, queue: { current: 'stop' } }],
    [{ ...outcome, ok: false }, app],
  ]) {
    t.match(outcomes.withLaterExits(one, other), one);
  }
});

t.test('a worker that listens by now is not said to listen on nothing', async (t) => {
  const note = { kind: 'silent' };
  const notes = [0, 1].map((slot) => ({ id: slot, slot, note }));
  const outcome = { name: 'web', action: 'start', ok: true, done: [0, 1], notes };
  const listening = [[], [{ address: '*:3000', protocol: 'http' }]];
  const slots = listening.map((each, slot) => ({ slot, status: 'online', listening: each }));
  const app = appWith([0, 1], slots);
  t.same(outcomes.withLaterExits(outcome, app).notes, [notes[0]]);
});
