import { availableParallelism } from 'node:os';
import t from 'tap';
import { Autoscaler } from '../../../../src/features/autoscaling/daemon.js';
import { makeCpuCgroup } from '../../../support/cpu-cgroup.js';
import { until } from '../../../support/until.js';
import { daemonUnderTest, webSpec } from '../../daemon-under-test.js';

t.test('apps that follow the cores are scaled, unless a command works on them', async (t) => {
  const scaled = [];
  const errors = [];
  let cores = 4;
  const daemon = { log: { info() {}, error: (event) => errors.push(event) } };
  const makeScaler = (name, instances, count, rest = {}) => {
    const app = {
      name,
      spec: { instances },
      slots: Array.from({ length: count }),
      queue: { current: null },
      link: { state: 'connected' },
      ...rest,
    };
    return new Autoscaler(app, daemon, {
      availableCores: () => cores,
      scale: async (_daemon, _app, count, reason) => {
        scaled.push([name, count, reason]);
        if (name === 'fails') throw new Error('failed');
        app.slots = Array.from({ length: count });
      },
    });
  };
  const scalers = [
    makeScaler('all', 0, 4),
    makeScaler('fewer', -1, 3),
    makeScaler('fixed', 4, 4),
    makeScaler('fails', 0, 4),
    makeScaler('busy', 0, 4, { queue: { current: 'reload' } }),
    makeScaler('unknown', 0, 4, { link: { state: 'unknown' } }),
  ];
  const checkAll = () => Promise.all(scalers.map((scaler) => scaler.check()));
  await checkAll();
  t.same(scaled, [], 'nothing changed');
  cores = 1;
  await checkAll();
  const reason = '1 core is available now';
  t.same(scaled.splice(0), [
    ['all', 1, reason],
    ['fewer', 1, reason],
    ['fails', 1, reason],
  ]);
  t.same(errors, ['autoscaling.failed']);
  cores = 3;
  await checkAll();
  t.match(scaled, [
    ['all', 3, '3 cores are available now'],
    ['fewer', 2],
    ['fails', 3],
  ]);
});

t.test('the CPU limit of a cgroup is heeded, and followed while it changes', async (t) => {
  if (availableParallelism() < 2) return t.skip('needs two cores');
  const daemon = daemonUnderTest(t);
  const cgroup = makeCpuCgroup(t);
  if (cgroup === null) return t.skip('needs a cgroup that it may make');
  const { pid } = await daemon.start();
  cgroup.limit(2);
  cgroup.add(Number(pid));
  const workers = async () => (await daemon.view('web'))?.workers ?? [];
  const online = (count) =>
    until(async () => {
      const all = await workers();
      return all.length === count && all.every(({ status }) => status === 'online');
    }, `${count} workers`);
  await daemon.ask('start', { specs: [await webSpec({ instances: 0, minUptimeMs: 50 })] });
  await online(2);
  const [first] = await workers();

  cgroup.limit(1);
  await online(1);
  t.equal((await workers())[0].pid, first.pid, 'the first worker stayed');
  await daemon.logged(
    /"autoscaling.changed".*"app":"web",.*"to":1,"reason":"1 core is available now"/,
  );

  cgroup.limit(1.5);
  await daemon.ask('reload', { selectors: ['web'] });
  t.equal((await workers()).length, 1, 'a limit is rounded down');

  cgroup.limit(2);
  await online(2);
  const { apps } = await daemon.ask('list', { selectors: ['web'], fields: ['details'] });
  t.match(apps, [{ instances: 2, spec: { instances: 0 } }]);

  await daemon.ask('scale', { selector: 'web', instances: '1' });
  t.match((await daemon.ask('list', { selectors: ['web'], fields: ['details'] })).apps, [
    { instances: 1, spec: { instances: 1, given: { instances: 'scaled' } } },
  ]);
  await daemon.ask('scale', { selector: 'web', instances: 'max' });
  await online(2);
  await daemon.ask('kill');
  await until(() => {
    try {
      cgroup.remove();
      return true;
    } catch {
      return false;
    }
  }, 'every process to leave the cgroup');
});
