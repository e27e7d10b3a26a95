/**
 * `scheduling: fair` with several addresses, with many sockets, and beside another program:
 * nothing is lost, and no port is shared with strangers.
 */
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { answerOf, ask } from '../../support/http-ask.js';
import { clientAddress, startLoad } from '../../support/http-load.js';
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

const THINK_MS = 10;

const transportsOf = {
  'the default, long-polling and then a websocket': ['polling', 'websocket'],
  'only long-polling': ['polling'],
  'only websockets': ['websocket'],
};

/** What a client notices in a reload; the last two if a worker is replaced while it connects. */
const EXPECTED = new Set([
  'disconnect: transport close',
  'disconnect: transport error',
  'connect_error: xhr poll error',
  'connect_error: xhr post error',
]);

t.test('sticky', async (t) => {
  const { root, ok, pidsOf } = testHome(t);
  writeFiles(root, {
    'package.json': '{"dependencies": {"socket.io": "4"}}',
    'server.cjs': `require(${JSON.stringify(app('socket-io.cjs'))})`,
  });
  const port = await freePort();
  const flags = ['-i', '2', '--min-uptime', '100'];
  // A websocket never ends by itself.
  const start = ['start', 'server.cjs', '--name', 'io', '--drain-timeout', '500ms'];
  await ok([...start, ...flags], { env: { PORT: String(port) } });
  const groups = Object.entries(transportsOf).map(([name, transports]) => {
    const group = socketIoClients(t, { port, count: 5, transports });
    return { ...group, name, last: transports.at(-1) };
  });
  await Promise.all(groups.map((group) => group.acknowledges(10)));
  for (const { name, clients, troubles, last } of groups) {
    t.same(troubles(), [], `${name}: nothing fails`);
    await until(() => clients.every(({ transport }) => transport() === last), `all on ${last}`);
    // With one address for all clients, as on macOS, they have one worker.
    const expected = process.platform === 'linux' ? await pidsOf('io') : [clients[0].pid];
    t.same([...new Set(clients.map(({ pid }) => pid))].sort(byNumber), expected, 'who serves');
  }

  await ok(['reload', 'io']);
  const pids = await pidsOf('io');
  const isBack = ({ socket, pid }) => socket.connected && pids.includes(pid);
  for (const { name, clients, troubles } of groups) {
    await until(() => clients.every(isBack), `${name}: all to be back after the reload`);
    // The session of a client ended with its worker, and the client began another one.
    const wrong = troubles().filter((text) => !EXPECTED.has(text));
    t.same(wrong, [], `${name}: noticed in a reload`);
  }
  await Promise.all(groups.map((group) => group.acknowledges(10)));
  for (const { name, troubles } of groups) t.same(troubles(), [], `${name}: nothing fails again`);
});

function byNumber(a, b) {
  return a - b;
}

/** Clients that send one message after the other, each to be acknowledged. */
function socketIoClients(t, { port, count, transports }) {
  const clients = Array.from({ length: count }, (_, index) => {
    // Without keep-alive, every request of long-polling is a connection of its own.
    const agent = new Agent({ keepAlive: false, localAddress: clientAddress(index) });
    const socket = io(`http://127.0.0.1:${port}`, {
      transports,
      agent: agent,
      forceNew: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 200,
    });
    const transport = () => socket.io.engine?.transport.name;
    const client = { socket, transport, acknowledged: 0, pid: null, troubles: [] };
    const ended = talk(client);
    t.teardown(() => {
      socket.close();
      return ended;
    });
    return client;
  });
  return {
    clients,
    async acknowledges(number) {
      const goals = clients.map(({ acknowledged }) => acknowledged + number);
      const isDone = () => clients.every((client, at) => client.acknowledged >= goals[at]);
      await until(isDone, `${number} acknowledgements of each client`);
    },
    /** What they noticed since the last call. */
    troubles() {
      return clients.flatMap(({ troubles }) => troubles.splice(0));
    },
  };
}

async function talk(client) {
  const { socket, troubles } = client;
  socket.on('disconnect', (reason) => troubles.push(`disconnect: ${reason}`));
  socket.on('connect_error', ({ message }) => troubles.push(`connect_error: ${message}`));
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
  // False when the test has closed it: until then it connects again whenever it is disconnected.
  for (let number = 0; socket.active; number++) {
    const text = `${number}`;
    const answer = await socket
      .timeout(2000)
      .emitWithAck('say', text)
      .catch(() => null);
    if (answer?.text === text) {
      client.acknowledged += 1;
      client.pid = answer.pid;
    }
    await new Promise((resolve) => setTimeout(resolve, THINK_MS));
  }
}
