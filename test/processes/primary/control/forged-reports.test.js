/** What a program says in the name of its agent. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { wear } from '../../../../src/features/wear/primary.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

t.test('forged replies', async (t) => {
  const primary = await startPrimary(t, await specOf('forges-replies.cjs'));
  await primary.ask('start');
  t.match(await primary.ask('restart'), { ok: true });
  t.match(await primary.ask('reload'), { ok: true });
});

t.test('a worker that wants to be replaced, though nothing limits its requests', async (t) => {
  const due = [];
  const pool = Object.assign(new EventEmitter(), { slots: new Map([[0, {}]]) });
  const replacements = { markDue: (worker, how) => due.push(how) };
  wear({ pool, replacements });
  const spec = { maxRequests: null, maxAgeMs: null, maxMemoryRestartBytes: null };
  const facts = { launch: { spec }, slot: 0, status: 'online', uptimeMs: 0 };
  const channel = Object.assign(new EventEmitter(), { send: () => {} });
  const worker = { ...facts, agent: { channel } };
  pool.emit('worker', worker);
  channel.emit('beat', { answered: 2000 });
  t.same(due, []);
  spec.maxRequests = 1000;
  channel.emit('beat', { answered: 'many' });
  channel.emit('beat', { answered: 1100 });
  t.same(due, ['answered 1,100 requests']);
});
