import t from 'tap';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installService, removeService } from '../../../src/clients/startup/install.js';
import { assertUserIsNamed, planService } from '../../../src/clients/startup/plan.js';
import { ownAccount } from '../../../src/shared/processes/account.js';
import { commandWith } from '../../cli/fake-context.js';

async function typed(t, line) {
  t.intercept(process, 'geteuid', { value: () => 1000 });
  const command = await commandWith(line, { env: { PATH: '/usr/bin' } });
  const code = await command.run();
  return { code, ...command };
}

t.test('--json has the files, the name of the service and what root must type', async (t) => {
  const startup = await typed(t, 'startup systemd --socket 3000 --print --json');
  const asked = JSON.parse(startup.printed.join('\n'));
  t.match(asked, { service: /^nodecluster-/, installed: false });
  t.match(asked.command, / startup systemd --user \S+ --socket 3000$/);
  const paths = asked.files.map(({ path }) => path);
  t.match(paths, [/nodecluster-\S+\.service$/, /nodecluster-\S+\.socket$/]);
  t.match(asked.files[0].text, /^ExecStart=/m);

  const unstartup = await typed(t, 'unstartup systemd --json');
  t.equal(unstartup.code, 7);
  t.match(JSON.parse(unstartup.printed.join('\n')), {
    service: asked.service,
    removed: [],
    command: / unstartup systemd --user \S+$/,
  });
});

t.test('with sudo, the user has to be named', async (t) => {
  const ask = (euid, env, options = {}) => {
    t.intercept(process, 'geteuid', { value: () => euid });
    assertUserIsNamed({ command: 'startup', options, env });
  };
  const withSudo = { SUDO_USER: 'deploy' };
  const unnamed = { code: 'E_USAGE', message: /with sudo, .*--user deploy, or --user root/ };
  t.throws(() => ask(0, withSudo), unnamed);
  t.throws(() => ask(0, withSudo, { user: true }), unnamed, "it would be root's own manager");
  ask(0, withSudo, { user: 'root' });
  ask(0, withSudo, { user: 'deploy' });
  ask(1000, withSudo, { user: true });
  ask(0, { SUDO_USER: 'root' });
  ask(0, {});
});

t.test('without the init system nothing is installed, and --print prints', async (t) => {
  const other = process.platform === 'darwin' ? 'openrc' : 'launchd';
  const missing = { code: 'E_NO_INIT_SYSTEM', data: { initSystem: other } };
  await t.rejects(typed(t, `startup ${other}`), missing);
  const data = { user: 'root', atBoot: / NODECLUSTER_HOME=\/srv\/app\/\.nodecluster / };
  const named = typed(t, `startup ${other} --user root --hp /srv/app`);
  await t.rejects(named, { data, hint: /`crontab -u root -e`/ });
  const { code, printed } = await typed(t, 'startup --print');
  t.equal(code, 0);
  t.match(printed.join('\n'), /Written by `nodecluster startup`/);
});

const sh = (line) => ['/bin/sh', '-c', line];

/** A service and its socket unit, whose commands write to a log. */
function unitsIn(root, { text = '', socketText = null, ...commands } = {}) {
  const [service, socket, log] = ['units/a.service', 'units/a.socket', 'ran'].map((name) =>
    path.join(root, name),
  );
  const did = (what) => [sh(`echo ${what} >> ${log}`)];
  const units = [
    { path: service, text, activate: did('activate'), deactivate: did('deactivate'), ...commands },
    { path: socket, text: socketText, activate: did('open'), deactivate: did('close') },
  ];
  const installation = { units, forget: did('forget'), status: '', log: '' };
  const steps = () => readFileSync(log, 'utf8').replaceAll('\n', ' ').trim();
  return { installation, service, socket, steps, directory: path.dirname(service) };
}

t.test('a startup that fails leaves what was there; unstartup removes its files', async (t) => {
  const fail = [sh('exit 1')];
  const given = { text: 'new', socketText: 'new', activate: fail, deactivate: fail };
  const { installation, service, steps, directory } = unitsIn(t.testdir(), given);
  const fails = { code: 'E_SERVICE', message: /exit 1/ };
  await t.rejects(installService(installation), fails);
  t.same(readdirSync(directory), []);
  writeFileSync(service, 'old');
  await t.rejects(installService(installation), fails);
  t.same(readdirSync(directory), ['a.service']);
  t.equal(readFileSync(service, 'utf8'), 'old');
  t.equal(steps(), 'open close forget open close forget');

  await t.rejects(removeService(installation), fails, 'it may still run');
  await removeService(installation, { ignoreFailures: true });
  t.same(readdirSync(directory), []);
  mkdirSync(service);
  const stays = removeService(installation, { ignoreFailures: true });
  await t.rejects(stays, { code: 'E_FILE_UNWRITABLE', message: /^Could not remove .*a\.service/ });
});

