/** Another worker unlinks the path of a unix socket just when the primary has bound it. */
import t from 'tap';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookRoundRobin } from '../../../src/primary/sockets/listen-hooks.js';
import { UnixPaths } from '../../../src/primary/sockets/unix-paths.js';
import { eventOf } from '../../support/until.js';

t.test('it is bound again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nc-'));
  const path = join(folder, 'app.sock');
  const paths = new UnixPaths({ home: '/home', app: 'app' });
  const { listen } = net.Server.prototype;
  t.teardown(() => {
    net.Server.prototype.listen = listen;
    rmSync(folder, { recursive: true, force: true });
  });
  let binds = 0;
  net.Server.prototype.listen = function (...args) {
    Reflect.apply(listen, this, args);
    if (++binds === 1) rmSync(path);
    return this;
  };
  hookRoundRobin({
    take: () => null,
    opened: () => {},
    openedUnkept: () => {},
    unixPaths: paths,
  });
  const server = net.createServer().listen({ path });
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
