/** What a program says in the name of its agent. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { wear } from '../../../../src/features/wear/primary.js';
import { startedPrimary } from '../../primary-under-test.js';

t.test('forged replies', async (t) => {
  const primary = await startedPrimary(t, 'forges-replies.cjs');
  t.match(await primary.ask('restart'), { ok: true });
  t.match(await primary.ask('reload'), { ok: true });
});

t.test('a worker that wants to be replaced, though nothing limits its requests', async (t) => {
  const due = [];
  const pool = new EventEmitter();
  wear({ pool, replacements: { markDue: (worker, how) => due.push(how) } });
  const spec = { maxRequests: null, maxAgeMs: null, maxMemoryRestartBytes: null };
  const agent = { channel: new EventEmitter(), load: { answered: 2000 } };
  pool.emit('worker', { launch: { spec }, slot: 0, status: 'online', uptimeMs: 0, agent });
  agent.channel.emit('beat');
  t.same(due, []);
  spec.maxRequests = 1000;
  agent.channel.emit('beat');
  t.same(due, ['answered 2,000 requests']);
});
