import { linkSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import t from 'tap';
import {
  findListeningProcesses,
  nameListener,
  tcpSockets,
  unixSockets,
} from '../../src/shared/processes/listening-processes.js';
import { eventOf } from '../support/until.js';

const isLinux = process.platform === 'linux';
const code = 'EADDRINUSE';

t.test('what /proc/net/tcp and tcp6 say', async (t) => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0',
    '   1: 00000000:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1 0',
    '   2: 0100007F:0BB8 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0',
  ].join('\n');
  const socketsAt = (...place) =>
    tcpSockets(table, ...place).map(({ inode, uid }) => ({ inode, uid }));
  t.same(socketsAt(null, 3000), [{ inode: '11', uid: 1000 }]);
  t.same(socketsAt('127.0.0.1', 3000), [{ inode: '11', uid: 1000 }]);
  t.same(socketsAt('10.0.0.9', 3000), [], 'another address of the port is free');
  t.same(socketsAt('10.0.0.9', 3001), [{ inode: '12', uid: 1000 }]);
  t.same(socketsAt(null, 3002), []);
});

t.test('what /proc/net/unix says', async (t) => {
  const table = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 21 /run/api.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 22 /run/api.sock',
  ].join('\n');
  t.same(unixSockets(table, '/run/api.sock'), [{ inode: '21', uid: null }]);
});

t.test('a process that listens', { skip: !isLinux && 'only on Linux' }, async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  const socket = path.join(t.testdir(), 's');
  const unix = net.createServer().listen(socket);
  t.teardown(() => (server.close(), unix.close()));
  await Promise.all([eventOf(server, 'listening'), eventOf(unix, 'listening')]);
  const { port } = server.address();
  const found = findListeningProcesses({ code, address: null, port });
  t.same(
    found.processes.map(({ pid }) => pid),
    [process.pid],
  );
  t.match(found, { isOfOthers: false, processes: [{ commandLine: /node/ }] });
  t.match(findListeningProcesses({ code, address: socket, port: null }).processes, [
    { pid: process.pid },
  ]);
  t.same(findListeningProcesses({ code, address: null, port: 1 }).processes, []);
});

t.test(
  'a unix socket that a program has left',
  { skip: !isLinux && 'only on Linux' },
  async (t) => {
    const [socket, address] = [path.join(t.testdir(), 's'), path.join(t.testdir(), 'left')];
    const server = net.createServer().listen(socket);
    await eventOf(server, 'listening');
    linkSync(socket, address);
    server.close();
    await eventOf(server, 'close');
    const holder = (address) =>
      nameListener(findListeningProcesses({ code, address, port: null }), []);
    t.equal(holder(address), `a file without a listener (rm ${address})`);
    t.equal(holder(socket), undefined, 'a file that is gone');
  },
);

t.test('a connection that has the port', { skip: !isLinux && 'only on Linux' }, async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await eventOf(server, 'listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  const [[accepted]] = await Promise.all([
    eventOf(server, 'connection'),
    eventOf(client, 'connect'),
  ]);
  const { localPort: port } = client;
  const holder = () => nameListener(findListeningProcesses({ code, address: null, port }), []);
  t.match(holder(), /^a connection of pid \d+ \(node /);
  client.end();
  accepted.end();
  await Promise.all([eventOf(client, 'close'), eventOf(accepted, 'close')]);
  t.equal(holder(), 'a connection that has ended (TIME-WAIT)');
  server.close();
});
