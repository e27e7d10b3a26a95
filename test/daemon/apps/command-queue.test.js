import t from 'tap';
import { CommandQueue } from '../../../src/daemon/apps/command-queue.js';

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
