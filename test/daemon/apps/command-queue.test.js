import t from 'tap';
import { CommandQueue } from '../../../src/daemon/apps/command-queue.js';

t.test('commands on one app wait for each other; a second reload is refused', async (t) => {
  const queue = new CommandQueue('web');
  const seen = [];
  let finish = () => {};
  const first = queue.run('reload', () => new Promise((resolve) => (finish = resolve)));
  const second = queue.run('stop', async () => {
    seen.push(queue.current);
    throw new Error('no');
  });
  const third = queue.run('start', async () => seen.push(queue.current));
  await t.rejects(
    queue.run('reload', async () => {}),
    {
      code: 'E_APP_BUSY',
      data: { app: 'web', doing: 'reload' },
    },
  );
  t.equal(queue.current, 'reload');
  finish();
  await first;
  await t.rejects(second, { message: 'no' });
  await third;
  t.strictSame(seen, ['stop', 'start']);
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
