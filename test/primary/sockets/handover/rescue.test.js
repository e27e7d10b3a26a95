/** A connection that was sent to a worker that dies before it takes it is never lost. */
import t from 'tap';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { ListeningSocket } from '../../../../src/primary/sockets/policies/listening-socket.js';
import { rescueConnections } from '../../../../src/primary/sockets/handover/rescue.js';
import { app } from '../../../support/home.js';
import { plainEnv } from '../../../support/spawn-clean.js';
import { within } from '../../../support/until.js';

/** @import { ChildProcess } from 'node:child_process' */

/** @param {any} t @returns {Promise<any>} the handle of an open connection */
async function connection(t) {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect(server.address().port, '127.0.0.1');
  t.teardown(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  return socket._handle;
}

/** @param {any} client @returns {any} the listening socket through which it has come */
function socketWith(client) {
  const handle = { onconnection: () => {}, close: () => {} };
  const socket = new ListeningSocket('*:1', handle, {});
  socket.serve();
  handle.onconnection(0, client);
  return socket;
}

/** @param {ChildProcess} child @returns {any} its channel's handle */
function channelOf(child) {
  const key = Object.getOwnPropertySymbols(child).find(
    ({ description }) => description === 'kChannelHandle',
  );
  return child[key];
}

for (const order of ['exit before the end of the channel', 'no end of the channel at all']) {
  t.test(order, async (t) => {
    const child = fork(app('holds-timer.cjs'), { env: { ...plainEnv(), PORT: '0' }, execArgv: [] });
    t.teardown(() => child.kill('SIGKILL'));
    await once(child, 'spawn');
    const client = await connection(t);
    const socket = socketWith(client);
    const returned = new Promise((resolve) => (socket.returned = resolve));
    rescueConnections(child);
    const disconnected = once(child, 'disconnect');
    const exited = once(child, 'exit');
    const channel = channelOf(child);
    child.kill('SIGSTOP');
    child.send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq: 7 }, client);
    channel.readStop();
    child.kill('SIGKILL');
    await within(exited, 'the exit');
    t.equal(child.connected, true, 'the exit is heard of first');
    if (order.startsWith('exit')) channel.readStart();
    t.equal(await within(returned, 'the connection to be handed on'), client);
    await within(disconnected, 'node:cluster to hear that the worker is gone');
  });
}
