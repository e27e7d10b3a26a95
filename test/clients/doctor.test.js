/** `doctor`: faults that are planted on this machine, each in a home of its own, and what is said of them. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findingsOf } from '../../src/clients/doctor/findings.js';
import { describeFull, programsIn } from '../../src/clients/doctor/gather.js';
import { initSystems } from '../../src/clients/startup/init-systems.js';
import { NodeclusterError } from '../../src/errors/error.js';
import { NODE, testHome } from '../support/home.js';
import { until } from '../support/until.js';

/** What the machine that runs the tests may have. */
const OF_MACHINE = ['disk-full'];

const findingsIn = (stdout) =>
  JSON.parse(stdout).findings.filter(({ code }) => !OF_MACHINE.includes(code));

async function onlyFinding({ run }, env = {}) {
  const { code, stdout } = await run(['doctor', '--json'], { env });
  const [finding, ...rest] = findingsIn(stdout);
  if (rest.length > 0) throw new Error(stdout);
  return { exit: code, ...finding };
}

t.test('nothing is wrong: no home, a daemon, no daemon', async (t) => {
  const home = testHome(t);
  const checked = async () => findingsIn((await home.ok(['doctor', '--json'])).stdout);
  t.same(await checked(), []);
  t.throws(() => statSync(home.home), { code: 'ENOENT' });
  await home.startApi();
  t.same(await checked(), []);
  await home.ok(['kill']);
  t.same(await checked(), []);
});

t.test('a damaged list of apps', async (t) => {
  const home = testHome(t);
  await home.startApi();
  await home.ok(['stop', 'api']);
  await home.ok(['kill']);
  const file = join(home.home, 'desired.json');
  const before = readFileSync(file);
  writeFileSync(file, 'x');
  const damaged = { code: 'list-damaged', text: new RegExp(`^${file}, .* is damaged`) };
  t.match(await onlyFinding(home), { exit: 0, ...damaged, command: 'nodecluster ls' });
  writeFileSync(`${file}.copy`, 'x');
  t.match(await onlyFinding(home), { exit: 7, ...damaged, command: `ls -l ${file}*` });
  t.equal(readFileSync(file, 'utf8'), 'x', 'it stays where it is');
  writeFileSync(file, before);
  t.same(findingsIn((await home.ok(['doctor', '--json'])).stdout), []);
});

const isRoot = process.getuid?.() === 0;
t.test('files that it may not use', { skip: isRoot && 'root may use all' }, async (t) => {
  const home = testHome(t);
  await home.startApi();
  const names = ['desired.json', 'logs', 'primaries', 'primaries/1', 'audit.log', 'daemon.log'];
  for (const name of names) {
    const file = join(home.home, name);
    const { mode } = statSync(file);
    chmodSync(file, 0);
    const line = `chmod u+rwX ${file} || ls -ld ${file}`;
    t.match(await onlyFinding(home), { exit: 7, command: line }, name);
    chmodSync(file, mode);
  }
});

t.test('a daemon that is stopped is left alone', async (t) => {
  const home = testHome(t);
  await home.startApi();
  const { pid } = (await home.list()).daemon;
  process.kill(pid, 'SIGSTOP');
  t.teardown(() => process.kill(pid, 'SIGCONT'));
  const silent = { exit: 8, code: 'E_DAEMON_SILENT', command: `kill -9 ${pid} && nodecluster ls` };
  t.match(await onlyFinding(home), silent);
  process.kill(pid, 'SIGCONT');
  t.equal((await home.list()).daemon.pid, pid);
});

t.test('a daemon and a primary that were killed together', async (t) => {
  const home = testHome(t);
  await home.startApi();
  const { daemon, apps } = await home.list();
  process.kill(daemon.pid, 'SIGSTOP');
  process.kill(apps[0].primaryPid, 'SIGKILL');
  process.kill(daemon.pid, 'SIGKILL');
  const down = { exit: 5, code: 'apps-down', command: 'nodecluster ls' };
  await until(async () => (await onlyFinding(home)).code, 'both to have exited');
  t.match(await onlyFinding(home), { ...down, text: /nothing starts api/ });
});

t.test('a service whose Node is gone, and that no daemon has recorded', async (t) => {
  const home = testHome(t);
  const env = { XDG_CONFIG_HOME: join(home.root, 'config') };
  const flags = ['systemd', '--user', '--print', '--json'];
  const { stdout } = await home.ok(['startup', ...flags], { env });
  const [{ path, text: unit }] = JSON.parse(stdout).files;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, unit);
  const here = process.platform === 'linux' ? onlyFinding : null;
  t.match(await here?.(home, env), { exit: 0 });
  writeFileSync(path, unit.replaceAll(NODE, join(home.root, 'gone/bin/node')));
  const text = `(${path}) points to ${join(home.root, 'gone/bin/node')}, which does not exist`;
  const command = 'nodecluster startup --user';
  t.match(await here?.(home, env), { exit: 7, text, command });
});

t.test('which programs a service starts', async (t) => {
  const place = { uid: 1000, userHome: '/home/me', configHome: '/home/me/.config' };
  const programs = (initSystem, directory) => {
    const [node, cli] = [`${directory}/bin/node`, `${directory}/bin/nodecluster.js`];
    const env = { PATH: `${directory}/bin:/usr/bin` };
    const lists = { sockets: [], credentials: [] };
    const owner = { user: 'me', home: '/home/me/.nodecluster', scope: 'system' };
    const service = { name: 'nodecluster', ...owner, node, cli, env, ...lists };
    return programsIn(initSystems[initSystem].installation(service, place).units[0].text);
  };
  for (const initSystem of ['systemd', 'launchd', 'openrc']) {
    for (const directory of ['/opt/node', '/opt/my node']) {
      const expected = [`${directory}/bin/node`, `${directory}/bin/nodecluster.js`];
      t.same(programs(initSystem, directory).sort(), expected, `${initSystem}: ${directory}`);
    }
    t.same(programs(initSystem, '/opt/50% & $x'), [], `${initSystem}: not known`);
  }
});

