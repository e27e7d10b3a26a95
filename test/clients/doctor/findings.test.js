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
const foreign = { directory: home, owner: 1001, uid: 0 };
const reason = 'EACCES';
const desired = `${home}/desired.json`;

const NEWER = 'warning daemon-version 7 which -a nodecluster node #';
const AT_END = 'warning node-end-of-life 7 nodecluster update --apps #';

/** Facts, and the findings: severity, code, exit code, line to type; `#`: with a word of advice. */
const rows = [
  [{}],
  [{ daemon: null }],
  [{ closed: ['/h', '/x y'] }, "error home-closed 7 chmod u+rwX /h '/x y' || ls -ld /h '/x y'"],
  [{ daemon: old }, 'warning daemon-version 7 nodecluster update'],
  [{ daemon: daemonOf('2.10.0', 'v24.1.0') }, NEWER],
  [{ daemon: daemonOf('2.0.0', 'v26.0.0') }, NEWER],
  [
    { daemon: old, ports: [{ app: 'api', place: 'port 3000', holder: 'pid 9 (node old.js)' }] },
    'error port-in-use 5 nodecluster reload api --set-env PORT=0 #',
    'warning daemon-version 7 nodecluster update',
  ],
  [{ disks: [full] }, "error disk-full 7 du -k -x -d 3 '/var x' | sort -n | tail"],
  [{ missing: [missing] }, 'error service-broken 7 nodecluster startup'],
  [
    { own: { ...own, node: 'v20.1.0' }, daemon: daemonOf('2.0.0', 'v23.1.0') },
    ...[NEWER, AT_END, AT_END],
  ],
  [{ own: { ...own, node: 'v99.0.0' }, daemon: null }],
  ...Object.entries({
    "E_HOME_OPEN 7 chmod 700 '/h x'": { directory: '/h x' },
    'E_HOME_FOREIGN 7 sudo chown -R 1000 /h #': { directory: '/h', owner: 0, uid: 1000 },
    [`E_HOME_FOREIGN 7 sudo -u '#1001' env NODECLUSTER_HOME=${home} nodecluster doctor`]: foreign,
    'E_HOME_NOT_A_DIRECTORY 7 ls -ld /h #': { directory: '/h' },
    [`E_HOME_READ 7 chmod u+rwX ${desired} || ls -ld ${desired}`]: { file: desired, reason },
    'E_HOME_UNUSABLE 7 ls -ld / #': { directory: '/h' },
    'E_PROTOCOL_UNREACHABLE 8 chmod u+rwX /h/s || ls -ld /h/s': { socket: '/h/s', reason },
  }).map(([line, data]) => [fault(line.split(' ')[0], data), `error ${line}`]),
];
for (const [facts, ...expected] of rows) {
  const found = findingsOf({ ...fine, ...facts }).map(({ severity, code, exitCode, command }) =>
    [severity, code, exitCode, command.replace(/ {3}# .+/, ' #')].join(' '),
  );
  t.same(found, expected, expected.join(', ') || 'nothing is wrong');
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
  const versions = table.map(([, line]) => line);
  t.same(versions, ['20', '22', '24', '26']);
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
