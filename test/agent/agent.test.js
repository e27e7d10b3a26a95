import t from 'tap';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import net from 'node:net';
import { LastMinute } from '../../src/agent/telemetry.cjs';
import { eventOf, until } from '../support/until.js';

const require = createRequire(import.meta.url);

/** The agent takes what it uses of the process when it is loaded. */
function freshAgent(file) {
  for (const each of Object.keys(require.cache)) {
    if (each.includes('/src/agent/')) delete require.cache[each];
  }
  return require(`../../src/agent/${file}`);
}

const { countUnopened, watchListening } = require('../../src/agent/listening.cjs');

t.test('a server that listens, or could not, has only the listeners of the program', async (t) => {
  const { prototype } = net.Server;
  const { _listen2: open } = prototype;
  t.teardown(() => (prototype._listen2 = open));
  watchListening();
  t.not(prototype._listen2, open);

  const server = net.createServer({ pauseOnConnect: true });
  t.equal(countUnopened(), 1, 'it was noticed');
  t.same(Object.getOwnPropertyDescriptor(server, 'pauseOnConnect'), {
    ...{ value: true, configurable: true, enumerable: true, writable: true },
  });
  server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await eventOf(server, 'listening');
  t.same(server.eventNames(), []);
  t.equal(countUnopened(), 0);

  const second = net.createServer().on('connection', () => {});
  second.on('error', () => {});
  const failing = eventOf(second, 'error');
  second.listen(server.address().port, '127.0.0.1');
  const [fault] = await failing;
  t.match(fault, { code: 'EADDRINUSE' });
  t.same(second.eventNames(), ['connection', 'error']);
});

const { chooseStopSignal } = require('../../src/agent/answers.cjs');

t.test('the signal that stops a program', async (t) => {
  for (const [killSignal, handled, signal] of [
    ['auto', '', 'SIGTERM'],
    ['auto', 'SIGINT', 'SIGINT'],
    ['auto', 'SIGTERM', 'SIGTERM'],
    ['auto', 'SIGINT SIGTERM', 'SIGTERM'],
    ['auto', 'SIGHUP', 'SIGTERM'],
    ['SIGTERM', 'SIGINT', 'SIGTERM'],
    ['SIGINT', 'SIGTERM', 'SIGINT'],
    ['SIGQUIT', '', 'SIGQUIT'],
  ]) {
    const count = (name) => handled.split(' ').filter((one) => one === name).length;
    t.equal(chooseStopSignal(killSignal, count), signal, `${killSignal}, handles ${handled}`);
  }
});

const MINUTE_MS = 60_000;

t.test('what is older does not count, however many requests there are', async (t) => {
  const minute = new LastMinute();
  t.same(minute.of([], 0), { counts: [], maxMs: 0 }, 'nothing is counted yet');
  t.same(minute.of([0, 0], 0), { counts: [0, 0], maxMs: 0 });
  minute.note([0, 0], 1000);
  for (const ms of [20_003, 4]) minute.add(ms);
  t.same(minute.of([2, 0], 1000), { counts: [2, 0], maxMs: 20_003 });
  minute.note([2, 0], 31_000);
  minute.add(7);
  t.same(minute.of([2, 1], 31_000), { counts: [2, 1], maxMs: 20_003 });
  const older = minute.of([2, 1], 31_000 + MINUTE_MS);
  t.same(older, { counts: [0, 1], maxMs: 7 }, 'the first two are older');
  t.same(minute.of([2, 1], 32_000 + MINUTE_MS), { counts: [0, 0], maxMs: 0 });
  const busy = new LastMinute();
  for (let second = 0; second <= 600; second += 1) busy.note([second], second * 1000);
  t.same(busy.of([601], 600_000).counts, [61]);
  t.same(busy.of([601], 604_000).counts, [56], 'a minute begins at one of a few moments');
});

function fakeChannel(t, parts) {
  const channel = { connected: true, send: () => {}, _handleQueue: null, ...parts };
  for (const [name, value] of Object.entries(channel))
    t.intercept(process, name, { value, writable: true });
}

