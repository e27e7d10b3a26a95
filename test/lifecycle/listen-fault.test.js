import t from 'tap';
import { adviseOnListenFault, describeListenFault } from '../../src/lifecycle/listening.js';

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
