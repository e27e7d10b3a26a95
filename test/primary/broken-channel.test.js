/** Whatever a program does to its channel, the primary goes on and the program is replaced. */
import t from 'tap';
import { ask } from '../support/http-ask.js';
import { until } from '../support/until.js';
import { specOf, startPrimary } from './primary-under-test.js';

t.test('the channel is spoiled', async (t) => {
  const primary = await startPrimary(t, await specOf('breaks-channel.cjs'));
  await primary.ask('start');
  const before = await primary.state();
  await ask(primary.port, '/garbage');
  const after = await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.status === 'online' && slot.pid !== before.slots[0].pid && slot;
  }, 'a replacement');
  t.match(after, { restarts: 1, lastExit: { signal: 'SIGKILL' } });

  await ask(primary.port, '/disconnect');
  const third = await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.status === 'online' && slot.pid !== after.pid && slot;
  }, 'another');
  t.equal((await ask(primary.port)).pid, third.pid);

  await ask(primary.port, '/close');
  t.match(await primary.ask('reload'), { ok: true, done: [0] });
  t.match(await primary.ask('stop'), { ok: true, done: [0] });
});

t.test('fork mode', async (t) => {
  const fork = { execMode: 'fork', interpreter: process.execPath };
  const primary = await startPrimary(t, await specOf('breaks-channel.cjs', fork));
  await primary.ask('start');
  const before = await primary.state();
  await until(() => ask(primary.port, '/garbage'), 'an answer');
  await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.status === 'online' && slot.pid !== before.slots[0].pid;
  }, 'a replacement');
  await until(() => ask(primary.port, '/close'), 'an answer');
  t.match(await primary.ask('stop'), { ok: true, done: [0] });
});
