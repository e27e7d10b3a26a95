/** What a program reads from stdin, and when that ends; how long a connection is kept. */
import http from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import { answerOf, ask } from '../../../support/http-ask.js';
import { isRunning } from '../../../support/processes.js';
import { eventOf, until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const LINE = { slot: 0, text: 'hello\n' };

const kinds = [
  { what: 'one worker in cluster mode', change: { instances: 1 } },
  {
    what: 'several in fork mode',
    change: { instances: 2, execMode: 'fork', interpreter: 'node', env: { PORT: '' } },
  },
  {
    what: 'a shell script',
    change: { script: '/bin/sh', args: ['-c', 'while read -r l; do echo "read $l"; done'] },
    more: { execMode: 'fork', interpreter: null, env: { PORT: '' } },
  },
];

for (const { what, change, more } of kinds) {
  t.test(`${what}: it stays open and takes lines`, async (t) => {
    const { script = 'reads-lines.cjs', ...settings } = { ...change, ...more };
    const primary = await startedPrimary(t, script, settings);
    t.match(primary.outcome, { ok: true });
    t.equal(await primary.ask('input', LINE), null);
    await until(async () => (await primary.log('out')).includes('read hello'), 'the line');
    t.match(await primary.slot(), { status: 'online', restarts: 0, lastExit: null });
  });
}

t.test('several in cluster mode: /dev/null, and its end is the reason', async (t) => {
  const primary = await startedPrimary(t, 'reads-lines.cjs', { instances: 2, maxRestarts: 0 });
  t.match(primary.outcome.failed, [{ reason: /with code 0/ }, { reason: /with code 0/ }]);
  // A busy machine may keep the other one from ending at once.
  const exits = (await primary.state()).slots.map(({ lastExit }) => lastExit);
  t.ok(exits.some(({ reason }) => /because its stdin, \/dev\/null, is empty/.test(reason)));
  const gone = { code: 'E_INPUT_CLOSED', data: { isRunning: false } };
  await t.rejects(primary.ask('input', LINE), gone);
});

t.test('it is not the reason of a program that ends later', async (t) => {
  const change = { instances: 2, maxRestarts: 0, env: { STAY_MS: '2000' }, minUptimeMs: 0 };
  const primary = await startedPrimary(t, 'reads-lines.cjs', change);
  const { lastExit } = await primary.when(
    ({ slots }) => slots.find((slot) => slot.lastExit),
    'its end',
  );
  t.match(lastExit, { code: 0, reason: 'exited with code 0' });
});

t.test('what cannot be written is refused', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const ofSiblings = { code: 'E_INPUT_CLOSED', data: { name: 'app:0', siblings: 1 } };
  await t.rejects(primary.ask('input', LINE), ofSiblings);
});

t.test('a program that reads nothing gets only what its pipe holds', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 1 });
  const text = 'y\n'.repeat(32_768);
  let written = 0;
  const flood = async () => {
    for (; written < 100; written += 1) await primary.ask('input', { slot: 0, text });
  };
  await t.rejects(flood(), { code: 'E_INPUT_UNREAD', data: { name: 'app:0' } });
  t.ok(written < 20, `${written} times 64 KB were taken`);
  t.equal((await answerOf({ port: primary.port })).status, 200, 'it serves on');
});

t.test('when the primary is killed, requests are finished before it ends', async (t) => {
  const primary = await startedPrimary(t, 'reads-lines.cjs', { instances: 1 });
  const { pid } = await primary.slot();
  t.teardown(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  await primary.ask('input', LINE);
  await until(async () => (await primary.log('out')).includes('read hello'), 'the line');
  const agent = new http.Agent();
  const waiting = answerOf({ port: primary.port, agent });
  await until(async () => (await primary.log('out')).includes('asked'), 'the request');
  primary.child.kill('SIGKILL');
  await primary.ended;
  t.equal((await waiting).status, 200);
  await until(() => !isRunning(pid), 'the worker to end');
});

const rows = [
  ['Node decides', {}, {}, [5000, 60_000]],
  ['the setting', { keepAliveTimeoutMs: 20_000 }, {}, [20_000, 60_000]],
  ['the headers may take longer', { keepAliveTimeoutMs: 65_000 }, {}, [65_000, 66_000]],
  ['the program decides', { keepAliveTimeoutMs: 65_000 }, { OWN_MS: '7000' }, [7000, 60_000]],
];

for (const [name, settings, env, [keepAliveTimeout, headersTimeout]] of rows) {
  t.test(`keep_alive_timeout: ${name}`, async (t) => {
    const primary = await startedPrimary(t, 'keep-alive.cjs', { ...settings, env });
    t.match(await ask(primary.port), { keepAliveTimeout, headersTimeout });
  });
}

t.test('a request that crosses the end of its connection gets no answer', async (t) => {
  const settings = { keepAliveTimeoutMs: 100 };
  const primary = await startedPrimary(t, 'keep-alive.cjs', settings);
  // As a proxy that has sent its next request before the end of the connection reaches it.
  const proxy = connect({ port: primary.port, allowHalfOpen: true });
  const send = () => proxy.write('POST / HTTP/1.1\r\nHost: app\r\nContent-Length: 0\r\n\r\n');
  send();
  let answers = 0;
  proxy.on('data', () => (answers += 1));
  await eventOf(proxy, 'end');
  t.equal(answers, 1);
  let isReset = false;
  proxy.on('error', () => (isReset = true));
  // After its end, only a later write notices the reset that a request has caused.
  await until(() => {
    if (!isReset) send();
    return isReset;
  }, 'the reset');
  t.equal(answers, 1, 'a proxy must not repeat a POST, so its client gets 502');
});
