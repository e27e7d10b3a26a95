import dgram from 'node:dgram';
import t from 'tap';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { eventOf } from '../../support/until.js';
import { startedPrimary } from '../primary-under-test.js';

for (const [name, script, said] of [
  ['a program with nothing left to do exits', 'exits-0.cjs', 'nothing to do\n'],
  ['one that disconnects exits after its event', 'disconnects-at-once.cjs', 'disconnected\n'],
  [
    'listens that throw, and many on one server, keep none alive',
    'catches-a-listen.cjs',
    'caught\n',
  ],
  [
    'binds that fail or throw, and many sockets, keep none alive',
    'catches-a-bind.cjs',
    'thrown\nEADDRNOTAVAIL\nclosed\n',
  ],
]) {
  t.test(`${name}, as under plain node`, async (t) => {
    const primary = await startedPrimary(t, script, { stopExitCodes: [0], minUptimeMs: 60_000 });
    const { lastExit } = await primary.whenSlot(({ status }) => status === 'exited', 'its end');
    t.match(lastExit, { code: 0 });
    await primary.wrote(said);
    t.equal(await primary.log('error').catch(() => ''), '', 'no warning of too many listeners');
  });
}

t.test('a listen that fails crashes the program, as under plain node', async (t) => {
  const first = await startedPrimary(t, 'http-pid.cjs');
  const change = { env: { PORT: String(first.port) }, maxRestarts: 0 };
  const second = await startedPrimary(t, 'http-pid.cjs', change);
  const { failed } = second.outcome;
  t.match(failed[0].lastLines.join('\n'), /EADDRINUSE/);
  await second.whenSlot(({ status }) => status === 'errored', 'the second one to give up');
});

t.test('a bind in progress keeps the process alive, as under plain node', async (t) => {
  const primary = await startedPrimary(t, 'binds-udp-late.cjs', { listenTimeoutMs: 5000 });
  t.match(primary.outcome, { ok: true, done: [0] });
  const client = dgram.createSocket('udp4');
  t.teardown(() => client.close());
  const answered = eventOf(client, 'message');
  await primary.wrote('bound\n');
  client.send('who?', primary.port, '127.0.0.1');
  const [answer] = await answered;
  t.equal(Number(answer), (await primary.slot()).pid);
});

t.test('each worker joins a multicast group, and leaves it only for itself', async (t) => {
  const GROUP = '239.255.7.3';
  const primary = await startedPrimary(t, 'joins-a-group.cjs', { instances: 2, env: { GROUP } });
  t.match(primary.outcome, { ok: true, done: [0, 1] });
  const client = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  t.teardown(() => client.close());
  await eventOf(client, 'listening');
  client.setMulticastInterface('127.0.0.1');
  const answered = (what, address) => {
    const answer = eventOf(client, 'message');
    client.send(what, primary.port, address);
    return answer;
  };
  await answered('who?', GROUP);
  await answered('leave', '127.0.0.1');
  t.ok(await answered('who?', GROUP), 'the other one is still a member');
  t.match(await primary.ask('reload'), { ok: true, done: [0, 1] });
  t.ok(await answered('who?', GROUP), 'so are those that replaced them');
});

t.test('a port that is asked for with exclusive: true is shared', async (t) => {
  const primary = await startedPrimary(t, 'listens-exclusively.cjs', { instances: 2 });
  t.match(primary.outcome, { ok: true, notes: undefined });
  const load = startLoad(t, { port: primary.port, clients: 8, keepAlive: false, anyAnswer: true });
  await load.answers(20);
  t.match(await primary.ask('reload'), { ok: true, notes: undefined });
  await load.answers(20);
  t.match(await load.stop(), { failed: 0, failures: [] });
  t.match(await ask(primary.port), { exclusive: true, own: ['NODECLUSTER_WORKER'] });
});
