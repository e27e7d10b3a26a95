/** For whom `startup` installs what, and the one command that it prints to others than root. */
import t from 'tap';
import { planService } from '../../src/cli/service/plan.js';
import { ownAccount } from '../../src/shared/processes/account.js';

const own = ownAccount();
const ownHome = `${own.home}/.nodecluster`;

/** @param {import('tap').Test} t @param {number} euid of the process */
function planAs(t, euid, { words = ['systemd'], options = {}, env = {}, home = ownHome } = {}) {
  t.intercept(process, 'geteuid', { value: () => euid });
  const context = { command: 'startup', words, options, daemons: { home } };
  return planService(/** @type {any} */ ({ ...context, env: { PATH: '/usr/bin', ...env } }));
}

t.test('root installs for itself, or for the user that it names', async (t) => {
  const { rootCommand, service, installation } = planAs(t, 0);
  t.equal(rootCommand, null);
  t.match(service, { name: `nodecluster-${own.name}`, user: own.name, home: ownHome });
  t.match(installation.files[0].path, '/etc/systemd/system/nodecluster-');
  t.equal(planAs(t, 0, { options: { user: own.name } }).service.home, ownHome);
  const pm2 = { user: own.name, hp: '/home/me' };
  t.equal(planAs(t, 0, { options: pm2 }).service.home, '/home/me/.nodecluster');
  t.throws(() => planAs(t, 0, { options: { user: 'no such user' } }), { code: 'E_USER_UNKNOWN' });
});

t.test('another user gets the command, with everything that sudo would drop', async (t) => {
  const env = { TZ: 'Europe/Berlin', NODECLUSTER_HOME: '/srv/my apps' };
  const { rootCommand } = planAs(t, 1000, { env, home: '/srv/my apps' });
  t.match(
    rootCommand,
    /^sudo env PATH=\S*\/usr\/bin\S* TZ=Europe\/Berlin 'NODECLUSTER_HOME=\/srv\/my apps' /,
  );
  t.match(rootCommand, ` ${process.execPath} `);
  t.match(rootCommand, /bin\/nodecluster\.js startup systemd --user \S+$/);
});

t.test('a unit of the user needs no root', async (t) => {
  const { rootCommand, service, installation } = planAs(t, 1000, { options: { user: true } });
  t.equal(rootCommand, null);
  t.match(service, { name: 'nodecluster', scope: 'user' });
  t.match(installation.files[0].path, '/.config/systemd/user/nodecluster.service');
  const elsewhere = { options: { user: true }, env: { XDG_CONFIG_HOME: '/srv/config' } };
  t.match(planAs(t, 1000, elsewhere).installation.files[0].path, /^\/srv\/config\/systemd\/user/);
});

t.test("a platform may have PM2's name for it", async (t) => {
  const names = [
    ['ubuntu', 'systemd'],
    ['debian', 'systemd'],
    ['gentoo', 'openrc'],
    ['darwin', 'launchd'],
  ];
  for (const [word, initSystem] of names)
    t.equal(planAs(t, 0, { words: [word] }).initSystem, initSystem);
});

t.test('what is not supported', async (t) => {
  const wrong = (words, options = {}) =>
    t.throws(() => planAs(t, 0, { words, options }), { code: 'E_USAGE' });
  wrong(['upstart']);
  wrong(['openrc'], { user: true });
});

t.test('--socket needs systemd and an address, and root gets it too', async (t) => {
  const options = { socket: ['3000', '127.0.0.1:3001'] };
  const { rootCommand, service } = planAs(t, 1000, { options });
  t.match(rootCommand, / --socket 3000 --socket 127\.0\.0\.1:3001$/);
  t.same(service.sockets, options.socket);
  t.throws(() => planAs(t, 0, { options, words: ['openrc'] }), { code: 'E_USAGE' });
  t.throws(() => planAs(t, 0, { options: { socket: ['/run/a.sock'] } }), { code: 'E_USAGE' });
});
