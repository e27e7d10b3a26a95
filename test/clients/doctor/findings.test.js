/** What a diagnosis says of which facts. */
import t from 'tap';
import { findingsOf } from '../../../src/clients/doctor/findings.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { read } from '../../support/sources.js';

/** @import { Facts } from '../../../src/clients/doctor/findings.js' */

const home = '/home/me/.nodecluster';
const own = { version: '2.0.0', node: 'v24.1.0', uid: 1000, platform: 'linux', hasSudo: true };
const clock = { firstYear: 2026, future: null, isSynchronized: true };
/** @type {Facts} */
const fine = {
  ...{ own, home, clock, fault: null, unwritable: null, damaged: null, closed: [] },
  ...{ down: [], ports: [], limits: [], disks: [], missing: [], primaries: [8, 9] },
  daemon: { pid: 7, version: '2.0.0', node: 'v24.1.0' },
  now: Date.parse('2026-11-28'),
};
const old = { pid: 7, version: '1.9.0', node: 'v24.1.0' };
/** @type {Facts['limits'][number]} */
const descriptors = { of: 'descriptors', used: 30, max: 1024, unit: null };
/** @type {Facts['limits'][number]} */
const ofUser = { of: 'user', used: 95, max: 100, unit: null };
/** @type {Facts['limits'][number]} */
const ofGroup = { of: 'group', used: 95, max: 100, unit: null };
const service = { name: 'a.service', isOfUser: false };
const missing = { by: '/etc/systemd/system/a.service', isOfUser: false, file: '/opt/node' };
const fault = (/** @type {string} */ code, /** @type {object} */ data) => ({
  daemon: null,
  fault: new NodeclusterError(code, data),
});
/** @type {Facts['disks'][number]} */
const full = { directory: '/var x', hasInodes: true, text: '/var x (ext4, 0B of 1G free)' };
const desired = `${home}/desired.json`;
const readOnly = { directory: '/mnt/h', code: 'EROFS', mount: '/mnt' };