t.test('a socket unit, also one of an earlier startup', async (t) => {
  const { installation, service, socket, steps, directory } = unitsIn(t.testdir());
  const free = path.join(directory, 'free');
  installation.units[1].check = ['test', '-e', free];
  t.equal(await installService(installation), true);
  writeFileSync(socket, 'earlier');
  t.equal(await installService(installation), false, 'the ports are in use');
  writeFileSync(free, '');
  t.equal(await installService(installation), true);
  t.equal(readFileSync(socket, 'utf8'), 'earlier');
  t.same(await removeService(installation), [service, socket]);
  t.same(await removeService(installation), []);
  t.equal(steps(), 'activate open activate open activate close deactivate forget');
});

const own = ownAccount();
const ownHome = `${own.home}/.nodecluster`;

function planAs(t, euid, { words = ['systemd'], options = {}, env = {}, home = ownHome } = {}) {
  t.intercept(process, 'geteuid', { value: () => euid });
  const context = { command: 'startup', words, options, daemons: { home } };
  return planService({ ...context, env: { PATH: '/usr/bin', ...env } });
}

t.test('root installs for itself, or for the user that it names', async (t) => {
  const { rootCommand, service, installation } = planAs(t, 0);
  t.equal(rootCommand, null);
  t.match(service, { name: `nodecluster-${own.name}`, user: own.name, home: ownHome });
  t.match(installation.units[0].path, '/etc/systemd/system/nodecluster-');
  t.equal(planAs(t, 0, { options: { user: own.name } }).service.home, ownHome);
  const pm2 = { user: own.name, hp: '/home/me' };
  t.equal(planAs(t, 0, { options: pm2 }).service.home, '/home/me/.nodecluster');
  t.throws(() => planAs(t, 0, { options: { user: 'no such user' } }), { code: 'E_USER_UNKNOWN' });
});

t.test('another user gets the command, with everything that sudo would drop', async (t) => {
  const env = { TZ: 'Europe/Berlin', NODECLUSTER_HOME: '/srv/my apps' };
  const { rootCommand } = planAs(t, 1000, { env, home: '/srv/my apps' });
  const kept =
    /^sudo env PATH=\S*\/usr\/bin\S* TZ=Europe\/Berlin 'NODECLUSTER_HOME=\/srv\/my apps' /;
  t.match(rootCommand, kept);
  t.match(rootCommand, ` ${process.execPath} `);
  t.match(rootCommand, /bin\/nodecluster\.js startup systemd --user \S+$/);
});

t.test('a unit of the user needs no root', async (t) => {
  const { rootCommand, service, installation } = planAs(t, 1000, { options: { user: true } });
  t.equal(rootCommand, null);
  t.match(service, { name: 'nodecluster', scope: 'user' });
  t.match(installation.units[0].path, '/.config/systemd/user/nodecluster.service');
  const elsewhere = { options: { user: true }, env: { XDG_CONFIG_HOME: '/srv/config' } };
  t.match(planAs(t, 1000, elsewhere).installation.units[0].path, /^\/srv\/config\/systemd\/user/);
});

t.test("platforms, also by PM2's names, and what they do not have", async (t) => {
  const platforms = { ubuntu: 'systemd', gentoo: 'openrc', darwin: 'launchd' };
  for (const [word, initSystem] of Object.entries(platforms))
    t.equal(planAs(t, 0, { words: [word] }).initSystem, initSystem);
  const options = { socket: ['3000', '127.0.0.1:3001'] };
  const { rootCommand, service } = planAs(t, 1000, { options });
  t.match(rootCommand, / --socket 3000 --socket 127\.0\.0\.1:3001$/);
  t.same(service.sockets, options.socket);
  for (const wrong of [
    { words: ['upstart'] },
    { words: ['openrc'], options: { user: true } },
    { words: ['openrc'], options },
    { options: { socket: ['/run/a.sock'] } },
  ]) {
    t.throws(() => planAs(t, 0, wrong), { code: 'E_USAGE' });
  }
});
