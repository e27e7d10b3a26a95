import dgram from 'node:dgram';
import t from 'tap';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { eventOf, until } from '../../support/until.js';
import { startedPrimary } from '../primary-under-test.js';

t.test('a program with nothing left to do exits, as under plain node', async (t) => {
  const change = { stopExitCodes: [0], minUptimeMs: 60_000 };
  const primary = await startedPrimary(t, 'exits-0.cjs', change);
  t.match((await primary.state()).slots[0], { status: 'exited', lastExit: { code: 0 } });
  const isWritten = async () => (await primary.log('out')) === 'nothing to do\n';
  t.ok(await until(isWritten, 'its last words'));
});

t.test('a worker that disconnects exits after its disconnect event', async (t) => {
  const change = { stopExitCodes: [0], minUptimeMs: 60_000 };
  const primary = await startedPrimary(t, 'disconnects-at-once.cjs', change);
  const hasEnded = async () => (await primary.state()).slots[0].status === 'exited';
  t.ok(await until(hasEnded, 'its end'));
  t.match((await primary.state()).slots[0], { lastExit: { code: 0 } });
  const isWritten = async () => (await primary.log('out')) === 'disconnected\n';
  t.ok(await until(isWritten, 'its last words'));
});

t.test('a listen that fails crashes the program, as under plain node', async (t) => {
  const first = await startedPrimary(t, 'http-pid.cjs');
  const change = { env: { PORT: String(first.port) }, maxRestarts: 0 };
  const second = await startedPrimary(t, 'http-pid.cjs', change);
  const { failed } = second.outcome;
  t.match(failed[0].lastLines.join('\n'), /EADDRINUSE/);
  await until(
    async () => (await second.state()).slots[0].status === 'errored',
    'the second one to give up',
  );
});

t.test('a listen that throws, and many on one server, do not keep the process alive', async (t) => {
  const change = { stopExitCodes: [0], minUptimeMs: 60_000 };
  const primary = await startedPrimary(t, 'catches-a-listen.cjs', change);
  const hasEnded = async () => (await primary.state()).slots[0].status === 'exited';
  t.ok(await until(hasEnded, 'its end'));
  const isWritten = async () => (await primary.log('out')) === 'caught\n';
  t.ok(await until(isWritten, 'its output'));
  t.equal(await primary.log('error').catch(() => ''), '', 'no warning of too many listeners');
});

t.test('a bind in progress keeps the process alive, as under plain node', async (t) => {
  const primary = await startedPrimary(t, 'binds-udp-late.cjs', { listenTimeoutMs: 5000 });
  t.match(primary.outcome, { ok: true, done: [0] });
  const client = dgram.createSocket('udp4');
  t.teardown(() => client.close());
  const answered = eventOf(client, 'message');
  await until(async () => (await primary.log('out')) === 'bound\n', 'it to be bound');
  client.send('who?', primary.port, '127.0.0.1');
  const [answer] = await answered;
  t.equal(Number(answer), (await primary.state()).slots[0].pid);
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

t.test(
  'a bind that fails or throws, and many sockets, do not keep the process alive',
  async (t) => {
    const change = { stopExitCodes: [0], minUptimeMs: 60_000 };
    const primary = await startedPrimary(t, 'catches-a-bind.cjs', change);
    const hasEnded = async () => (await primary.state()).slots[0].status === 'exited';
    t.ok(await until(hasEnded, 'its end'));
    const isWritten = async () => (await primary.log('out')) === 'thrown\nEADDRNOTAVAIL\nclosed\n';
    t.ok(await until(isWritten, 'its output'));
    t.equal(await primary.log('error').catch(() => ''), '', 'no warning');
  },
);

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
