import t from 'tap';
import { portsText, urlsText } from '../../src/show/addresses.js';

const http = (...addresses) => addresses.map((address) => ({ address, protocol: 'http' }));
const https = (...addresses) => addresses.map((address) => ({ address, protocol: 'https' }));
const tcp = (...addresses) => addresses.map((address) => ({ address, protocol: null }));

/** @type {[{address: string, protocol: any}[], string, string][]} */
const rows = [
  [[], '', ''],
  [http('*:3000', '*:3000'), '3000', 'http://localhost:3000'],
  [http('127.0.0.1:3000', '[::1]:3000'), '3000', 'http://localhost:3000'],
  [http('10.0.0.1:3000'), '3000', 'http://10.0.0.1:3000'],
  [https('[fe80::1]:443'), '443', 'https://[fe80::1]:443'],
  [tcp('*:9000'), '9000', 'port 9000'],
  [tcp('10.0.0.1:9000'), '9000', '10.0.0.1:9000'],
  [
    http('*:3002', '*:3000', '*:3001', '*:9000'),
    '3000–3002, 9000',
    'http://localhost:3000–3002, http://localhost:9000',
  ],
  [
    [...http('*:3000', '/run/api.sock'), ...tcp('*:9000')],
    '3000, 9000, api.sock',
    'http://localhost:3000, port 9000, /run/api.sock',
  ],
  [
    tcp(...Array.from({ length: 100 }, (_, index) => `*:${4000 + 2 * index}`)),
    '4000, 4002, 4004, +97',
    'port 4000, port 4002, port 4004, +97',
  ],
  [
    tcp('\u001b]0;x\u0007\n:9000', '/run/\u202e.sock'),
    '9000, \\u202e.sock',
    '\\x1b]0;x\\x07\\x0a:9000, /run/\\u202e.sock',
  ],
];

const long = (name) => `/run/${name.repeat(100)}`;
const [cutPort, cutPath] = [`${'a'.repeat(39)}…`, `/run/${'a'.repeat(100)}`];
rows.push(
  [tcp(long('a')), cutPort, cutPath],
  [tcp(long('a'), long('b'), long('c')), `${cutPort}, +2`, `${cutPath}, +2`],
  [
    tcp('*:3000', '/run/first.sock', '/run/another-long.sock', '/run/third.sock'),
    '3000, first.sock, another-long.sock, +1',
    'port 3000, /run/first.sock, /run/another-long.sock, /run/third.sock',
  ],
);

for (const [listeners, ports, urls] of rows) {
  t.test(urls || 'nothing', async (t) => {
    t.equal(portsText(listeners), ports);
    t.equal(urlsText(listeners), urls);
  });
}
