/** What a program in fork mode may answer to its health check. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { runCheck } from '../../../src/features/health/primary-check.js';
import { listening } from '../../support/listening.js';

const endless = (socket, text) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
};

const rows = [
  [
    'a redirect, which is not followed',
    (s) => s.write('HTTP/1.1 302 F\r\nLocation: /\r\n\r\n'),
    null,
  ],
  [
    'another protocol',
    (s) => s.write('HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    'GET /: no response within 2 s',
  ],
  ['no HTTP', (s) => s.write('\0\xff\r\n\r\n'), /^GET \/: Parse Error/],
  ['nothing', () => {}, 'GET /: no response within 2 s'],
  ['the end', (s) => s.end(), 'GET /: socket hang up'],
  [
    'one 100 after the other',
    (s) => endless(s, 'HTTP/1.1 100 C\r\n\r\n'),
    'GET /: no response within 2 s',
  ],
  [
    'headers without end',
    (s) => endless(s, `${'HTTP/1.1 200 O\r\n'}${'A: b\r\n'.repeat(5000)}`),
    /^GET \/: Parse Error/,
  ],
  [
    'a body without end',
    (s) => s.write('HTTP/1.1 500 X\r\n\r\n') && endless(s, 'x'.repeat(9000)),
    /^GET \/: 500 x{90}/,
  ],
  [
    'chunks that are none',
    (s) => s.write('HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\nno\r\n'),
    'GET /: 500',
  ],
];

for (const [name, answer, expected] of rows) {
  t.test(name, async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => answer(socket));
    });
    const address = `127.0.0.1:${await listening(t, server)}`;
    const worker = { agent: null, listening: new Map([[address, { address, protocol: 'http' }]]) };
    const rule = { http: '/', exec: null, timeoutMs: 2000 };
    t.match(await runCheck(worker, rule), expected);
    // Its connection is closed too.
    server.close();
    await once(server, 'close');
  });
}
