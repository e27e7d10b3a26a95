/** Apps that scale themselves, by load and by the cores that a cgroup allows: real workers. */
import t from 'tap';
import { existsSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../../../src/errors/error.js';
import { app as fixture } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { until } from '../../support/until.js';
import { daemonUnderTest, killNow, webSpec } from '../daemon-under-test.js';

const PERIOD_US = 100_000;
const ROOT = '/sys/fs/cgroup';

/** @returns null: this test may not make one */
function makeCpuCgroup(t) {
  const directory = attempt(() => mkdtempSync(join(ROOT, 'nodecluster-test-')), null);
  if (directory === null) return null;
  const remove = () => existsSync(directory) && rmdirSync(directory);
  t.teardown(remove);
  if (!existsSync(join(directory, 'cpu.max'))) return null;
  const write = (name, text) => writeFileSync(join(directory, name), text);
  return {
    add: (pid) => write('cgroup.procs', String(pid)),
    limit: (cores) => write('cpu.max', `${cores * PERIOD_US} ${PERIOD_US}`),
    remove,
  };
}

const online = (daemon, count) =>
  until(async () => {
    const { workers = [], busy } = (await daemon.view('web')) ?? {};
    const isOnline = workers.every(({ status }) => status === 'online');
    return isOnline && !busy && workers.length === count && workers;
  }, `${count} workers`);

async function detailsOf(daemon) {
  return (await daemon.ask('list', { selectors: ['web'], fields: ['details'] })).apps[0];
}

t.test(
  'real workers: more under load, the same after a crash, fewer when it is over',
  async (t) => {
    const daemon = daemonUnderTest(t);
    const { pid } = await daemon.start();
    const file = join(daemon.root, 'load');
    const load = (percent) => writeFileSync(file, String(percent));
    load(20);
    const spec = await webSpec({
      script: fixture('busy-on-demand.cjs'),
      instances: { min: 1, max: 3, elu: 0.12, cooldownMs: 2500 },
      minUptimeMs: 50,
    });
    spec.env.LOAD = file;
    await daemon.ask('start', { specs: [spec] });
    const [first] = (await daemon.view('web')).workers;
    await online(daemon, 3);
    const { autoscaling } = await daemon.view('web');
    t.match(autoscaling, { min: 1, max: 3, lastChange: { to: 3, reason: /^event loops were/ } });
    const tooMany = daemon.ask('scale', { selector: 'web', instances: 4 });
    await t.rejects(tooMany, { code: 'E_SCALE_RANGE' });

    killNow(pid);
    await until(() => daemon.view('web').then((view) => view.primaryPid !== undefined), 'a daemon');
    await daemon.ask('reload', { selectors: ['web'] });
    t.equal((await daemon.view('web')).workers.length, 3, 'a reload keeps the number');
    const port = Number(spec.env.PORT);
    const requests = startLoad(t, { port, keepAlive: false, clients: 1, thinkMs: 300 });
    load(0);
    const [last] = await online(daemon, 1);
    t.equal(last.slot, first.slot);
    await requests.answers(5);
    t.same((await requests.stop()).failures, []);
    await daemon.logged(/"autoscaling.changed".*"to":1,"reason":"load was low for 2s"/);
    const by = '"by":{"role":"autoscaling"';
    await daemon.logged(new RegExp(`"action.ended".*"action":"scale",${by}`));
    t.match(await detailsOf(daemon), { instances: 1, spec: { instances: { min: 1, max: 3 } } });
  },
);

t.test('the CPU limit of a cgroup is heeded, and followed while it changes', async (t) => {
  if (availableParallelism() < 2) return t.skip('needs two cores');
  const daemon = daemonUnderTest(t);
  const cgroup = makeCpuCgroup(t);
  if (cgroup === null) return t.skip('needs a cgroup that it may make');
  const { pid } = await daemon.start();
  cgroup.limit(2);
  cgroup.add(Number(pid));
  await daemon.ask('start', { specs: [await webSpec({ instances: 0, minUptimeMs: 50 })] });
  const [first] = await online(daemon, 2);

  cgroup.limit(1);
  const [last] = await online(daemon, 1);
  t.equal(last.pid, first.pid, 'the first worker stayed');
  await daemon.logged(
    /"autoscaling.changed".*"app":"web",.*"to":1,"reason":"1 core is available now"/,
  );

  cgroup.limit(1.5);
  await daemon.ask('reload', { selectors: ['web'] });
  t.equal((await daemon.view('web')).workers.length, 1, 'a limit is rounded down');

  cgroup.limit(2);
  await online(daemon, 2);
  t.match(await detailsOf(daemon), { instances: 2, spec: { instances: 0 } });

  await daemon.ask('scale', { selector: 'web', instances: '1' });
  const given = { instances: 'scaled' };
  t.match(await detailsOf(daemon), { instances: 1, spec: { instances: 1, given } });
  await daemon.ask('scale', { selector: 'web', instances: 'max' });
  await online(daemon, 2);
  await daemon.ask('kill');
  const isRemoved = () => attempt(() => (cgroup.remove(), true), false);
  await until(isRemoved, 'every process to leave the cgroup');
});
