import t from 'tap';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { collide, serves } from '../../../src/primary/sockets/addresses.js';
import { openFor } from '../../../src/primary/sockets/listen-hooks.js';
import { UnixPaths } from '../../../src/primary/sockets/unix-paths.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { eventOf } from '../../support/until.js';

/** The socket, what the program asks for, whether it gets it, and whether one excludes the other. */
const rows = [
  [':::3000', '*:3000', true, true],
  ['0.0.0.0:3000', '*:3000', true, true],
  [':::3000', '0.0.0.0:3000', true, true],
  ['0.0.0.0:3000', ':::3000', true, true],
  ['127.0.0.1:3000', '127.0.0.1:3000', true, false],
  ['::1:3000', '::1:3000', true, false],
  [':::3000', '127.0.0.1:3000', false, true],
  ['127.0.0.1:3000', '*:3000', false, true],
  ['127.0.0.1:3000', '::1:3000', false, false],
  [':::3000', '*:3001', false, false],
  [':::3000', '*:13000', false, false],
];

for (const [socket, asked, isServed, isExcluded] of rows) {
  t.test(`${socket} and ${asked}`, async (t) => {
    t.equal(serves(socket, asked), isServed);
    t.equal(collide(socket, asked), isExcluded);
  });
}

// Another worker unlinks the path of a unix socket just when the primary has bound it.

t.test('it is bound again', async (t) => {
  const folder = temporaryDirectory(t);
  const path = join(folder, 'app.sock');
  const paths = new UnixPaths({ home: '/home', app: 'app' });
  let binds = 0;
  const protect = (...args) => {
    if (++binds === 1) rmSync(path);
    return paths.protect(...args);
  };
  const unixPaths = { removeStale: () => {}, protect };
  const server = net.createServer();
  openFor({ take: () => null, opened: () => {}, openedUnkept: () => {}, unixPaths }, () => {
    server.listen({ path });
  });
  await once(server, 'listening');
  t.equal(binds, 2);
  rmSync(path);
  paths.restore();
  const client = net.connect(path);
  await eventOf(client, 'connect');
  client.destroy();
  const { _handle: handle } = server;
  await new Promise((resolve) => server.close(resolve));
  paths.forget(handle);
  t.same(readdirSync(folder), []);
});
