/** A daemon that a primary started, and that takes the lock when `kill` has ended the home. */
import t from 'tap';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isDaemonNeeded } from '../../../src/daemon/run.js';
import { ensureHome } from '../../../src/shared/home.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { killNow, startedDaemon, webSpec } from '../daemon-under-test.js';

t.test('it leaves nothing behind, and stays where an app should run', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  await daemon.ask('kill');
  await until(() => processesOf(daemon.root).length === 0, 'everything to end');
  const sockets = readdirSync(daemon.home).filter((name) => name.endsWith('.sock'));
  t.same(sockets, []);
  t.strictSame(await once(daemon.spawnDaemon({}, 'recovery'), 'exit'), [0, null]);

  await daemon.start();
  await daemon.ask('resurrect');
  const { daemon: first, apps } = await daemon.ask('list');
  for (const pid of [apps[0].primaryPid, first.pid]) killNow(pid);
  await until(() => processesOf(daemon.root).length <= 1, 'both to exit');
  daemon.spawnDaemon({}, 'recovery');
  await until(async () => (await daemon.view('web')).status === 'online', 'the app to be back');
});

t.test('when a home needs a daemon', async (t) => {
  const paths = ensureHome(`${t.testdir()}/home`);
  const own = { ...identify(process.pid), socket: '-' };
  const desired = (...apps) => JSON.stringify({ apps });
  const rows = [
    ['nothing was ever started', null, null, false],
    ['every app is stopped', desired({ stopped: true }, { stopped: true }), null, false],
    ['an app should run', desired({ stopped: true }, { stopped: false }), null, true],
    ['an app is being deleted', desired({ stopped: true, deleting: true }), null, true],
    ['the desired state is damaged', '{"apps": [', null, true],
    ['a primary runs', desired({ stopped: true }), JSON.stringify(own), true],
    ['it has exited', null, JSON.stringify({ ...own, startTime: '1' }), false],
    ['its record is damaged', null, '{', true],
  ];
  const { dir, record } = paths.primary(1);
  mkdirSync(dir);
  for (const [when, state, recorded, expected] of rows) {
    for (const [file, text] of [
      [paths.desired, state],
      [record, recorded],
    ]) {
      if (text === null) rmSync(file, { force: true });
      else writeFileSync(file, text);
    }
    t.equal(isDaemonNeeded(paths), expected, when);
  }
});
