/**
 * `scheduling: fair` with several addresses, with many sockets, and beside another program:
 * nothing is lost, and no port is shared with strangers.
 */
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { answerOf, ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort, freePorts } from '../../support/ports.js';
import { listenersOf } from '../../support/processes.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { eventOf, until } from '../../support/until.js';

/** Answers with its pid on each address of ADDRESSES, and with the port that the system chose for 0. */
const PROGRAM = `
  const http = require('node:http');
  for (const address of JSON.parse(process.env.ADDRESSES)) {
    const server = http.createServer((request, response) => {
      response.setHeader('x-request-id', request.headers['x-request-id'] ?? '');
      response.end(JSON.stringify({ pid: process.pid, chosen }));
    });
    server.listen(address, () => { if (address.port === 0) chosen = server.address().port; });
  }
  let chosen = null;`;

async function served(t, addresses, count) {
  const home = testHome(t);
  const script = join(home.root, 'listens.cjs');
  writeFileSync(script, PROGRAM);
  const flags = ['--name', 'api', '-i', String(count)];
  await home.ok(['start', script, ...flags, '--min-uptime', '300ms'], {
    env: { ADDRESSES: JSON.stringify(addresses) },
  });
  return home;
}

async function askPath(path) {
  return JSON.parse((await answerOf({ socketPath: path })).body).pid;
}

async function untilAllAnswer(askOnce, count) {
  const pids = new Set();
  await until(async () => pids.add(await askOnce()).size === count, `answers of ${count} workers`);
}

t.test('several addresses, a unix socket, and a port that the system chooses', async (t) => {
  const [one, two] = await freePorts(2);
  const path = join(temporaryDirectory(t), 'api.sock');
  const addresses = [{ port: one }, { port: two, host: '127.0.0.1' }, { port: 0 }, { path }];
  const { ok } = await served(t, addresses, 2);
  const loads = [one, two].map((port) => startLoad(t, { port, keepAlive: false, clients: 4 }));
  for (const command of [['reload'], ['scale', '4'], ['scale', '1'], ['scale', '2'], ['reload']]) {
    const [verb, ...rest] = command;
    await ok([verb, 'api', ...rest]);
    await Promise.all(loads.map((load) => load.answers(20)));
  }
  for (const load of loads) t.match(await load.stop(), { failed: 0, failures: [] });
  const { chosen } = await ask(one);
  for (const port of [one, two, chosen]) {
    await untilAllAnswer(async () => (await ask(port)).pid, 2);
  }
  await untilAllAnswer(() => askPath(path), 2);
});

t.test('more sockets than one message could carry survive their primary', async (t) => {
  const ports = await freePorts(18);
  const { list, isBack, killPrimary } = await served(
    t,
    ports.map((port) => ({ port })),
    4,
  );
  const { daemon } = await list();
  const areHeld = () => ports.every((port) => listenersOf(daemon.pid, port) > 0);
  await until(areHeld, 'the daemon to hold a copy of each');
  const loads = [ports[0], ports[17]].map((port) =>
    startLoad(t, { port, keepAlive: false, clients: 4 }),
  );
  await Promise.all(loads.map((load) => load.answers(20)));
  await isBack('api', await killPrimary('api'));
  await Promise.all(loads.map((load) => load.answers(50)));
  for (const load of loads) {
    const { codes, failures } = await load.stop();
    // What the primary was handing on.
    delete codes.ECONNRESET;
    t.same(codes, {}, JSON.stringify(failures));
  }
  for (const port of ports) t.ok((await ask(port)).pid);
});

t.test('a port that another program has is not shared with it', async (t) => {
  const other = net.createServer();
  const port = await freePort();
  other.listen({ port, reusePort: process.versions.node.split('.').map(Number)[0] >= 24 });
  await eventOf(other, 'listening');
  t.teardown(() => other.close());
  const { run } = testHome(t);
  const start = ['start', app('http-pid.cjs'), '--name', 'api'];
  const { code, stderr } = await run(start, { env: { PORT: String(port) } });
  t.not(code, 0);
  t.match(stderr, /EADDRINUSE|in use/);
});
