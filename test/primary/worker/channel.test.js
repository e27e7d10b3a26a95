import { EventEmitter, once } from 'node:events';
import t from 'tap';

import net from 'node:net';
import { constants } from 'node:os';
import { AgentLink } from '../../../src/primary/worker/agent-link.js';
import { AGENT_CMD, channelTo } from '../../../src/primary/worker/channel.js';
import { ClusterMessages } from '../../../src/primary/worker/cluster-messages.js';
import { forkIdle } from '../../support/idle-child.js';
import { listening } from '../../support/listening.js';

function workerThat(answer) {
  const child = new EventEmitter();
  child.connected = true;
  child.send = ({ cmd, type }) => {
    const reply = answer(type);
    if (reply) setImmediate(() => child.emit('internalMessage', { cmd, ...reply }));
  };
  return child;
}

const says = (child, type, data) =>
  child.emit('internalMessage', { cmd: AGENT_CMD, type, ...data });

const SPEC = { drainTimeoutMs: 1, killSignal: 'SIGTERM' };

const settles = (drained) => (type) =>
  type === 'drain' ? { type: 'drained', ...drained } : { type: 'settled' };
for (const [title, answer, open] of [
  ['nobody answers', () => null, null],
  ['it says nothing of them', settles({}), null],
  ['three were open', settles({ open: 3 }), 3],
]) {
  t.test(`how many connections were open: ${title}`, async (t) => {
    t.equal(await new AgentLink(workerThat(answer)).drain(SPEC, 'keep'), open);
  });
}

t.test('its channel is closed while it drains', async (t) => {
  const child = workerThat(() => null);
  const drained = new AgentLink(child).drain({ ...SPEC, drainTimeoutMs: 60_000 }, 'keep');
  channelTo(child).close();
  t.equal(await drained, null);
});

t.test('heartbeats that a program has forged', async (t) => {
  const child = workerThat(() => null);
  const agent = new AgentLink(child);
  const load = (answered) => ({ bytes: 1, open: 1, oldestMs: 0, errors: 0, answered });
  says(child, 'beat', { load: load(3) });
  for (const wrong of [null, 'x', {}, load(-1), load(0.5), load(NaN), load('1')]) {
    says(child, 'beat', { load: wrong });
    t.same(agent.load, load(3));
  }
});

t.test('the longest delay since somebody has read a report', async (t) => {
  const child = workerThat(() => null);
  const agent = new AgentLink(child);
  const report = (maxMs) => {
    const delay = { counts: [], sumMs: 0, maxMs };
    says(child, 'telemetry', { report: { atMs: 1, delay } });
  };
  t.equal(agent.takeReport(), null);
  report(900);
  report(0);
  t.equal(agent.takeReport().delay.maxMs, 900, 'nobody has read the one that said it');
  t.equal(agent.takeReport().delay.maxMs, 900, 'there is no newer one');
  report(5);
  t.equal(agent.takeReport().delay.maxMs, 5);
  report('forged');
  report(3);
  t.equal(agent.takeReport().delay.maxMs, 3);
  says(child, 'telemetry', { report: null });
  t.equal(agent.takeReport(), null);
});

t.test('a lost message is noticed, whoever sent it', async (t) => {
  const server = net.createServer();
  await listening(t, server);
  const child = forkIdle(t);
  const errors = [];
  child.on('error', ({ code }) => errors.push(code));
  const { ENOMEM, EPIPE } = constants.errno;
  let result = 0;
  channelTo(child).handle.writeUtf8String = () => result;
  const lost = [];
  channelTo(child).watch({ lost: (code) => lost.push(code) });
  child.send('sent');
  result = -EPIPE;
  child.send('to a worker that has exited', () => {});
  result = -ENOMEM;
  child.send('with a callback', () => {});
  child.send('without one, as node:cluster does');
  const failed = new Promise((resolve) => {
    const socket = server._handle;
    child.send({ cmd: 'NODE_CLUSTER', act: 'newconn' }, socket, () => {});
    channelTo(child).send('accept', {}, { socket, onFailed: resolve });
  });
  await Promise.all([once(child, 'error'), failed]);
  t.strictSame(lost, ['ENOMEM', 'ENOMEM', 'ENOMEM'], 'all but a connection, which is taken back');
  t.strictSame(errors, ['ENOMEM'], 'as before');
});

t.test('a socket that did not reach the worker', async (t) => {
  const server = net.createServer();
  await listening(t, server);
  const socket = server._handle;
  const sent = { 'a connection': { cmd: 'NODE_CLUSTER', act: 'newconn' }, other: {} };
  const rows = [
    ['a connection', 1, ['refused']],
    // It is sent again, once.
    ['other', 1, []],
    ['other', 2, ['EMFILE']],
    ['to be accepted', 2, ['asked for later']],
  ];
  for (const [what, times, expected] of rows) {
    const child = forkIdle(t);
    const channel = channelTo(child);
    const seen = [];
    channel.onAcknowledged = () => seen.push('refused');
    // The worker answers too, which may come after what stands for its answer here.
    channel.watch({ lost: (code) => seen.push(code), broken: () => {} });
    if (sent[what]) child.send(sent[what], socket);
    else channel.send('accept', {}, { socket, onRefused: () => seen.push('asked for later') });
    for (let time = 0; time < times; time++) {
      child.emit('internalMessage', { cmd: 'NODE_HANDLE_NACK' });
    }
    t.strictSame(seen, expected, `${what} ${times}`);
  }
});

const request = (port, index = 0) => {
  return { act: 'queryServer', address: null, port, addressType: 4, index, seq: port + index };
};

t.test('a thousand servers at a time, and any number one after the other', async (t) => {
  // As node:cluster names what it has opened: always with an index on Node 20, later at port 0.
  for (const suffix of [':0', '']) {
    const messages = new ClusterMessages();
    for (let port = 1; port <= 3000; port++) {
      if (messages.judge(request(port))) return t.fail(`port ${port} is refused`);
      messages.judge({ act: 'close', key: `null:${port}:4:-1${suffix}` });
    }
    for (let port = 1; port <= 1000; port++) messages.judge(request(port));
    t.match(messages.judge(request(1001)), { reply: { ack: 1001 } });
  }
});

for (const [what, address] of Object.entries({
  'a port': { port: 80 },
  'port 0': { port: 0 },
  'a unix socket': { address: '/tmp/a:1:4:-1', port: -1, addressType: -1 },
  'a udp port': { port: 80, addressType: 'udp4' },
})) {
  t.test(`${what}: a server that failed, or is closed, does not count`, async (t) => {
    const messages = new ClusterMessages();
    let index = 0;
    const ask = () => {
      const message = { ...request(0, index++), ...address };
      t.equal(messages.judge(message), null);
      t.equal(message.index, 0);
      const { address: host, port, addressType, fd } = message;
      return { fd, key: `${host}:${port}:${addressType}:${fd}` };
    };
    const first = ask();
    messages.closed(first.key);
    t.same(ask(), first);
    messages.closed(`${first.key}:0`);
    t.same(ask(), first);
    const second = ask();
    t.not(second.fd, first.fd, 'each has a socket of its own');
    messages.closed(first.key);
    t.not(ask().fd, first.fd, 'while another one is open');
  });
}
