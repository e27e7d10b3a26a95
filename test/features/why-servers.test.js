import t from 'tap';
import net from 'node:net';
import { nameServers } from '../../src/features/why/command-servers.js';
import { listening } from '../support/listening.js';
import { eventOf } from '../support/until.js';

t.test('an app of this machine is named', async (t) => {
  const apps = [{ name: 'payments', workers: [{ listening: [{ address: '127.0.0.1:4310' }] }] }];
  const found = nameServers(['127.0.0.1:4310', 'db:5432', '127.0.0.1:4310 ×2'], apps);
  t.same(found, ['connected to 127.0.0.1:4310 ×3 of payments, db:5432 ×1']);
  t.same(nameServers([], []), []);
});

const isLinux = process.platform === 'linux';
t.test('who listens where a worker is connected', { skip: !isLinux && 'Linux' }, async (t) => {
  const server = net.createServer();
  const port = await listening(t, server);
  const client = net.connect(port, '127.0.0.1');
  t.teardown(() => client.destroy());
  const connected = eventOf(client, 'connect');
  const [[accepted]] = await Promise.all([eventOf(server, 'connection'), connected]);
  t.teardown(() => accepted.destroy());
  const peer = `127.0.0.1:${port} ×1`;
  t.match(nameServers([peer], []), [new RegExp(` ${peer} of pid ${process.pid} \\(node`)]);
  server.close();
  t.match(nameServers([peer], []), [/ ×1$/], 'its connection is not who listens');
});
