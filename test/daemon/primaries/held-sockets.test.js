/** What the daemon holds for a primary, and when it lets go of it. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { MAX_HANDLES } from '../../../src/protocol/handle-channel.js';
import { holdFrom } from '../../../src/protocol/socket-set.js';
import { HeldSockets } from '../../../src/daemon/primaries/held-sockets.js';
import { until } from '../../support/until.js';

const closed = new Set();
/** The part of Node's handle that is used. */
class TCP {
  static nextFd = 100;
  fd = TCP.nextFd++;
  constructor(port, { isConnected = false } = {}) {
    this.port = port;
    this.isConnected = isConnected;
  }
  getsockname(out) {
    out.port = this.port;
    return 0;
  }
  getpeername() {
    return this.isConnected ? 0 : -107;
  }
  close() {
    closed.add(this.fd);
  }
}
class Pipe {
  fd = TCP.nextFd++;
  close() {
    closed.add(this.fd);
  }
}

/** A channel to a primary, without one. */
class Channel extends EventEmitter {
  replies = 0;
  isClosed = false;
  send() {
    this.replies += 1;
  }
  close() {
    this.isClosed = true;
  }
  say(message, handle = null) {
    this.emit('message', message, handle);
    return handle;
  }
}

function held(count) {
  const sockets = new HeldSockets();
  const channel = new Channel();
  const reasons = [];
  holdFrom(
    channel,
    (owner) => (owner === undefined ? sockets : undefined),
    (reason) => reasons.push(reason),
  );
  channel.send({});
  const ports = Array.from({ length: count }, (_, index) => index + 1);
  const handles = ports.map((port) => channel.say({ hold: `*:${port}` }, new TCP(port)));
  const open = () => handles.filter(({ fd }) => !closed.has(fd)).length;
  return { sockets, channel, handles, open, reasons };
}

t.test('held sockets follow those that the primary closes and opens', async (t) => {
  const { sockets, channel, handles } = held(2);
  const all = handles.map((handle) => ({ name: `*:${handle.port}`, fd: handle.fd, handle }));
  t.same(sockets.all, all);
  channel.say({ release: '*:1' });
  t.ok(closed.has(handles[0].fd));
  const again = channel.say({ hold: '*:1' }, new TCP(1));
  t.same(sockets.all, [
    { name: '*:2', fd: handles[1].fd, handle: handles[1] },
    { name: '*:1', fd: again.fd, handle: again },
  ]);
  t.equal(channel.replies, 5, 'the first one asks for them, and each message has a reply');
});

t.test('what no primary sends ends the channel', async (t) => {
  const rows = [
    ['a socket that is missing', { hold: '*:9' }, null],
    ['a socket of another port', { hold: '*:9' }, new TCP(8)],
    ['a connection', { hold: '*:9' }, new TCP(9, { isConnected: true })],
    ['a unix socket', { hold: '*:9' }, new Pipe()],
    ['a name that is not a string', { hold: 9 }, new TCP(9)],
    ['a copy that it has already', { hold: '*:1' }, new TCP(1)],
    ['the end of a copy that it does not have', { release: '*:9' }, null],
    ['a socket where none belongs', { release: '*:1' }, new TCP(9)],
    ['a message that means nothing', {}, new TCP(9)],
    ['a list', [], null],
  ];
  for (const [what, message, handle] of rows) {
    const { channel, reasons } = held(2);
    channel.say(message, handle);
    t.equal(reasons.length, 1, what);
    t.ok(channel.isClosed && (!handle || closed.has(handle.fd)));
  }
  const { channel, sockets } = held(MAX_HANDLES);
  t.equal(sockets.all.length, MAX_HANDLES);
  const port = MAX_HANDLES + 1;
  channel.say({ hold: `*:${port}` }, new TCP(port));
  t.ok(channel.isClosed, 'a primary does not send more than it may');
});

t.test('without a primary they are closed after a timeout', async (t) => {
  const { sockets, open } = held(3);
  sockets.expire(20);
  await until(() => open() === 0, 'all to be closed');
  t.same(sockets.all, []);
});

t.test('they stay when there is a primary again', async (t) => {
  const { sockets, open } = held(1);
  const other = held(1);
  sockets.expire(20);
  sockets.cancelExpiry();
  other.sockets.expire(20);
  await until(() => other.open() === 0, 'the others to be closed');
  t.equal(open(), 1);
});

t.test('a channel that closes takes none with it', async (t) => {
  const { channel, open } = held(2);
  channel.emit('close');
  t.equal(open(), 2);
});

t.test('nothing is kept of an app that ends on purpose', async (t) => {
  const { sockets, channel, open } = held(2);
  sockets.close();
  t.equal(open(), 0);
  const late = channel.say({ owner: 'ended', hold: '*:3' }, new TCP(3));
  t.ok(closed.has(late.fd) && !channel.isClosed, 'the other apps keep theirs');
  t.same(sockets.all, []);
});
