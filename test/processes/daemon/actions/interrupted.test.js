/** Commands whose daemon or primary is killed in the middle: finished or undone, nothing in between. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { isRunning, processesOf } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import {
  daemonUnderTest,
  gated,
  killNow,
  startedDaemon,
  webSpec,
} from '../../daemon-under-test.js';

/** Starts specs and stops the daemon, so that the next one reads a changed desired.json. */
async function betweenDaemons(t, specs) {
  const daemon = await startedDaemon(t, specs);
  const { child: first } = daemon;
  const { apps } = await daemon.ask('list');
  // Not killed: its primary would start the next one before the file is changed.
  for (const { primaryPid } of apps) process.kill(primaryPid, 'SIGSTOP');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const next = (change) => {
    const written = JSON.parse(daemon.desired());
    change(written.apps[0]);
    writeFileSync(daemon.paths.desired, JSON.stringify(written));
    for (const { primaryPid } of apps) process.kill(primaryPid, 'SIGCONT');
    daemon.spawnDaemon();
  };
  return { ...daemon, next, apps };
}

t.test('a deletion that had begun is completed by the next daemon', async (t) => {
  const home = await betweenDaemons(t, [
    await webSpec({ scheduling: 'round-robin' }),
    await webSpec({ name: 'other' }),
  ]);
  home.next((web) => Object.assign(web, { stopped: true, deleting: true }));
  await until(async () => !(await home.view('web')), 'the app to be deleted');
  t.match(JSON.parse(home.desired()).apps, [{ spec: { name: 'other' } }]);
  await until(() => !isRunning(home.apps[0].primaryPid), 'its primary to exit');
  await until(async () => (await home.view('other')).status === 'online', 'the other to be found');
});

for (const signal of ['SIGKILL', 'SIGTERM']) {
  t.test(
    `${signal}: a reload that changes the number of workers too is completed by the next daemon`,
    async (t) => {
      const daemon = daemonUnderTest(t);
      const first = await daemon.start();
      const web = await gated(daemon, { instances: 1 });
      await daemon.ask('start', { specs: [web.spec] });
      web.close();
      const spec = { ...web.spec, instances: 2, env: { ...web.spec.env, VERSION: '2' } };
      const client = await daemon.dial();
      const begun = new Promise((resolve) => {
        const onNotification = (_method, { kind }) => kind === 'starting' && resolve();
        const order = { specs: [spec], action: 'apply' };
        client.request('apply', order, { onNotification }).catch(() => {});
      });
      await begun;
      first.kill(signal);
      await once(first, 'exit');
      web.open();
      await until(async () => {
        const { workers, generation, status } = await daemon.view('web');
        const { rollout } = JSON.parse(daemon.desired()).apps[0];
        return status === 'online' && workers.length === 2 && generation === 2 && rollout === null;
      }, 'two workers of the second version');
      t.match(JSON.parse(daemon.desired()).apps, [
        { spec: { instances: 2, env: { VERSION: '2' } }, slots: [0, 1] },
      ]);
      const reason = /The daemon is shutting down and did not finish the command on web/;
      t.equal(reason.test(daemon.log()), signal === 'SIGTERM');
      t.notMatch(daemon.log(), 'nodecluster kill');
    },
  );
}

t.test('a change that fails leaves the number of workers as it was', async (t) => {
  const web = await webSpec({ minUptimeMs: 50 });
  const daemon = await startedDaemon(t, [web]);
  const before = await daemon.view('web');
  const broken = { ...web, instances: 1, script: '/dev/null/none.js' };
  t.match(await daemon.ask('apply', { specs: [broken], action: 'apply' }), {
    apps: [{ ok: false, action: 'reload' }],
  });
  const pids = ({ workers }) => workers.map(({ pid }) => pid);
  t.strictSame(pids(await daemon.view('web')), pids(before));
});

for (const execMode of ['cluster', 'fork']) {
  t.test(`${execMode}: a stop whose primary is killed is completed`, async (t) => {
    const daemon = await startedDaemon(t, [await webSpec({ execMode, instances: 1 })]);
    const { primaryPid } = await daemon.view('web');
    const onNotification = (_method, { kind }) => {
      if (kind === 'draining' || kind === 'stopping') killNow(primaryPid);
    };
    const stopped = await daemon.ask('stop', { selectors: ['web'] }, { onNotification });
    t.match(stopped, { apps: [{ ok: true, done: [0], failed: [] }] });
    t.match(await daemon.view('web'), { status: 'stopped', busy: null, primaryPid: null });
    const { pid } = await daemon.ask('ping');
    // The daemon may not have heard yet that its child has ended, and a shared primary exits when it has no app left.
    const isRest = () => processesOf(daemon.root).filter(isRunning).join() === String(pid);
    await until(isRest, 'only the daemon to run');
  });
}
