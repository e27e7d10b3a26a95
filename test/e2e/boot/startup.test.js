/** What starts by itself: the service that `startup` writes, and what is saved without a command. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import t from 'tap';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { NODE, app, testHome, watched } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { isRunning, killAll } from '../../support/processes.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { noNotifySocket, notifySocket, readUnit } from '../../support/systemd.js';
import { until } from '../../support/until.js';

t.test('the unit starts what ran, and nothing else', { skip: noNotifySocket }, async (t) => {
  const { root, home, env, ok, run, list } = testHome(t);
  const PORT = String(await freePort());
  await ok(['start', app('http-pid.cjs'), '--name', 'web'], { env: { PORT } });
  await ok(['start', app('http-pid.cjs'), '--name', 'off', '--set-env', 'PORT=0']);
  await ok(['stop', 'off']);
  const before = await list();
  const [{ primaryPid }] = before.apps;

  const { stdout, stderr } = await ok(['startup', 'systemd', '--print']);
  t.match(stderr, /\/nodecluster-\S+\.service\.$/m, 'it says where the unit belongs');
  const unit = readUnit(stdout);
  t.match(unit.env, { NODECLUSTER_HOME: home, PATH: String });
  const NOTIFY_SOCKET = `${root}/notify`;
  const systemd = await notifySocket(t, NOTIFY_SOCKET);
  const [program, ...args] = unit.command;
  const begin = (given) => {
    const service = { ...unit.env, HOME: env.HOME, NOTIFY_SOCKET, WATCHDOG_USEC: '30000000' };
    return watched(spawnClean(program, given, { env: service, cwd: '/' }), 'the service');
  };

  for (const pid of [before.daemon.pid, primaryPid]) process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(primaryPid), 'the primary to be killed');
  const service = begin(args);
  await until(() => systemd.count('READY=1') === 1, 'READY=1');
  t.ok(await ask(Number(PORT)), 'ready means that the apps have been started');
  const after = await list();
  t.equal(after.daemon.pid, service.child.pid, 'the main process is the daemon');
  t.same(
    after.apps.map(({ name, status }) => [name, status]),
    [
      ['web', 'online'],
      ['off', 'stopped'],
    ],
  );
  t.match(await ok(['kill']), { stdout: /The service starts another daemon\./ });
  await service.ended;
  t.equal((await run(['ping'])).code, 8);

  const node = `${root}/node`;
  symlinkSync(NODE, node);
  const pinned = args.map((word) => (word === NODE ? node : word));
  const again = begin(pinned);
  await until(() => systemd.count('READY=1') === 2, 'READY=1 with another path of Node');
  again.child.kill('SIGTERM');
  await once(again.child, 'exit');
  unlinkSync(node);
  t.match(await begin(pinned).ended, {
    code: 78,
    stderr: `<3>nodecluster cannot start: ${node} does not exist. Run nodecluster startup again with the Node to use.\n`,
  });
});

t.test('what a reboot leaves', async (t) => {
  const { root, home, ok, run, list, appNamed } = testHome(t);
  const env = { PORT: String(await freePort()), SHELL_SECRET: 's3cret' };
  const words =
    '-i 2 --scheduling sticky --cron @yearly --max-memory-restart 900M --kill-timeout 3s';
  const more = ['--set-env', 'QUOTED=a\'b"c\n#: x', '--', '--flag', 'b c', '$HOME'];
  const start = ['start', app('http-pid.cjs'), '--name', 'web', ...words.split(' '), ...more];
  await ok(start, { env });
  await ok(['start', app('http-pid.cjs'), '--name', 'off', '--set-env', 'PORT=0']);
  await ok(['stop', 'off']);

  t.match(await ok(['save', '--force']), { stdout: /^Every change is saved/ });
  await ok(['init', '--from-running', 'apps.yml']);
  const written = readFileSync(`${root}/apps.yml`, 'utf8');
  t.match(written, /name: web/);
  t.match(written, /Left out, because they are stopped: off/);
  t.notMatch(written, 's3cret');
  const { apps: running } = await list();
  const { plan } = JSON.parse((await ok(['apply', 'apps.yml', '--json'])).stdout);
  t.match(plan, [{ app: 'web', action: 'none', changes: [] }], 'the file says what runs');
  t.same((await list()).apps[0].workers[0].pid, running[0].workers[0].pid);
  const own = await ok(['init', app('http-pid.cjs')]);
  t.match(own.stdout, /Wrote .*ecosystem\.yml\.\nCheck it/, 'nothing of that name runs here');
  t.equal((await run(['init', '--from-running', 'apps.json'])).code, 2);
  t.match(await run(['init', '--from-running', 'apps.yml']), { code: 6, stderr: /--force/ });
  await ok(['init', '--from-running', 'apps.yml', '--force']);
  const { stdout } = await ok(['init', '--from-running', '-']);
  t.equal(stdout.replaceAll('ecosystem.yml', 'apps.yml'), written);

  // Not between the two: the daemon replaces a file that is missing.
  const daemon = daemonPid(home);
  process.kill(daemon, 'SIGSTOP');
  rmSync(`${home}/desired.json`);
  mkdirSync(`${home}/desired.json`);
  process.kill(daemon, 'SIGCONT');
  t.match(await run(['scale', 'web', '2']), { code: 5, stderr: /E_HOME_WRITE/ });
  rmSync(`${home}/desired.json`, { recursive: true });
  await ok(['scale', 'web', '2']);

  await killAll(root);
  const { stderr } = await ok(['ls']);
  t.match(stderr, 'it adopts or starts web.', 'nothing runs that could be taken over');
  await ok(['resurrect']);
  t.ok(await ask(Number(env.PORT)));
  t.equal((await appNamed('off')).status, 'stopped');

  await ok(['stop', 'web']);
  t.match(await ok(['resurrect']), { stderr: /every app was stopped with `stop`/ });
  await ok(['delete', 'all']);
  t.match(await run(['resurrect']), { code: 4, stderr: /has no apps\./ }, 'save made no snapshot');
});
