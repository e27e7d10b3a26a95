import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Autoscaler } from '../../../../src/features/autoscaling/daemon.js';
import { app as fixture } from '../../../support/home.js';
import { startLoad } from '../../../support/http-load.js';
import { until } from '../../../support/until.js';
import { daemonUnderTest, killNow, webSpec } from '../../daemon-under-test.js';

const MiB = 1024 ** 2;

/** An app with workers whose event loops are as busy as `share` says, and a scaler that follows it. */
function scene(t, { count = 2, range = {}, share = 1, freeMiB = 1000, app: more = {} } = {}) {
  const scaled = [];
  let checks = 0;
  const slots = Array.from({ length: count }, (_, slot) => slot);
  const app = {
    name: 'api',
    spec: {
      execMode: 'cluster',
      instances: { min: 1, max: 4, elu: 0.8, cooldownMs: 300_000, ...range },
    },
    slots,
    stoppedSlots: [],
    stopped: false,
    deleted: false,
    queue: { current: null },
    link: {
      state: 'connected',
      pid: 7,
      snapshot: {
        busy: null,
        slots: slots.map((slot) => ({ slot, pid: 100 + slot, status: 'online' })),
      },
      request: async () => ({
        workers: slots.map((slot) => ({
          pid: 100 + slot,
          activeMs: checks * 1000 * share,
          idleMs: checks * 1000 * (1 - share),
        })),
      }),
    },
    ...more,
  };
  const daemon = {
    log: { info() {}, error: (event, data) => t.fail(`${event} ${JSON.stringify(data)}`) },
    metrics: {
      sample: async (pids) => new Map(pids.map((pid) => [pid, { memory: 100 * MiB }])),
    },
  };
  const scaler = new Autoscaler(app, daemon, {
    availableCores: () => 4,
    freeMemory: () => freeMiB * MiB,
    scale: async (_daemon, _app, to, reason) => void scaled.push([to, reason]),
  });
  const check = async (times = 3) => {
    for (let time = 0; time < times; time += 1) {
      checks += 1;
      await scaler.check();
    }
    return scaled.splice(0);
  };
  return { app, scaler, check };
}

t.test('it scales when nothing else works on the app, and says why', async (t) => {
  const busy = scene(t);
  t.same(await busy.check(2), [], 'two reports are one measurement');
  t.same(await busy.check(1), [[3, 'event loops were 100% busy']]);
  t.match(busy.scaler.record, {
    min: 1,
    max: 4,
    elu: 0.8,
    utilisation: 1,
    lastChange: { from: 2, to: 3, reason: 'event loops were 100% busy' },
  });
  busy.app.spec.instances = 2;
  t.same(await busy.check(), [], 'its number is fixed now');
  t.equal(busy.scaler.record, undefined);

  const idle = scene(t, { count: 3, share: 0.1, range: { cooldownMs: 0 } });
  t.same(await idle.check(), [[1, 'load was low for 0ms']]);
});

t.test('what holds it', async (t) => {
  const states = (...statuses) => ({
    app: {
      link: {
        ...scene(t).app.link,
        snapshot: {
          busy: null,
          slots: statuses.map((status, slot) => ({ slot, pid: slot, status })),
        },
      },
    },
  });
  for (const { name, held, ...setting } of [
    { name: 'a command', held: null, app: { queue: { current: 'reload' } } },
    { name: 'one of its primary', held: null, ...states('online', 'starting') },
    { name: 'a crash', held: null, ...states('online', 'errored') },
    { name: 'a delay', held: null, ...states('backoff', 'online') },
    { name: 'the user', held: null, app: { stoppedSlots: [1] } },
    { name: 'max', held: null, count: 4 },
    {
      name: 'memory',
      held: '99M of memory are left, and a worker needs 100M',
      freeMiB: 99,
    },
    {
      name: 'a silent primary',
      held: null,
      app: {
        link: {
          ...scene(t).app.link,
          request: async () => {
            throw new Error('no reply');
          },
        },
      },
    },
  ]) {
    const { scaler, check } = scene(t, setting);
    t.same(await check(4), [], name);
    t.equal(scaler.record.held ?? null, held, name);
  }
  const some = scene(t, { freeMiB: 150, count: 3, range: { max: 8 } });
  t.same(await some.check(), [[4, 'event loops were 100% busy']], 'memory for one of two');
});

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
    const online = (count) =>
      until(async () => {
        const { workers, busy } = await daemon.view('web');
        const isOnline = workers.every(({ status }) => status === 'online');
        return isOnline && !busy && workers.length === count && workers;
      }, `${count} workers`);
    await daemon.ask('start', { specs: [spec] });
    const [first] = (await daemon.view('web')).workers;
    await online(3);
    const { autoscaling } = await daemon.view('web');
    t.match(autoscaling, { min: 1, max: 3, lastChange: { to: 3, reason: /^event loops were/ } });
    await t.rejects(daemon.ask('scale', { selector: 'web', instances: 4 }), {
      code: 'E_SCALE_RANGE',
    });

    killNow(pid);
    await until(() => daemon.view('web').then((view) => view.primaryPid !== undefined), 'a daemon');
    await daemon.ask('reload', { selectors: ['web'] });
    t.equal((await daemon.view('web')).workers.length, 3, 'a reload keeps the number');
    const requests = startLoad(t, {
      port: Number(spec.env.PORT),
      keepAlive: false,
      clients: 1,
      thinkMs: 300,
    });
    load(0);
    const [last] = await online(1);
    t.equal(last.slot, first.slot);
    await requests.answers(5);
    t.same((await requests.stop()).failures, []);
    await daemon.logged(/"autoscaling.changed".*"to":1,"reason":"load was low for 2s"/);
    t.match((await daemon.ask('list', { selectors: ['web'], fields: ['details'] })).apps, [
      { instances: 1, spec: { instances: { min: 1, max: 3 } } },
    ]);
  },
);
