import { createServer } from 'node:net';
import t from 'tap';
import { isAllowedHost, listenOn, readAddress } from '../../src/shared/listen-address.js';

t.test('addresses, localhost and allowed names', async (t) => {
  const rows = [
    [undefined, true],
    ['127.0.0.1:9100', true],
    ['10.1.2.3', true],
    ['[::1]:9100', true],
    ['[::1]', true],
    ['localhost:9100', true],
    ['LOCALHOST', true],
    ['a.localhost:1', true],
    ['metrics.internal:9100', true],
    ['Metrics.Internal.', true],
    ['evil.example:9100', false],
    ['evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example', false],
    ['[evil.example]:1', false],
    ['evil.example:1:2', false],
    ['', false],
  ];
  for (const [header, isAllowed] of rows) {
    t.equal(isAllowedHost(header, ['metrics.internal']), isAllowed, String(header));
  }
});

t.test('what is not an address', async (t) => {
  for (const text of ['', ':9100', 'here', '127.0.0.1:99999', '[127.0.0.1]:9100', 'a b:1']) {
    t.throws(() => readAddress(text), { code: 'E_LISTEN_ADDRESS', exitCode: 2 }, text);
  }
});

t.test('who has the port', { skip: process.platform !== 'linux' && 'Linux only' }, async (t) => {
  const holder = createServer();
  t.teardown(() => holder.close());
  const address = await listenOn(holder, { host: '127.0.0.1', port: 0 });
  const port = Number(address.split(':')[1]);
  await t.rejects(listenOn(createServer(), { host: '127.0.0.1', port }), {
    code: 'E_LISTEN',
    message: new RegExp(`in use by pid ${process.pid} \\(`),
  });
});
