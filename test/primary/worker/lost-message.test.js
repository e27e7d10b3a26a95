/** A message to a worker that could not be sent, for lack of memory for example. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { constants } from 'node:os';
import t from 'tap';
import { channelTo } from '../../../src/primary/worker/channel.js';
import { app } from '../../support/home.js';
import { listening } from '../../support/listening.js';

t.test('a lost message is noticed, whoever sent it', async (t) => {
  const server = net.createServer();
  await listening(t, server);
  const child = fork(app('holds-timer.cjs'), { execArgv: [] });
  t.teardown(() => child.kill('SIGKILL'));
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
    const child = fork(app('holds-timer.cjs'), { execArgv: [] });
    t.teardown(() => child.kill('SIGKILL'));
    const channel = channelTo(child);
    const seen = [];
    channel.onAcknowledged = () => seen.push('refused');
    channel.watch({ lost: (code) => seen.push(code) });
    if (sent[what]) child.send(sent[what], socket);
    else channel.send('accept', {}, { socket, onRefused: () => seen.push('asked for later') });
    for (let time = 0; time < times; time++) {
      child.emit('internalMessage', { cmd: 'NODE_HANDLE_NACK' });
    }
    t.strictSame(seen, expected, `${what} ${times}`);
  }
});