/** @type {[name: string, facts: Partial<Facts>, expected: string[]][]} */
const rows = [
  ['nothing', { limits: [{ ...descriptors, max: 65536 }] }, []],
  ['no home', { daemon: null, limits: [{ ...descriptors, max: null }] }, []],
  [
    'a home that others can enter',
    fault('E_HOME_OPEN', { directory: '/h x', mode: '0755' }),
    ["error E_HOME_OPEN 7 chmod 700 '/h x'"],
  ],
  [
    'a home that root has made for another',
    fault('E_HOME_FOREIGN', { directory: '/h', owner: 0, uid: 1000 }),
    ['error E_HOME_FOREIGN 7 sudo chown -R 1000 /h   # unless apps of root run there'],
  ],
  [
    'a home of another user, in which apps run',
    fault('E_HOME_FOREIGN', { directory: home, owner: 1001, uid: 0 }),
    [`error E_HOME_FOREIGN 7 sudo -u '#1001' env NODECLUSTER_HOME=${home} nodecluster doctor`],
  ],
  [
    'a file in place of the home',
    fault('E_HOME_NOT_A_DIRECTORY', { directory: '/h' }),
    [
      'error E_HOME_NOT_A_DIRECTORY 7 ls -ld /h   # a link: set NODECLUSTER_HOME to its target; a file: move it away',
    ],
  ],
  [
    'a home that its owner may not enter',
    fault('E_HOME_UNUSABLE', { directory: `${home}/apps`, reason: 'EACCES' }),
    [`error E_HOME_UNUSABLE 7 chmod 700 ${home}`],
  ],
  [
    'as root, who needs no sudo',
    { own: { ...own, uid: 0 }, daemon: null, unwritable: readOnly },
    ['error home-unwritable 7 mount -o remount,rw /mnt'],
  ],
  [
    'a machine without sudo',
    { own: { ...own, hasSudo: false }, daemon: null, unwritable: readOnly, closed: ['/x'] },
    ['error home-unwritable 7 mount -o remount,rw /mnt   # as root'],
  ],
  [
    'a list of apps that its owner may not read',
    fault('E_HOME_READ', { file: desired, reason: 'EACCES' }),
    [`error E_HOME_READ 7 chmod u+rwX ${desired} || ls -ld ${desired}`],
  ],
  [
    'a list of apps that is something else',
    fault('E_HOME_READ', { file: desired, reason: 'it is not a regular file' }),
    [`error E_HOME_READ 7 ls -ld ${desired}`],
  ],
  [
    'files that may not be used, while a daemon runs',
    { closed: ['/h/logs', '/h x/audit.log'] },
    ["error home-closed 7 chmod u+rwX /h/logs '/h x/audit.log' || ls -ld /h/logs '/h x/audit.log'"],
  ],
  [
    'a damaged list of apps with a copy',
    { daemon: null, damaged: { file: desired, hasCopy: true } },
    ['warning list-damaged 7 nodecluster ls'],
  ],
  [
    'a damaged list of apps without one',
    { daemon: null, damaged: { file: desired, hasCopy: false } },
    [`error list-damaged 7 ls -l ${desired}*`],
  ],
  [
    'a home that cannot be made',
    fault('E_HOME_UNUSABLE', { directory: '/h', reason: 'EACCES' }),
    ['error E_HOME_UNUSABLE 7 ls -ld /   # or set NODECLUSTER_HOME to a directory of your own'],
  ],
  [
    'a silent daemon',
    fault('E_DAEMON_SILENT', { home, pid: 7, log: 'x' }),
    ['error E_DAEMON_SILENT 8 kill -9 7 && nodecluster ls'],
  ],
  [
    'a daemon that is busy',
    fault('E_DAEMON_SILENT', { home, log: 'x' }),
    ['error E_DAEMON_SILENT 8 nodecluster ls'],
  ],
  [
    'another program that has the socket',
    fault('E_DAEMON_SILENT', { home, pid: null, socket: '/h/daemon.sock', log: 'x' }),
    ['error E_DAEMON_SILENT 8 mv /h/daemon.sock /h/daemon.sock.aside && nodecluster ls'],
  ],
  [
    'a socket that its owner may not use',
    fault('E_PROTOCOL_UNREACHABLE', { socket: '/h/daemon.sock', reason: 'EACCES' }),
    ['error E_PROTOCOL_UNREACHABLE 8 chmod u+rwX /h/daemon.sock || ls -ld /h/daemon.sock'],
  ],
  [
    'a read-only file system',
    { unwritable: readOnly },
    ['error home-unwritable 7 sudo mount -o remount,rw /mnt'],
  ],
  [
    'a home without the right to write',
    { unwritable: { directory: home, code: 'EACCES', mount: '/' } },
    [`error home-unwritable 7 chmod 700 ${home}`],
  ],
  [
    'nowhere to make a home',
    { unwritable: { directory: '/', code: 'EACCES', mount: '/' } },
    ['error home-unwritable 7 ls -ld /   # or set NODECLUSTER_HOME to a directory of your own'],
  ],
  ['an old daemon', { daemon: old }, ['warning daemon-version 7 nodecluster update']],
  [
    'a newer daemon, which update would replace by an older one',
    { daemon: { ...old, version: '2.10.0' } },
    ['warning daemon-version 7 which -a nodecluster node   # use the newer one'],
  ],
  [
    'a daemon on a newer Node',
    { daemon: { ...old, version: '2.0.0', node: 'v26.0.0' } },
    ['warning daemon-version 7 which -a nodecluster node   # use the newer one'],
  ],
  [
    'another Node',
    { daemon: { ...old, version: '2.0.0', node: 'v22.1.0' } },
    ['warning daemon-version 7 nodecluster update'],
  ],
  [
    'apps that nobody starts',
    { daemon: null, down: ['api', 'web'] },
    ['error apps-down 5 nodecluster ls'],
  ],
  [
    'a port that is taken, and an old daemon after it',
    { daemon: old, ports: [{ app: 'api', place: 'port 3000', holder: 'pid 9 (node old.js)' }] },
    [
      'error port-in-use 5 nodecluster reload api --set-env PORT=0   # any free port; or another one, or end that program',
      'warning daemon-version 7 nodecluster update',
    ],
  ],
  [
    'descriptors that are used up',
    { limits: [{ ...descriptors, used: 940 }] },
    [
      'error limit-reached 7 echo 7 8 9 | xargs -n 1 sudo prlimit --nofile=65536 --pid && nodecluster reload all',
    ],
  ],
  [
    'few descriptors, in a service',
    { limits: [{ ...descriptors, unit: service }] },
    ['warning limit-low 7 sudo systemctl edit a.service   # [Service] LimitNOFILE=65536'],
  ],
  [
    'few descriptors, in a shell',
    { daemon: null, limits: [{ ...descriptors, used: null }] },
    ['warning limit-low 7 sudo prlimit --nofile=65536 --pid $$'],
  ],
  [
    'too few descriptors for a daemon',
    { daemon: null, limits: [{ ...descriptors, used: null, max: 64 }] },
    ['error limit-low 7 sudo prlimit --nofile=65536 --pid $$'],
  ],
  [
    'so few descriptors, with which one runs',
    { limits: [{ ...descriptors, max: 64 }] },
    [
      'warning limit-low 7 echo 7 8 9 | xargs -n 1 sudo prlimit --nofile=65536 --pid && nodecluster reload all',
    ],
  ],
  [
    'few descriptors, on macOS',
    { own: { ...own, platform: 'darwin' }, limits: [{ ...descriptors, used: null }] },
    ['warning limit-low 7 ulimit -n "$(ulimit -H -n)"'],
  ],
  [
    'too few processes for an app',
    { daemon: null, limits: [{ ...ofUser, used: 11, max: 40 }] },
    ['warning limit-low 7 sudo prlimit --nproc=65536 --pid $$'],
  ],
  [
    'too few processes for Node',
    { daemon: null, limits: [{ ...ofUser, used: 15, max: 25 }] },
    ['error limit-reached 7 sudo prlimit --nproc=65536 --pid $$'],
  ],
  [
    'processes that are used up, in a service of the user',
    { limits: [{ ...ofUser, unit: { name: 'a.service', isOfUser: true } }] },
    ['error limit-reached 7 systemctl --user edit a.service   # [Service] LimitNPROC=65536'],
  ],
  [
    'the control group of a service',
    { limits: [{ ...ofGroup, unit: service }] },
    ['error limit-reached 7 sudo systemctl set-property a.service TasksMax=infinity'],
  ],
  [
    'a container',
    { limits: [ofGroup] },
    [
      'error limit-reached 7 grep . /sys/fs/cgroup/pids.*   # on its host: docker update --pids-limit=-1, and its name',
    ],
  ],
  [
    'the machine',
    { limits: [{ of: 'pid_max', used: 32_000, max: 32_768, unit: null }] },
    ['error limit-reached 7 sudo sysctl -w kernel.pid_max=65536'],
  ],
  [
    'limits that are not known',
    {
      limits: [
        { ...descriptors, max: null },
        { ...ofUser, used: null },
        { ...ofGroup, max: null },
      ],
    },
    [],
  ],
  ['a full disk', { disks: [full] }, ["error disk-full 7 du -k -x -d 3 '/var x' | sort -n | tail"]],
  [
    'a disk without inodes',
    { disks: [{ ...full, hasInodes: false }] },
    ["error disk-full 7 du --inodes -x -d 3 '/var x' | sort -n | tail"],
  ],
  ['a broken service', { missing: [missing] }, ['error service-broken 7 nodecluster startup']],
  [
    "the same of the user's own manager",
    { missing: [{ ...missing, isOfUser: true }] },
    ['error service-broken 7 nodecluster startup --user'],
  ],
  [
    'a clock before the year of Node',
    { now: Date.parse('2025-12-31T23:00Z') },
    ['error clock-wrong 7 sudo timedatectl set-ntp true   # in a container: on its host'],
  ],
  [
    'a file of tomorrow',
    { clock: { ...clock, future: { file: '/h/daemon.log', at: Date.parse('2026-11-29') } } },
    ['warning clock-set-back 7 date   # if it is right: touch /h/daemon.log'],
  ],
  [
    'no time server',
    { clock: { ...clock, isSynchronized: false } },
    ['warning clock-alone 7 sudo timedatectl set-ntp true'],
  ],
  [
    'a clock of which nothing is known',
    { clock: { firstYear: null, future: null, isSynchronized: null }, now: 0 },
    [],
  ],
  [
    'two versions of Node past their ends',
    { own: { ...own, node: 'v20.1.0' }, daemon: { ...old, version: '2.0.0', node: 'v23.1.0' } },
    [
      'warning daemon-version 7 which -a nodecluster node   # use the newer one',
      'warning node-end-of-life 7 nodecluster update --apps   # on a newer Node: nvm install --lts',
      'warning node-end-of-life 7 nodecluster update --apps   # on a newer Node: nvm install --lts',
    ],
  ],
  ['a Node that the table does not know', { own: { ...own, node: 'v99.0.0' }, daemon: null }, []],
];
for (const [name, facts, expected] of rows) {
  t.test(name, async (t) => {
    const found = findingsOf({ ...fine, ...facts });
    t.same(
      found.map(({ severity, code, exitCode, command }) =>
        [severity, code, exitCode, command].join(' '),
      ),
      expected,
    );
  });
}

