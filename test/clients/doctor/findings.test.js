/** What a diagnosis says of which facts. */
import t from 'tap';
import { findingsOf } from '../../../src/clients/doctor/findings.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { read } from '../../support/sources.js';

const home = '/home/me/.nodecluster';
const daemonOf = (version, node) => ({ ...{ pid: 7, startedAt: 0, root: '' }, version, node });
const own = { version: '2.0.0', node: 'v24.1.0', uid: 1000 };
const fine = {
  ...{ own, home, fault: null, damaged: null, closed: [] },
  ...{ down: [], ports: [], exhausted: [], disks: [], missing: [] },
  daemon: daemonOf('2.0.0', 'v24.1.0'),
  now: Date.parse('2026-11-28'),
};
const old = daemonOf('1.9.0', 'v24.1.0');
const missing = { by: '/etc/systemd/system/a.service', isOfUser: false, file: '/opt/node' };
const fault = (code, data) => ({ daemon: null, fault: new NodeclusterError(code, data) });
const full = { directory: '/var x', hasInodes: true, text: '/var x (ext4, 0B of 1G free)' };
const desired = `${home}/desired.json`;

/** Facts, and the findings: severity, code, exit code, line to type. @type {[facts: object, ...expected: string[]][]} */
const rows = [
  [{}],
  [{ daemon: null }],
  [
    fault('E_HOME_OPEN', { directory: '/h x', mode: '0755' }),
    "error E_HOME_OPEN 7 chmod 700 '/h x'",
  ],
  [
    fault('E_HOME_FOREIGN', { directory: '/h', owner: 0, uid: 1000 }),
    'error E_HOME_FOREIGN 7 sudo chown -R 1000 /h   # unless apps of root run there',
  ],
  [
    fault('E_HOME_FOREIGN', { directory: home, owner: 1001, uid: 0 }),
    `error E_HOME_FOREIGN 7 sudo -u '#1001' env NODECLUSTER_HOME=${home} nodecluster doctor`,
  ],
  [
    fault('E_HOME_NOT_A_DIRECTORY', { directory: '/h' }),
    'error E_HOME_NOT_A_DIRECTORY 7 ls -ld /h   # a link: set NODECLUSTER_HOME to its target; a file: move it away',
  ],
  [
    fault('E_HOME_READ', { file: desired, reason: 'EACCES' }),
    `error E_HOME_READ 7 chmod u+rwX ${desired} || ls -ld ${desired}`,
  ],
  [
    { closed: ['/h/logs', '/h x/audit.log'] },
    "error home-closed 7 chmod u+rwX /h/logs '/h x/audit.log' || ls -ld /h/logs '/h x/audit.log'",
  ],
  [
    { daemon: null, damaged: { file: desired, hasCopy: true } },
    'warning list-damaged 7 nodecluster ls',
  ],
  [
    { daemon: null, damaged: { file: desired, hasCopy: false } },
    `error list-damaged 7 ls -l ${desired}*`,
  ],
  [
    fault('E_HOME_UNUSABLE', { directory: '/h', reason: 'EACCES' }),
    'error E_HOME_UNUSABLE 7 ls -ld /   # or set NODECLUSTER_HOME to a directory of your own',
  ],
  [
    fault('E_DAEMON_SILENT', { home, pid: 7, log: 'x' }),
    'error E_DAEMON_SILENT 8 kill -9 7 && nodecluster ls',
  ],
  [
    fault('E_PROTOCOL_UNREACHABLE', { socket: '/h/daemon.sock', reason: 'EACCES' }),
    'error E_PROTOCOL_UNREACHABLE 8 chmod u+rwX /h/daemon.sock || ls -ld /h/daemon.sock',
  ],
  [{ daemon: old }, 'warning daemon-version 7 nodecluster update'],
  [
    { daemon: daemonOf('2.10.0', 'v24.1.0') },
    'warning daemon-version 7 which -a nodecluster node   # use the newer one',
  ],
  [
    { daemon: daemonOf('2.0.0', 'v26.0.0') },
    'warning daemon-version 7 which -a nodecluster node   # use the newer one',
  ],
  [{ daemon: null, down: ['api', 'web'] }, 'error apps-down 5 nodecluster ls'],
  [
    { daemon: old, ports: [{ app: 'api', place: 'port 3000', holder: 'pid 9 (node old.js)' }] },
    'error port-in-use 5 nodecluster reload api --set-env PORT=0   # or any other free port, or stop that program',
    'warning daemon-version 7 nodecluster update',
  ],
  [
    { exhausted: [{ name: 'api', primaryPid: 8 }] },
    'error limit-reached 7 sudo prlimit --nofile=65536 --pid 8 && nodecluster reload api   # for good: LimitNOFILE=65536 in its service',
  ],
  [{ disks: [full] }, "error disk-full 7 du -k -x -d 3 '/var x' | sort -n | tail"],
  [{ missing: [missing] }, 'error service-broken 7 nodecluster startup'],
  [
    { missing: [{ ...missing, isOfUser: true }] },
    'error service-broken 7 nodecluster startup --user',
  ],
  [
    { own: { ...own, node: 'v20.1.0' }, daemon: daemonOf('2.0.0', 'v23.1.0') },
    'warning daemon-version 7 which -a nodecluster node   # use the newer one',
    'warning node-end-of-life 7 nodecluster update --apps   # on a newer Node: nvm install --lts',
    'warning node-end-of-life 7 nodecluster update --apps   # on a newer Node: nvm install --lts',
  ],
  [{ own: { ...own, node: 'v99.0.0' }, daemon: null }],
];
for (const [facts, ...expected] of rows) {
  const found = findingsOf({ ...fine, ...facts });
  t.same(
    found.map(({ severity, code, exitCode, command }) =>
      [severity, code, exitCode, command].join(' '),
    ),
    expected,
    expected.join(', ') || 'nothing is wrong',
  );
}

t.test('each text says what is wrong', async (t) => {
  const damaged = { file: desired, hasCopy: false };
  const found = findingsOf({ ...fine, missing: [missing], closed: ['/x'], damaged });
  t.match(
    found.map(({ text }) => text),
    [
      'User 1000 may not use /x, which nodecluster needs.',
      /is damaged, and its copy is damaged or missing too\. The next daemon knows only apps that still run/,
      'The service that starts the daemon at boot (/etc/systemd/system/a.service) points to /opt/node, which does not exist.',
    ],
  );
});

t.test('no line has a placeholder, which a shell would take for a redirection', async (t) => {
  const found = rows.flatMap(([facts]) => findingsOf({ ...fine, ...facts }));
  const wrong = found.filter(({ command }) => /[<>]/.test(command));
  t.same(wrong, []);
});

t.test('SECURITY.md has the same ends of Node', async (t) => {
  const text = read('SECURITY.md');
  const table = [...text.matchAll(/^\| (\d+) +\| (\d{4}-\d\d-\d\d) /gm)];
  t.same(
    table.map(([, line]) => line),
    ['20', '22', '24', '26'],
  );
  for (const [, line, end] of table) {
    const isPast = (now) => {
      const node = { ...own, node: `v${line}.1.0` };
      const facts = { ...fine, own: node, daemon: null, now };
      return findingsOf(facts).some(({ code }) => code === 'node-end-of-life');
    };
    const day = Date.parse(end);
    t.same([isPast(day - 1), isPast(day)], [false, true], line);
  }
});