t.test('a worker has the limit that it was sent last', async (t) => {
  const sent = [];
  const send = ({ type }) => sent.push(type);
  fakeChannel(t, { send });
  const { FairShare } = freshAgent('fair-share.cjs');
  const onListening = new Set();
  new FairShare(new EventEmitter(), { onListening });
  let accepted = 0;
  const handle = { onconnection: () => accepted++, close() {}, listen() {} };
  const granted = { cmd: 'NODE_CLUSTER', ack: 1, key: 'a', connectionLimit: 3 };
  process.emit('internalMessage', granted, handle);
  for (const watch of onListening) watch({ _handle: handle, _connections: 1 });
  const connects = () => handle.onconnection(0, { close() {} });
  connects();
  t.same([accepted, sent.splice(0)], [1, ['connections']], 'it has room');
  const receive = (type, data) =>
    process.emit('internalMessage', { cmd: 'NODE_NODECLUSTER', type, ...data });
  for (const a of [2, 0]) receive('connection-limits', { limits: { a } });
  connects();
  t.same([accepted, sent.splice(0)], [1, ['surplus']], 'it hands over all');
  const later = { onconnection: () => accepted++, close() {}, listen() {} };
  receive('connection-limits', { limits: { b: 0 } });
  process.emit('internalMessage', { ...granted, key: 'b' }, later);
  for (const watch of onListening) watch({ _handle: later, _connections: 1 });
  later.onconnection(0, { close() {} });
  t.same([accepted, sent], [1, ['surplus']], 'a limit has overtaken the reply to listen');
});

/** As many as are sent before one is confirmed, and some that wait. */
const CONNECTIONS = 20;

t.test('the first one was confirmed, and the others are late all at once', async (t) => {
  // Where no channel is, the agent finds its handle under this name.
  fakeChannel(t, { '': { bytesRead: 0 } });
  const { Surplus } = freshAgent('leases.cjs');
  const surplus = new Surplus(new EventEmitter());
  const address = { open: () => 0, hasRoom: false };
  let served = 0;
  for (let count = 0; count < CONNECTIONS; count++) {
    surplus.add({ key: 'a', address, client: { close() {} }, keep: () => served++ });
  }
  process.emit('internalMessage', { cmd: 'NODE_NODECLUSTER', type: 'confirmed', latest: 1 });
  // This process is late too.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  await until(() => served === CONNECTIONS - 1, 'all but one to be served here');
  t.equal(surplus.count, 0);
});

const { Drain } = require('../../src/agent/drain.cjs');

t.test('it ends when the primary has them', async (t) => {
  const servers = { listening: new Set(), http2Sessions: new Set(), onSession: new Set() };
  let handedOver = 1;
  const drain = new Drain(servers, () => handedOver);
  t.teardown(() => clearInterval(drain.timer));
  let hasEnded = false;
  drain.onDrained(() => (hasEnded = true));
  drain.begin({});
  t.notOk(hasEnded, 'no server has a connection, but one may come back');
  handedOver = 0;
  await until(() => hasEnded, 'the end of the drain');
});

t.test('a worker that does nothing beats rarely, and at once before a request', async (t) => {
  const { send } = process;
  const beats = new EventEmitter();
  process.send = (message) => beats.emit(message.type, message);
  process.connected = true;
  t.teardown(() => Object.assign(process, { send, connected: undefined }));
  const { Heartbeat } = freshAgent('heartbeat.cjs');
  const http = { begun: 0, requests: 0, errors: 0, onBegin: null };
  const servers = { http, listening: new Set(), http2Sessions: new Set() };
  const heartbeat = new Heartbeat(
    servers,
    () => {},
    () => ({ fact: 1 }),
  );
  heartbeat.start({ everyMs: 20, quietMs: 60_000 });
  const untilQuiet = () => until(() => http.onBegin !== null, 'it to be quiet');
  await untilQuiet();
  const next = eventOf(beats, 'beat');
  http.begun += 1;
  http.onBegin();
  t.match(await next, [{ nextMs: 20, fact: 1, load: { open: 0 } }]);
  t.equal(http.onBegin, null, 'a request costs nothing while requests come');
  await untilQuiet();
  const last = eventOf(beats, 'beat');
  heartbeat.endQuiet();
  t.match(await last, [{ nextMs: 20 }], 'a worker that ends is never quiet');
  const more = eventOf(beats, 'beat');
  t.match(await more, [{ nextMs: 20 }]);
});
