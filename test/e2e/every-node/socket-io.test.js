/** The real socket.io on two workers, which are sticky by themselves: each of its transports works. */
import { Agent } from 'node:http';
import { io } from 'socket.io-client';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { clientAddress } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

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
