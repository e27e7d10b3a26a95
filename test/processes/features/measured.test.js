/** What is known of workers: requests, what their programs count, their memory, and where they are blocked. */
import http from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { app as fixture } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { until } from '../../support/until.js';
import { startedDaemon, webSpec } from '../daemon-under-test.js';
import { specOf, startPrimary, startedPrimary } from '../primary-under-test.js';

async function loadOf(primary) {
  return (await primary.ask('loads')).workers[0]?.requests;
}

t.test('a request that is not answered', async (t) => {
  const primary = await startedPrimary(t, 'answers-on-demand.cjs');
  await primary.state();
  const waiting = http.get({ port: primary.port, path: '/slow' });
  waiting.on('error', () => {});
  await ask(primary.port, '/');
  const load = await until(async () => {
    const now = await loadOf(primary);
    return Date.now() - (now?.oldestSince ?? Infinity) > 1000 && now;
  }, 'its age');
  t.match(load, { open: 1, answered: 1, errors: 0 });
  const told = (type) => until(() => primary.events.find((event) => event.type === type), type);
  t.match(await told('worker.degraded'), {
    slot: 0,
    reason: /^has not answered a request for \d+s$/,
  });
  waiting.destroy();
  t.match(await told('worker.recovered'), { slot: 0 });
  t.match(await loadOf(primary), { open: 0, oldestSince: undefined, answered: 1 });
});

t.test('requests that are answered with 5xx', async (t) => {
  const primary = await startedPrimary(t, 'watched.cjs');
  for (const path of ['/', '/500', '/503']) await ask(primary.port, path);
  const isCounted = async () => (await loadOf(primary))?.answered === 3;
  await until(isCounted, 'all to be counted');
  t.match(await loadOf(primary), { open: 0, oldestSince: undefined, errors: 2 });
});

const valuesOf = ({ families }, name) =>
  families.find((family) => family.name === name)?.samples.map(([, , value]) => value);

t.test('sums over workers keep what those counted that have been replaced', async (t) => {
  const spec = await specOf('registry.cjs', { instances: 2, minUptimeMs: 0 });
  const { ask: request, port } = await startPrimary(t, spec);
  await request('start');
  const pids = new Set();
  for (let count = 0; count < 20; count += 1) pids.add(await ask(port));
  const before = await request('program-metrics');
  t.same(valuesOf(before, 'served_total'), [20]);
  t.equal(valuesOf(before, 'load').length, 1, 'a gauge by its aggregator');
  t.equal(before.failure, null);
  t.same(before.families[0].samples[0][1], { route: '/', code: '200' });

  t.ok((await request('reload')).ok);
  t.same(valuesOf(await request('program-metrics'), 'served_total'), [20], 'nothing falls');
  const successor = await ask(port);
  t.notOk(pids.has(successor));
  const after = await request('program-metrics');
  t.same(valuesOf(after, 'served_total'), [21]);
  t.notOk(
    valuesOf(after, 'load').some((pid) => pids.has(pid)),
    'no gauge of one that has exited',
  );
});

t.test('programs without prom-client have none', async (t) => {
  const without = await startedPrimary(t, 'watched.cjs');
  t.same(await without.ask('program-metrics'), { families: [], failure: null });
});

t.test('a registry that hangs, throws, is too large or lies', async (t) => {
  const replyOf = async (REGISTRY) => {
    const primary = await startedPrimary(t, 'registry.cjs', { env: { REGISTRY } });
    await primary.ask('program-metrics');
    return primary.ask('program-metrics');
  };
  const kinds = ['hang', 'throw', 'grow', 'forge'];
  const [hanging, throwing, huge, lying] = await Promise.all(kinds.map(replyOf));
  t.same(hanging, { families: [], failure: 'a worker did not report within 1 s' });
  t.same(throwing, { families: [], failure: 'the pool is closed' });
  t.match(huge, { families: [], failure: /^its metrics have \d{6} characters$/ });
  t.equal(lying.failure, null);
  t.same(
    lying.families.map(({ name }) => name),
    ['served_total', 'load', 'fine'],
  );
  t.same(lying.families[2].samples, [['', { a: '"\\\n', b: 'NaN' }, 1]]);
});

const FORKED = { execMode: 'fork', interpreter: process.execPath, instances: 1 };

for (const change of [{}, FORKED]) {
  const { execMode = 'cluster' } = change;
  t.test(`a worker above it is replaced, the others stay: ${execMode}`, async (t) => {
    const spec = await webSpec({
      script: fixture('grows-on-demand.cjs'),
      maxMemoryRestartBytes: 300 * 1024 ** 2,
      ...change,
    });
    const daemon = await startedDaemon(t, [spec]);
    const grow = () => ask(Number(spec.env.PORT), '/grow?400').catch(() => null);
    const { pid } = await until(grow, 'a worker to listen');
    const before = (await daemon.view('web')).workers;
    const after = await until(async () => {
      const { workers } = await daemon.view('web');
      const isRenewed = workers.every((worker) => worker.pid !== pid && worker.status === 'online');
      return isRenewed && workers;
    }, 'the worker to be replaced');
    const grown = before.find((worker) => worker.pid === pid);
    for (const worker of after) {
      t.equal(worker.restarts, 0);
      if (worker.slot !== grown.slot) t.equal(worker.pid, before[worker.slot].pid);
    }
    const how = 'used more memory than its max_memory_restart of 300M';
    t.match(
      daemon.log(),
      new RegExp(`"worker.replacing",.*"slot":${grown.slot},"pid":${grown.pid},"reason":"${how}"`),
    );
    t.match(daemon.log(), `"why":"${how}"`, 'as the line in the log of the app says');
  });
}

t.test('before hang_timeout replaces it', async (t) => {
  const change = { instances: 2, hangTimeoutMs: 20_000 };
  const primary = await startedPrimary(t, 'spins-three-deep.cjs', change);
  const { pid } = await ask(primary.port, `/spin?${join(primary.paths.home, 'never')}`);
  const blocked = await primary.when(
    ({ slots }) => slots.find((slot) => slot.pid === pid && slot.stack),
    'a stack',
  );
  t.equal(blocked.status, 'blocked');
  t.equal(blocked.stack.state, 'blocked');
  const own = blocked.stack.frames.filter(({ origin }) => origin === 'program');
  t.same(
    own.slice(0, 3).map(({ name }) => name),
    ['inner', 'middle', 'outer'],
  );

  const { lastExit } = await primary.when(
    ({ slots }) => slots.find((slot) => slot.lastExit?.lastLines.length > 0),
    'it to be replaced',
  );
  t.match(
    lastExit.reason,
    /^event loop blocked for \d+s in inner \(spins-three-deep\.cjs:12:\d+\)$/,
  );
  t.match(lastExit.lastLines.join('\n'), /at inner .*\n.*at middle .*\n.*at outer /);
  const place = 'spins-three-deep\\.cjs:\\d+:\\d+\\)';
  const text = `is in inner \\(\\S+${place}, called from middle \\(\\S+${place}, called from outer`;
  t.match(
    primary.events.filter(({ type }) => type === 'worker.stack'),
    [{ pid, reason: new RegExp(text) }],
  );
  const log = await primary.log('error');
  t.match(
    log,
    new RegExp(`app:\\d \\(pid ${pid}\\) ${text}.*; its event loop has been blocked for \\d+s`),
  );
  t.notMatch(log, /[Dd]ebugger/);
});
