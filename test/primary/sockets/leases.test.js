/** A connection that was sent to a worker is never lost: it dies, is stopped by a signal, or refuses. */

import { once } from 'node:events';
import t from 'tap';
import { handedTo } from '../../../src/primary/sockets/leases.js';
import { channelTo } from '../../../src/primary/worker/channel.js';
import { forkIdle } from '../../support/idle-child.js';
import { rawConnection } from '../../support/traffic/raw-connection.js';
import { until, within } from '../../support/until.js';

const ACKNOWLEDGES = { cmd: 'NODE_CLUSTER', ack: -1, accepted: true };
const ASKS = { cmd: 'NODE_NODECLUSTER', type: 'late', asked: [-1] };

/** Promises of the two events of a connection, and the listeners that fulfil them. */
function whatHappens() {
  const events = {};
  events.ended = new Promise((resolve) => (events.onEnd = resolve));
  events.overdue = new Promise((resolve) => (events.onOverdue = resolve));
  return events;
}

/** @returns a worker that acknowledges nothing, and a connection that it was sent */
async function handedOver(t) {
  const child = forkIdle(t);
  await once(child, 'spawn');
  const client = await rawConnection();
  const handed = handedTo(child);
  child.kill('SIGSTOP');
  const events = whatHappens();
  const entry = handed.send('key', client, events);
  return { child, handed, client, entry, ...events };
}

for (const order of ['exit before the end of the channel', 'no end of the channel at all']) {
  t.test(order, async (t) => {
    const { child, ended } = await handedOver(t);
    const disconnected = once(child, 'disconnect');
    const exited = once(child, 'exit');
    const channel = channelTo(child).handle;
    channel.readStop();
    child.kill('SIGKILL');
    await within(exited, 'the exit');
    t.equal(child.connected, true, 'the exit is heard of first');
    if (order.startsWith('exit')) channel.readStart();
    t.equal(await within(ended, 'the connection to go to another'), 'refused');
    await within(disconnected, 'node:cluster to hear that the worker is gone');
    await until(() => channel.fd < 0, 'its descriptor to be closed');
  });
}

t.test('when it is overdue it may be taken back', async (t) => {
  const { child, handed, entry, overdue } = await handedOver(t);
  t.equal(entry.state, 'sent');
  t.notOk(handed.isFree);
  await within(overdue, 'the lease to end');
  t.equal(entry.state, 'overdue');
  entry.state = 'taken back';
  t.notOk(handed.isFree, 'the worker has not answered');
  const replies = [];
  child.send = (message) => replies.push(message);
  child.emit('internalMessage', ASKS);
  t.same(replies, [], 'a question before the acknowledgement');
  child.emit('internalMessage', ACKNOWLEDGES);
  t.ok(handed.isFree);
  for (let time = 0; time < 2; time++) child.emit('internalMessage', ASKS);
  t.match(replies, [{ type: 'decided', asked: [-1], kept: [-1] }]);
  t.equal(replies.length, 1, 'it is answered once');
});

t.test('one that was taken back before it was sent does not occupy the worker', async (t) => {
  const { child, handed } = await handedOver(t);
  const client = await rawConnection();
  const { onOverdue, overdue } = whatHappens();
  // Node sends it when the first has been read.
  const entry = handed.send('key', client, { onEnd: () => {}, onOverdue });
  await within(overdue, 'the lease to end');
  entry.state = 'taken back';
  // As its new worker has it.
  client.close();
  child.kill('SIGCONT');
  child.emit('internalMessage', ACKNOWLEDGES);
  await until(() => handed.isFree, 'the worker to be free');
});

t.test('an acknowledgement before it is taken back settles it', async (t) => {
  const { child, handed, client, ended, overdue } = await handedOver(t);
  await within(overdue, 'the lease to end');
  let isClosed = false;
  const { close } = client;
  client.close = (...args) => {
    isClosed = true;
    Reflect.apply(close, client, args);
  };
  child.emit('internalMessage', ACKNOWLEDGES);
  t.equal(await ended, 'accepted');
  t.ok(isClosed, "the primary's copy");
  const replies = [];
  child.send = (message) => replies.push(message);
  child.emit('internalMessage', ASKS);
  t.match(replies, [{ asked: [-1], kept: [] }]);
  t.ok(handed.isFree);
});

t.test('a worker without descriptors for it refuses it', async (t) => {
  const { child, handed, ended } = await handedOver(t);
  child.emit('internalMessage', { cmd: 'NODE_HANDLE_NACK' });
  t.equal(await ended, 'refused');
  t.ok(handed.isFree);
});
