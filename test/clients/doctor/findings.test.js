/** What a diagnosis says of which facts. */
import t from 'tap';
import { findingsOf } from '../../../src/clients/doctor/findings.js';

/** @import { Facts } from '../../../src/clients/doctor/findings.js' */

const own = { version: '2.0.0', node: 'v24.1.0', uid: 1000 };
/** @type {Facts} */
const fine = {
  own,
  home: { path: '/home/me/.nodecluster', uid: 1000, mode: 0o40700 },
  daemon: { pid: 7, version: '2.0.0', node: 'v24.1.0' },
  silence: null,
  ports: [],
  counts: [{ name: 'File descriptors of the daemon', used: 30, max: 1048576, unit: null }],
  disks: [],
  missing: [],
  now: Date.parse('2026-11-28'),
};
const descriptors = fine.counts[0];
const old = { pid: 7, version: '1.9.0', node: 'v24.1.0' };

/** @type {[name: string, facts: Partial<Facts>, expected: string[]][]} */
const rows = [
  ['nothing', {}, []],
  ['no home', { home: null, daemon: null }, []],
  [
    'a home that others can enter',
    { home: { path: '/h x', uid: 1000, mode: 0o40755 } },
    ["error home-open chmod 700 '/h x'"],
  ],
  [
    'a home of another user',
    { home: { path: '/h', uid: 0, mode: 0o40755 } },
    ['error home-owner sudo chown -R 1000 /h'],
  ],
  ['a silent daemon', { daemon: null, silence: 'x' }, ['error daemon-silent nodecluster ls']],
  ['an old daemon', { daemon: old }, ['warning daemon-version nodecluster update']],
  [
    'another Node',
    { daemon: { ...old, version: '2.0.0', node: 'v22.1.0' } },
    ['warning daemon-version nodecluster update'],
  ],
  [
    'a held port, and an old daemon after it',
    { daemon: old, ports: [{ app: 'api', port: 3000, holder: 'pid 9 (node old.js)' }] },
    [
      'error port-in-use nodecluster reload api --set-env PORT=<port>',
      'warning daemon-version nodecluster update',
    ],
  ],
  [
    'descriptors that are used up',
    { counts: [{ ...descriptors, used: 940, max: 1024 }] },
    ['error limit-reached sudo prlimit --nofile=65536 --pid 7'],
  ],
  [
    'few descriptors, in a service',
    { counts: [{ ...descriptors, max: 1024, unit: 'a.service' }] },
    ['warning limit-low sudo systemctl edit a.service   # [Service] LimitNOFILE=65536'],
  ],
  [
    'tasks',
    {
      counts: [
        { name: 'Processes and threads of a.service', used: 95, max: 100, unit: 'a.service' },
      ],
    },
    ['error limit-reached sudo systemctl edit a.service   # [Service] TasksMax=infinity'],
  ],
  ['a limit that is not known', { counts: [{ ...descriptors, max: null }] }, []],
  [
    'a full disk',
    { disks: ['/var (ext4, 0B of 1G free)'] },
    ['error disk-full nodecluster flush   # or see `df -h`'],
  ],
  ['a broken service', { missing: ['/opt/node'] }, ['error service-broken nodecluster startup']],
  [
    'Node past its end',
    { own: { ...own, node: 'v20.1.0' }, daemon: null },
    ['warning node-end-of-life nvm install --lts && nodecluster update --apps'],
  ],
  [
    'Node on its last day',
    { own: { ...own, node: 'v20.1.0' }, daemon: null, now: Date.parse('2026-04-29') },
    [],
  ],
  ['a Node that the table does not know', { own: { ...own, node: 'v99.0.0' }, daemon: null }, []],
];
for (const [name, facts, expected] of rows) {
  t.test(name, async (t) => {
    const found = findingsOf({ ...fine, ...facts });
    t.same(
      found.map(({ severity, code, command }) => `${severity} ${code} ${command}`),
      expected,
    );
  });
}
