import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { listenersOf } from '../../../src/primary/processes/tree-listeners.js';
import { addressOf, listeningSockets } from '../../../src/shared/processes/tcp-table.js';

const PROGRAM = `
  const net = require('node:net');
  net.createServer().listen(0, '127.0.0.1', function () {
    console.log(this.address().port);
  });
`;

t.test('a process below the worker listens', { skip: process.platform !== 'linux' }, async (t) => {
  const shell = spawn('/bin/sh', ['-c', `"$0" -e "$1"; exit $?`, process.execPath, PROGRAM], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => process.kill(-shell.pid, 'SIGKILL'));
  const [port] = await once(shell.stdout, 'data');
  t.same(await listenersOf(shell.pid), [`127.0.0.1:${String(port).trim()}`]);
});

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 777 1
   1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 778 1
   2: 00000000000000000000000001000000:0BB9 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 779 1
   3: 0100007F:0BB8 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 780 1
`;

t.test('addresses', async (t) => {
  const addresses = listeningSockets(TABLE).map(addressOf);
  t.same(addresses, ['127.0.0.1:3000', '*:80', '[::1]:3001']);
});