const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };
t.test('an app that has reached its file descriptors', LINUX, async (t) => {
  const home = testHome(t);
  const script = join(home.root, 'full.cjs');
  const code = `
    const files = [];
    try {
      for (;;) files.push(require('fs').openSync('/dev/null'));
    } catch {}
    setInterval(() => {}, 1000);
  `;
  writeFileSync(script, code);
  await home.startDaemon();
  t.match(await onlyFinding(home), { exit: 0 });
  const { pid } = (await home.list()).daemon;
  execFileSync('prlimit', ['--nofile=256', '--pid', String(pid)]);
  await home.ok(['start', script, '--name', 'api']);
  const [{ primaryPid }] = (await home.list()).apps;
  const line = new RegExp(`prlimit --nofile=65536 --pid ${primaryPid} && nodecluster reload api`);
  t.match(await onlyFinding(home), { exit: 7, code: 'limit-reached', command: line });
});

const home = '/home/me/.nodecluster';
const daemonOf = (version, node) => ({ ...{ pid: 7, startedAt: 0, root: '' }, version, node });
const own = { version: '2.0.0', node: 'v24.1.0', uid: 1000 };
const fine = {
  ...{ own, home, fault: null, damaged: null, closed: [] },
  ...{ down: [], exhausted: [], disks: [], missing: [] },
  daemon: daemonOf('2.0.0', 'v24.1.0'),
};
const old = daemonOf('1.9.0', 'v24.1.0');
const missing = { by: '/etc/systemd/system/a.service', isOfUser: false, file: '/opt/node' };
const fault = (code, data) => ({ daemon: null, fault: new NodeclusterError(code, data) });
const full = { directory: '/var x', hasInodes: true, text: '/var x (ext4, 0B of 1G free)' };
const foreign = { directory: home, owner: 1001, uid: 0 };
const reason = 'EACCES';
const desired = `${home}/desired.json`;

const NEWER = 'warning daemon-version 7 which -a nodecluster node #';

/** Facts, and the findings: severity, code, exit code, line to type; `#`: with a word of advice. */
const rows = [
  [{}],
  [{ daemon: null }],
  [{ closed: ['/h', '/x y'] }, "error home-closed 7 chmod u+rwX /h '/x y' || ls -ld /h '/x y'"],
  [{ daemon: old }, 'warning daemon-version 7 nodecluster update'],
  [{ daemon: daemonOf('2.10.0', 'v24.1.0') }, NEWER],
  [{ daemon: daemonOf('2.0.0', 'v26.0.0') }, NEWER],
  [{ disks: [full] }, "error disk-full 7 du -k -x -d 3 '/var x' | sort -n | tail"],
  [{ missing: [missing] }, 'error service-broken 7 nodecluster startup'],
  [{ down: ['api'], daemon: null }, 'error apps-down 5 nodecluster ls'],
  ...Object.entries({
    "E_HOME_OPEN 7 chmod 700 '/h x'": { directory: '/h x' },
    'E_HOME_FOREIGN 7 sudo chown -R 1000 /h #': { directory: '/h', owner: 0, uid: 1000 },
    [`E_HOME_FOREIGN 7 sudo -u '#1001' env NODECLUSTER_HOME=${home} nodecluster doctor`]: foreign,
    [`E_HOME_READ 7 chmod u+rwX ${desired} || ls -ld ${desired}`]: { file: desired, reason },
    'E_HOME_UNUSABLE 7 ls -ld / /h #': { directory: '/h' },
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
  const texts = found.map(({ text }) => text);
  t.match(texts, [
    'User 1000 may not use /x, which nodecluster needs.',
    /is damaged, and its copy is damaged or missing too\. The next daemon knows only apps that still run/,
    'The service that starts the daemon at boot (/etc/systemd/system/a.service) points to /opt/node, which does not exist.',
  ]);
});

t.test('no line has a placeholder, which a shell would take for a redirection', async (t) => {
  const found = rows.flatMap(([facts]) => findingsOf({ ...fine, ...facts }));
  const wrong = found.filter(({ command }) => /[<>]/.test(command));
  t.same(wrong, []);
});

const room = { bsize: 4096, blocks: 16_384, bavail: 8000, files: 100, ffree: 50 };
t.test('what is full', async (t) => {
  for (const [what, stats, expected] of [
    ['room', room, null],
    ['no room', { ...room, bavail: 0 }, '/var/log (0B of 64M free)'],
    ['hardly any', { ...room, bavail: 3 }, '/var/log (12K of 64M free)'],
    ['a small one that is empty', { ...room, blocks: 1, bavail: 1 }, null],
    ['no inode', { ...room, ffree: 0 }, '/var/log (no inode of 100 free)'],
    ['a file system without inodes', { ...room, files: 0, ffree: 0 }, null],
    ['a file system without blocks, such as /proc', { ...room, blocks: 0, bavail: 0 }, null],
  ])
    t.equal(describeFull('/var/log', stats), expected, what);
});
