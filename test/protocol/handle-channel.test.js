/** Listening sockets between two processes of which neither started the other. */
import { fork } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { MAX_HANDLES, acceptChannels, connectChannel } from '../../src/protocol/handle-channel.js';
import { SocketGiver, SocketSet } from '../../src/protocol/socket-set.js';
import { NODE } from '../support/home.js';
import { listening } from '../support/listening.js';
import { descriptorsOf } from '../support/processes.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { eventOf, until } from '../support/until.js';

const root = temporaryDirectory(t);
let paths = 0;

/** What a daemon does with what it gets, in a process of its own. */
const RECEIVER = `
  import { connectChannel } from ${JSON.stringify(new URL('../../src/protocol/handle-channel.js', import.meta.url).href)};
  const channel = await connectChannel(process.argv[2], 5000);
  channel.on('close', () => process.send({ closed: true }));
  channel.on('message', (message, handle) => {
    const address = {};
    handle?.getsockname(address);
    process.send({ message, port: address.port ?? null, isListener: handle ? handle.getpeername({}) !== 0 : null });
    channel.send({});
  });
  process.send({ connected: true });
`;

async function receiver(t, onChannel, path = join(root, `${paths++}.sock`)) {
  if (!existsSync(path)) await acceptChannels(path, onChannel);
  const script = join(root, 'receiver.mjs');
  writeFileSync(script, RECEIVER);
  const child = fork(script, [path], { execPath: NODE, execArgv: [] });
  const received = [];
  child.on('message', (message) => received.push(message));
  t.teardown(() => child.kill('SIGKILL'));
  await until(() => received.some(({ connected }) => connected), 'the receiver to connect');
  return { child, path, received };
}

async function listeningServer(t) {
  const server = net.createServer();
  const port = await listening(t, server, { port: 0 });
  return { server, port, name: `*:${port}`, handle: server._handle };
}

/** The sockets of one owner, and what hands them over. */
function given() {
  const [sockets, giver] = [new SocketSet(), new SocketGiver()];
  giver.add('web', sockets);
  return { sockets, giver };
}

const messages = (received) =>
  received.flatMap(({ message, ...rest }) => (message ? [{ message, ...rest }] : []));

t.test('each message arrives with its socket, as sockets come and go', async (t) => {
  const { sockets, giver } = given();
  const servers = [];
  for (let count = 0; count < MAX_HANDLES + 2; count++) servers.push(await listeningServer(t));
  for (const { name, handle } of servers.slice(0, 40)) sockets.add(name, handle);
  const { received } = await receiver(t, (channel) => giver.giveTo(channel));
  for (const { name, handle } of servers.slice(40)) sockets.add(name, handle);
  const arrived = () => messages(received);
  await until(() => arrived().length === MAX_HANDLES, 'as many as one side may keep');
  const holding = ({ name, port }) => {
    return { message: { owner: 'web', hold: name }, port, isListener: true };
  };
  t.same(arrived(), servers.slice(0, MAX_HANDLES).map(holding));
  sockets.remove(servers[0].name);
  await until(() => arrived().length === MAX_HANDLES + 2, 'one to go and the next to come');
  t.same(arrived().slice(MAX_HANDLES), [
    { message: { owner: 'web', release: servers[0].name }, port: null, isListener: null },
    holding(servers[MAX_HANDLES]),
  ]);
});

t.test('the next receiver gets all again, and a socket that was replaced', async (t) => {
  const { sockets, giver } = given();
  const [one, two] = [await listeningServer(t), await listeningServer(t)];
  sockets.add('*:1', one.handle);
  sockets.add(two.name, two.handle);
  const first = await receiver(t, (channel) => giver.giveTo(channel));
  await until(() => messages(first.received).length === 2, 'both');
  first.child.kill('SIGKILL');
  sockets.add('*:1', two.handle);
  const second = await receiver(t, () => {}, first.path);
  await until(() => messages(second.received).length === 2, 'both again');
  const again = messages(second.received);
  t.match(again, [{ message: { hold: '*:1' } }, { message: { hold: two.name } }]);
  for (const { port } of again) t.equal(port, two.port);
  sockets.add('*:1', one.handle);
  await until(() => messages(second.received).length === 4, 'the change');
  t.match(messages(second.received).slice(2), [
    { message: { owner: 'web', release: '*:1' }, port: null },
    { message: { owner: 'web', hold: '*:1' }, port: one.port },
  ]);
  sockets.hasEnded = true;
  sockets.remove(two.name);
  t.ok(sockets.isSettled(), 'the other side keeps what it has');
  t.equal(messages(second.received).length, 4);
});

t.test('a receiver that comes and goes leaves no descriptor behind', async (t) => {
  const { sockets, giver } = given();
  const { name, handle } = await listeningServer(t);
  sockets.add(name, handle);
  const path = join(root, `${paths++}.sock`);
  await acceptChannels(path, (channel) => giver.giveTo(channel));
  const comeAndGo = async () => {
    const channel = await connectChannel(path, 5000);
    const [, received] = await eventOf(channel, 'message');
    received.close();
    channel.close();
  };
  await comeAndGo();
  const before = descriptorsOf(process.pid).length;
  for (let times = 0; times < 20; times++) await comeAndGo();
  await until(() => descriptorsOf(process.pid).length <= before, 'all to be closed');
});

t.test('a message that is too long or not JSON closes the channel', async (t) => {
  for (const bytes of ['x'.repeat(2000), 'no JSON', '7', 'null']) {
    const path = join(root, `${paths++}.sock`);
    await acceptChannels(path, (channel) => {
      channel.on('message', () => t.fail(bytes));
      channel.once('close', () => t.pass('closed'));
    });
    const client = net.connect(path);
    client.write(bytes);
    await eventOf(client.resume(), 'close');
  }
});

t.test('nobody listens there', async (t) => {
  await t.rejects(connectChannel(join(root, 'none.sock'), 1000), { code: 'ENOENT' });
});
