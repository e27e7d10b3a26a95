import t from 'tap';
import { setImmediate as turn } from 'node:timers/promises';
import { CommandQueue, limitPerCore } from '../../../src/daemon/apps/command-queue.js';
import { availableCores } from '../../../src/daemon/cgroup-limits.js';
import { reload, scale } from '../../../src/daemon/control/verbs.js';

t.test('the commands on one app wait for each other', async (t) => {
  const queue = new CommandQueue('web');
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
  const queue = new CommandQueue('web');
  const all = Array.from({ length: 100 }, () => queue.run('start', async () => {}));
  await t.rejects(
    queue.run('start', async () => {}),
    { code: 'E_APP_BUSY', data: { app: 'web', waiting: 100 } },
  );
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

const wanted = {
  reload: (daemon, app) => reload(daemon, app, 'watch'),
  scaling: (daemon, app) => scale(daemon, app, 2, 'CPU'),
};

for (const [what, run] of Object.entries(wanted)) {
  for (const change of [{ stopped: true }, { deleted: true }]) {
    t.test(`a ${what} behind a command that sets ${Object.keys(change)} never was`, async (t) => {
      const seen = [];
      const note = (...args) => void seen.push(args);
      const daemon = {
        isEnding: false,
        events: { publish: (_app, event) => note(event) },
        log: { info: note, error: note },
        features: { sync: note, ask: () => [] },
        onOutcome: note,
      };
      const app = {
        name: 'web',
        spec: {},
        ids: { 0: 0 },
        slots: [0],
        desiredSlots: [0],
        link: { state: 'none', snapshot: null },
        queue: new CommandQueue('web'),
        noteReload: note,
        stopped: false,
        deleted: false,
      };
      const command = app.queue.run('stop', async () => void Object.assign(app, change));
      await run(daemon, app);
      await command;
      t.same(seen, []);
    });
  }
}
