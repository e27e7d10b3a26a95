import t from 'tap';
import { get } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ask } from '../../../support/http-ask.js';
import { eventOf, until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

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

t.test('a proxy in front of a worker is noticed while it is measured', async (t) => {
  const primary = await startedPrimary(t, 'keep-alive.cjs');
  await primary.ask('telemetry', { leaseMs: 60_000 });
  await ask(primary.port);
  t.equal((await primary.slot()).proxy, null);
  const headers = { 'X-Forwarded-For': '192.0.2.1' };
  const [response] = await once(get({ port: primary.port, headers, agent: false }), 'response');
  response.resume();
  const proxy = await primary.when(({ slots: [slot] }) => slot.proxy, 'the proxy');
  t.same(proxy, { header: 'x-forwarded-for', keepAliveMs: 5000 });
});
