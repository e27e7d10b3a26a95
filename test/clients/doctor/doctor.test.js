/** Faults that are planted on this machine, each in a home of its own. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { installationOf } from '../../../src/boot/installation.js';
import { programsIn } from '../../../src/clients/doctor/gather.js';
import { NODE, app, testHome } from '../../support/home.js';
import { listening } from '../../support/listening.js';
import { until } from '../../support/until.js';

/** What the machine that runs the tests may have. */
const OF_MACHINE = ['node-end-of-life', 'disk-full'];

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

t.test('a port that another process has', async (t) => {
  const home = testHome(t);
  const port = await listening(t, createServer(), { port: 0 });
  const text = `api cannot listen on port ${port}: it is in use by pid ${process.pid}`;
  const env = { PORT: String(port) };
  await home.run(['start', app('http-pid.cjs'), '--name', 'api'], { env });
  t.match(await onlyFinding(home), { exit: 5, text });
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
    return programsIn(installationOf(initSystem, service, place).files[0].text);
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
