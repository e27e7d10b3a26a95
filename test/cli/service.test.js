/** `startup` and `unstartup` up to the point where they would change this machine. */
import t from 'tap';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installService, removeService } from '../../src/cli/service/install.js';
import { checkSudo } from '../../src/cli/service/plan.js';
import { commandWith } from './fake-context.js';

/** @param {import('tap').Test} t @param {string} line */
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
  t.match(
    asked.files.map(({ path }) => path),
    [/nodecluster-\S+\.service$/, /nodecluster-\S+\.socket$/],
  );
  t.match(asked.files[0].text, /^ExecStart=/m);

  const unstartup = await typed(t, 'unstartup systemd --json');
  t.equal(unstartup.code, 7);
  t.match(JSON.parse(unstartup.printed.join('\n')), {
    service: asked.service,
    removed: [],
    command: / unstartup systemd --user \S+$/,
  });
});

t.test('with sudo it is for root, unless only the other user has apps', async (t) => {
  const root = t.testdir();
  const account = { name: 'deploy', uid: 1000, home: path.join(root, 'deploy') };
  const home = path.join(root, 'root', '.nodecluster');
  const ask = (env, options = {}, user = 'root', at = home) => {
    const noted = [];
    const context = { command: 'startup', options, env, note: (text) => noted.push(text) };
    checkSudo(/** @type {any} */ (context), /** @type {any} */ ({ user, home: at }), () => account);
    return noted;
  };
  const withSudo = { SUDO_USER: 'deploy' };
  t.same(ask({}), []);
  t.same(ask({ SUDO_USER: 'root' }), []);
  t.match(ask(withSudo), [/apps of root\. For others: --user deploy/]);
  addApps(path.join(account.home, '.nodecluster'));
  t.throws(() => ask(withSudo), { code: 'E_USAGE', message: /--user deploy, or --user root/ });
  t.throws(
    () => ask(withSudo, { user: true }),
    { code: 'E_USAGE' },
    "it would be root's own manager",
  );
  t.same(ask(withSudo, { user: 'root' }), []);
  t.same(ask(withSudo, { user: 'deploy' }, 'deploy'), []);
  addApps(home);
  t.match(ask(withSudo), [/apps of root/]);
  const kept = path.join(account.home, '.nodecluster');
  t.throws(() => ask(withSudo, {}, 'root', kept), { code: 'E_USAGE' }, 'sudo has kept HOME');
});

t.test('without the init system nothing is installed, and --print prints', async (t) => {
  const other = process.platform === 'darwin' ? 'openrc' : 'launchd';
  await t.rejects(typed(t, `startup ${other}`), {
    code: 'E_NO_INIT_SYSTEM',
    data: { initSystem: other },
  });
  const named = await typed(t, `startup ${other} --user root --hp /srv/app`).catch(
    (error) => error,
  );
  t.match(named, {
    data: { user: 'root', atBoot: / NODECLUSTER_HOME=\/srv\/app\/\.nodecluster / },
    hint: /`crontab -u root -e`/,
  });
  const { code, printed } = await typed(t, 'startup --print');
  t.equal(code, 0);
  t.match(printed.join('\n'), /Written by `nodecluster startup`/);
});

t.test('a startup that fails leaves what was there; unstartup removes its files', async (t) => {
  const root = t.testdir();
  const directory = path.join(root, 'units');
  const log = path.join(root, 'ran');
  const sh = (/** @type {string} */ line) => ['/bin/sh', '-c', line];
  const socketPath = path.join(directory, 'a.socket');
  const installation = (/** @type {string} */ text) => ({
    files: [path.join(directory, 'a.service'), socketPath].map((file) => ({
      path: file,
      text,
      mode: 0o644,
    })),
    activate: [sh('exit 1')],
    deactivate: [sh('exit 1')],
    forget: [sh(`echo forget >> ${log}`)],
    socketUnit: {
      path: socketPath,
      activate: [],
      open: sh('exit 0'),
      giveUp: [],
      deactivate: [sh(`echo close >> ${log}`)],
    },
    status: '',
    log: '',
  });
  const fails = { code: 'E_SERVICE', message: /exit 1/ };
  await t.rejects(installService(installation('new')), fails);
  t.same(readdirSync(directory), []);
  writeFileSync(path.join(directory, 'a.service'), 'old');
  await t.rejects(installService(installation('new')), fails);
  t.same(readdirSync(directory), ['a.service']);
  t.equal(readFileSync(path.join(directory, 'a.service'), 'utf8'), 'old');
  t.equal(readFileSync(log, 'utf8'), 'close\nforget\nclose\nforget\n');

  await t.rejects(removeService(installation('')), fails, 'it may still run');
  await removeService(installation(''), { ignoreFailures: true });
  t.same(readdirSync(directory), []);
});

t.test('a socket unit, also one of an earlier startup', async (t) => {
  const root = t.testdir();
  const log = path.join(root, 'ran');
  const did = (/** @type {string} */ what) => ['/bin/sh', '-c', `echo ${what} >> ${log}`];
  /** @type {import('../../src/boot/service.js').Installation} */
  const installation = {
    files: [{ path: path.join(root, 'a.service'), text: '', mode: 0o644 }],
    activate: [did('activate')],
    deactivate: [did('deactivate')],
    forget: [],
    socketUnit: {
      path: path.join(root, 'a.socket'),
      activate: [did('socket')],
      open: ['/bin/sh', '-c', `test -e ${path.join(root, 'free')}`],
      giveUp: did('giveUp'),
      deactivate: [did('close')],
    },
    status: '',
    log: '',
  };
  t.equal(await installService(installation), true);
  writeFileSync(path.join(root, 'a.socket'), '');
  t.equal(await installService(installation), false, 'the ports are in use');
  writeFileSync(path.join(root, 'free'), '');
  t.equal(await installService(installation), true);
  t.same(await removeService(installation), [
    path.join(root, 'a.service'),
    path.join(root, 'a.socket'),
  ]);
  t.same(await removeService(installation), []);
  t.equal(
    readFileSync(log, 'utf8').replaceAll('\n', ' '),
    'activate socket giveUp activate socket activate close deactivate ',
  );
});

/** @param {string} home */
function addApps(home) {
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'desired.json'), '{}');
}