t.test('each text says what is wrong', async (t) => {
  const found = findingsOf({
    ...fine,
    limits: [{ ...descriptors, used: 940 }, ofUser, { ...ofGroup, unit: service }, ofGroup],
    missing: [missing, { ...missing, file: missing.by }],
    disks: [full],
    closed: ['/x'],
    damaged: { file: desired, hasCopy: false },
    clock: { ...clock, future: { file: '/h/daemon.log', at: Date.parse('2026-11-29') } },
    unwritable: readOnly,
  });
  t.same(
    found.map(({ text }) => text),
    [
      'The home directory /home/me/.nodecluster cannot be made: nothing can be written to /mnt/h (EROFS).',
      `${desired}, which lists the apps, is damaged, and its copy is damaged or missing too. The next daemon knows only apps that still run: restore the file from a backup first, or start the apps again.`,
      'The daemon uses 940 of at most 1024 file descriptors.',
      'User 1000 (ulimit -u of the daemon) has 95 of at most 100 processes and threads.',
      'The control group a.service (pids.max) has 95 of at most 100 processes and threads.',
      'The control group of this container (pids.max) has 95 of at most 100 processes and threads.',
      'No room is left on /var x (ext4, 0B of 1G free).',
      'The service that starts the daemon at boot (/etc/systemd/system/a.service) points to /opt/node, which does not exist.',
      'The service that starts the daemon at boot (/etc/systemd/system/a.service) is empty, or a broken link.',
      'The clock says 2026-11-28T00:00:00Z, but /h/daemon.log was written at 2026-11-29T00:00:00Z: the clock is wrong, or was.',
    ],
  );
});

t.test('no line has a placeholder, which a shell would take for a redirection', async (t) => {
  const found = rows.flatMap(([, facts]) => findingsOf({ ...fine, ...facts }));
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
    const isPast = (/** @type {number} */ now) => {
      const node = { ...own, node: `v${line}.1.0` };
      const facts = { ...fine, own: node, daemon: null, now, clock: { ...clock, firstYear: null } };
      return findingsOf(facts).some(({ code }) => code === 'node-end-of-life');
    };
    const day = Date.parse(end);
    t.same([isPast(day - 1), isPast(day)], [false, true], line);
  }
});
