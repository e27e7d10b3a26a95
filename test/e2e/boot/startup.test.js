/** The service that `startup` writes: its own command and environment, started as systemd does. */
import t from 'tap';
import { once } from 'node:events';
import { symlinkSync, unlinkSync } from 'node:fs';
import { NODE, app, testHome, watched } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { noNotifySocket, notifySocket } from '../../support/systemd/notify-socket.js';
import { freePort } from '../../support/ports.js';
import { isRunning } from '../../support/processes.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { readUnit } from '../../support/systemd/unit.js';
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
  const { stderr: said } = await ok(['ls']);
  t.match(said, /^The service of these apps does not run, .* repeat `nodecluster startup`\.$/m);
});
