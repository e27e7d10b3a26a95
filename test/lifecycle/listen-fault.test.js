import t from 'tap';
import {
  adviseOnListenFault,
  describeListenFault,
  faultInOutput,
} from '../../src/lifecycle/listening.js';

const inUse = { code: 'EADDRINUSE', address: null, port: 3000 };

const rows = [
  [inUse, 'api', 'could not listen on port 3000: in use by api'],
  [inUse, 'pid 4711 (nginx)', 'could not listen on port 3000: in use by pid 4711 (nginx)'],
  [inUse, undefined, 'could not listen on port 3000: in use by another process'],
  [{ ...inUse, address: '::' }, 'api', 'could not listen on port 3000: in use by api'],
  [{ ...inUse, address: '127.0.0.1' }, 'api', 'could not listen on 127.0.0.1:3000: in use by api'],
  [{ ...inUse, address: '::1' }, 'api', 'could not listen on [::1]:3000: in use by api'],
  [
    { ...inUse, address: '/run/api.sock', port: null },
    'api',
    'could not listen on /run/api.sock: in use by api',
  ],
  [
    { ...inUse, address: '/run/api.sock', port: null },
    undefined,
    'could not listen on /run/api.sock: in use',
  ],
  [
    { code: 'EACCES', address: '0.0.0.0', port: 80 },
    undefined,
    'could not listen on port 80: only root may (EACCES)',
  ],
  [
    { code: 'EACCES', address: '/run/api.sock', port: null },
    undefined,
    'could not listen on /run/api.sock: permission denied (EACCES)',
  ],
  [
    { code: 'EADDRNOTAVAIL', address: '10.0.0.9', port: 3000 },
    undefined,
    'could not listen on 10.0.0.9:3000: no network interface has that address (EADDRNOTAVAIL)',
  ],
  [
    { code: 'EINVAL', address: null, port: 3000 },
    undefined,
    'could not listen on port 3000 (EINVAL)',
  ],
];

for (const [fault, holder, expected] of rows) {
  t.test(expected, async (t) => t.equal(describeListenFault(fault, holder), expected));
}

t.test('advice for a port', async (t) => {
  t.match(adviseOnListenFault({ code: 'EACCES', address: null, port: 80 }), /_ports: 80`/);
  const local = { code: 'EACCES', address: '127.0.0.1', port: 80 };
  t.match(adviseOnListenFault(local), /_ports: 127\.0\.0\.1:80`/);
  t.equal(adviseOnListenFault({ code: 'EACCES', address: '/run/x', port: null }), null);
  t.match(adviseOnListenFault(inUse), /--set-env PORT=/);
  t.equal(adviseOnListenFault({ ...inUse, address: '/run/x', port: null }), null);
});

const outputs = [
  ['Error: listen EADDRINUSE: address already in use :::3000', null, 3000],
  ['Error: listen EADDRINUSE: address already in use 127.0.0.1:3000', '127.0.0.1', 3000],
  [
    "[Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
    '127.0.0.1',
    8000,
  ],
  ['listen tcp :8080: bind: address already in use', null, 8080],
  ['Web server failed to start. Port 8081 was already in use.', null, 8081],
  ['Error: bind EADDRINUSE null:3000', null, 3000],
  ['2026/11/29 10:00:05 main.go:12: listen tcp :8080: bind: address already in use', null, 8080],
  ['listen tcp [::1]:8080: bind: address already in use', '::1', 8080],
  ['[10:00:05] listen EADDRINUSE: address already in use ::1:3000', '::1', 3000],
  ["bind.rb:12: Address already in use - bind(2) for '127.0.0.1' port 4567", null, 4567],
  ["Address already in use - bind(2) for 'tcp://localhost:9292'", 'localhost', 9292],
  ['nginx: bind() to 0.0.0.0:80 failed (98: Address already in use)', null, 80],
];
for (const [line, address, port] of outputs) {
  t.test(line, async (t) =>
    t.same(faultInOutput(['something', line]), { code: 'EADDRINUSE', address, port }),
  );
}
const outgoing = [
  'Error: connect EADDRINUSE 10.0.0.7:5432 - Local (10.0.0.9:6000)',
  'Error: bind EADDRINUSE 127.0.0.1:6000',
  'dial tcp 10.0.0.9:6000->10.0.0.7:5432: bind: address already in use',
  'Address already in use - connect(2) for 10.0.0.7:5432 (Errno::EADDRINUSE)',
];
for (const line of outgoing) {
  t.test(line, async (t) => t.equal(faultInOutput([line, "  code: 'EADDRINUSE',"]), null));
}
t.test('other output', async (t) => {
  t.equal(faultInOutput(['Error: :::3000']), null);
  const times = ['2026/11/29 10:00:05 ', '[10:00:05] '];
  for (const before of ['', ...times, '  File "x.py:12" ', 'a.rs:4:50: ']) {
    const line = `${before}OSError: [Errno 98] Address already in use`;
    t.equal(faultInOutput([line]), null, line);
  }
});
