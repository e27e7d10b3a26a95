/** `startup` and `unstartup` up to the point where they would change this machine. */
import t from 'tap';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installService, removeService } from '../../../src/cli/actions/service/install.js';
import { checkSudo } from '../../../src/cli/actions/service/sudo.js';
import { commandWith } from '../fake-context.js';

/** @param {import('tap').Test} t @param {string} line */
async function typed(t, line) {
  t.intercept(process, 'geteuid', { value: () => 1000 });
  const command = await commandWith(line, { env: { PATH: '/usr/bin' } });
  const code = await command.run();
  return { code, ...command };
}

t.test('--json has the files, the name of the service and what root must type', async (t) => {
  const startup = await typed(t, 'startup systemd --socket 3000 --json');
  t.equal(startup.code, 7);
  const asked = JSON.parse(startup.printed.join('\n'));
  t.match(asked, { service: /^nodecluster-/, installed: false });
  t.match(asked.command, / startup systemd --user \S+ --socket 3000$/);
  t.match(
    asked.files.map(({ path }) => path),
    [/nodecluster-\S+\.service$/, /nodecluster-\S+\.socket$/],
  );
  t.same(Object.keys(asked.files[0]), ['path', 'text']);

  const printed = await typed(t, 'startup systemd --print --json');
  t.equal(printed.code, 0);
  t.match(JSON.parse(printed.printed.join('\n')), { files: [{ text: /^ExecStart=/m }] });

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

t.test('a socket unit, also one of an earlier startup', async (t) => {
  const root = t.testdir();
  const log = path.join(root, 'ran');
  const did = (/** @type {string} */ what) => ['/bin/sh', '-c', `echo ${what} >> ${log}`];
  /** @type {import('../../../src/boot/service.js').Installation} */
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
