import t from 'tap';
import { UNKNOWN, decideScaling } from '../../src/features/autoscaling/decide.js';
import * as daemon from '../../src/features/autoscaling/daemon.js';
import { autoscaling as feature } from '../../src/features/autoscaling/show.js';
import { appState } from '../../src/show/state.js';

const RANGE = { min: 2, max: 8, elu: 0.8, cooldownMs: 300_000 };
const EVERY_MS = 2000;
const MIB = 1024 ** 2;

/** What comes of checks in a row, each with what the workers report, from a given number of workers on. */
function follow(count, checks, range = RANGE) {
  let state = UNKNOWN;
  const counts = [];
  checks.forEach((utilisations, index) => {
    const look = { nowMs: (index + 1) * EVERY_MS, count, utilisations };
    ({ state, count } = decideScaling(state, look, range));
    counts.push(count);
  });
  return counts;
}

const all = (count, utilisation) => Array(count).fill(utilisation);
const twice = (...utilisations) => [utilisations, utilisations];
const LOWER = { ...RANGE, elu: 0.5 };

const rows = [
  ['below the target', 2, twice(0.7, 0.8), [2, 2]],
  ['at the target', 3, twice(...all(3, 0.8)), [3, 3]],
  ['above it', 4, twice(...all(4, 0.9)), [4, 5]],
  ['the mean counts', 2, twice(0.5, 0.9), [2, 2]],
  ['one long request', 2, [all(2, 1), all(2, 0.2), all(2, 1)], [2, 2, 2]],
  ['the lower of both', 4, [all(4, 0.94), all(4, 0.81)], [4, 5]],
  ['saturated: half as many more', 4, twice(...all(4, 1)), [4, 6]],
  ['at most max', 7, twice(...all(7, 1)), [7, 8]],
  ['at max', 8, twice(...all(8, 1)), [8, 8]],
  ['changed: measured twice', 2, [...twice(1, 1), ...twice(...all(3, 0.9))], [2, 3, 3, 4]],
  ['a blocked worker counts for nothing in the mean', 3, twice(0.9, 0.9), [3, 4]],
  ['nothing was measured', 3, twice(), [3, 3]],
  ['a check without figures between two', 2, [[1, 1], [], ...twice(1, 1)], [2, 2, 2, 3]],
  ['a lower target', 2, twice(0.6, 0.6), [2, 3], LOWER],
];

t.test('more workers at once, when two checks in a row show the load', async (t) => {
  for (const [name, count, checks, counts, range] of rows)
    t.same(follow(count, checks, range), counts, name);
});

t.test('fewer workers after a cooldown', async (t) => {
  const range = { ...RANGE, cooldownMs: 10_000 };
  const idle = (count, checks) => Array(checks).fill(all(count, 0.1));
  const busyAgain = [...idle(8, 3), all(8, 0.7), all(8, 0.7), ...idle(8, 5)];
  for (const [name, count, checks, ...ends] of [
    ['after 10 s, to what is needed', 8, idle(8, 6), 8, 8, 8, 8, 8, 2],
    ['the highest need of the cooldown counts', 8, busyAgain, 8, 2],
    ['two would be at 78 %: too close', 3, Array(9).fill(all(3, 0.52)), 3],
    ['two would be at 71 %', 3, Array(9).fill(all(3, 0.47)), 2],
    ['not while one is not measured', 3, Array(9).fill(all(2, 0.1)), 3],
    ['not while none is', 3, Array(9).fill([]), 3],
  ]) {
    t.same(follow(count, checks, range).slice(-ends.length), ends, name);
  }
});

t.test('a day of load: it follows, and does not flap', async (t) => {
  const { changes, overloadedMs, meanCount, needed } = simulateDay(RANGE);
  const downs = changes.filter(({ from, to }) => to < from);
  const gaps = downs.slice(1).map(({ atMs }, index) => atMs - downs[index].atMs);
  t.ok(Math.min(...gaps) >= RANGE.cooldownMs, `one step down in each cooldown: ${gaps}`);
  t.ok(changes.length <= 60, `${changes.length} changes`);
  t.ok(overloadedMs / 86_400_000 < 0.01, `${overloadedMs / 1000} s of the day above 95 %`);
  t.ok(meanCount < needed * 1.6, `${meanCount / needed} times as many workers as needed`);
  const { changes: noise } = simulateDay(RANGE, { base: 2.4, swing: 0, bursts: 0 });
  t.ok(noise.length <= 4, `${noise.length} changes with noise around a constant load`);
});

/** What a day of checks did. Load in workers: a sine from night to noon, bursts of some minutes, noise of each check and worker. */
function simulateDay(range, { base = 3.2, swing = 2.4, bursts = 12 } = {}) {
  const random = generator(42);
  const dayMs = 86_400_000;
  const starts = Array.from({ length: bursts }, () => random() * dayMs);
  const loadAt = (ms) => {
    const sine = base - swing * Math.cos((2 * Math.PI * ms) / dayMs);
    const burst = starts.some((start) => ms >= start && ms < start + 180_000) ? 1.5 : 0;
    return Math.max(0, (sine + burst) * (0.85 + 0.3 * random()));
  };
  let count = range.min;
  let state = UNKNOWN;
  let overloadedMs = 0;
  const sums = { count: 0, needed: 0 };
  const changes = [];
  for (let nowMs = EVERY_MS; nowMs < dayMs; nowMs += EVERY_MS) {
    const load = loadAt(nowMs);
    const each = load / count;
    const utilisations = all(count, 0).map(() => Math.min(1, each * (0.9 + 0.2 * random())));
    if (each > 0.95) overloadedMs += EVERY_MS;
    sums.count += count;
    sums.needed += Math.max(range.min, load / range.elu);
    const decision = decideScaling(state, { nowMs, count, utilisations }, range);
    if (decision.count !== count) changes.push({ atMs: nowMs, from: count, to: decision.count });
    ({ state, count } = decision);
  }
  return { changes, overloadedMs, meanCount: sums.count, needed: sums.needed };
}

/** The same numbers each time (Park and Miller). */
function generator(seed) {
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const FREE = 8000;
const V2 = {
  '/proc/self/cgroup': '0::/a/b\n',
};
/** The files of cgroups: `a/b` is that of this process. */
const v2 = (groups) => {
  const files = Object.entries(groups).flatMap(([group, { stat = '', ...numbers }]) =>
    Object.entries({ ...numbers, stat }).map(([name, text]) => [
      `/sys/fs/cgroup/${group}/memory.${name}`,
      `${text}\n`,
    ]),
  );
  return { ...V2, ...Object.fromEntries(files) };
};
const ofFiles = { max: 5000, current: 3000, stat: 'anon 2000\nactive_file 9\ninactive_file 700' };
const V1 = {
  '/proc/self/cgroup': '3:memory:/docker/9e\n',
  '/sys/fs/cgroup/memory/memory.limit_in_bytes': '5000\n',
};
const parent = { max: 10_000, current: 9500 };

for (const [name, files, bytes] of [
  ['another system', {}, FREE],
  ['v2 without a limit', v2({ 'a/b': { max: 'max' } }), FREE],
  ['v2: the cache of files that nobody reads is free', v2({ 'a/b': ofFiles }), 2700],
  ['v2: an ancestor has less left', v2({ 'a/b': { max: 5000, current: 3000 }, a: parent }), 500],
  ['v2: the machine has less left', v2({ 'a/b': { max: 50_000, current: 3000 } }), FREE],
  ['v1 is not read', V1, FREE],
]) {
  t.equal(daemon.freeMemory({ free: FREE, read: (path) => files[path] ?? '' }), bytes, name);
}

t.ok(daemon.freeMemory() > 0, 'this machine');

/** An app with workers whose event loops are as busy as `elu` says, until a check, and a scaler that follows it. */
function scene(
  t,
  { count = 2, range = {}, elu = 1, freeMiB = 1000, app: more, workers, busy } = {},
) {
  const scaled = [];
  const errors = [];
  let checks = 0;
  const instances = { min: 1, max: 4, elu: 0.8, cooldownMs: 300_000, ...range };
  const app = {
    ...{ name: 'api', spec: { execMode: 'cluster', instances }, count, stopped: false },
    ...{ deleted: false, queue: { current: null }, link: { state: 'connected' }, ...more },
  };
  const online = { status: 'online', memory: 100 * MIB, elu, until: Infinity };
  const recordOf = (worker, slot) => {
    const whole = { pid: worker.isNew ? checks : 100 + slot, ...online, ...worker };
    const ms = Math.min(checks, whole.until) * 1000;
    return { ...whole, report: { activeMs: ms * whole.elu, idleMs: ms * (1 - whole.elu) } };
  };
  const door = {
    log: { info() {}, error: (event) => errors.push(event) },
    record: async () => ({
      busy,
      workers: (workers ?? Array(app.count).fill({})).map(recordOf),
    }),
    scale: async (_app, to, { reason }) => {
      scaled.push([to, reason]);
      if (app.name === 'fails') throw new Error('failed');
      app.count = to;
    },
  };
  const world = { cores: 4, availableCores: () => world.cores, freeMemory: () => freeMiB * MIB };
  const scaler = new daemon.Autoscaler(app, door, world);
  const check = async (times = 3) => {
    for (let time = 0; time < times; time += 1) {
      checks += 1;
      await scaler.check();
    }
    return scaled.splice(0);
  };
  return { app, scaler, check, errors, world };
}

t.test('it scales when nothing else works on the app, and says why', async (t) => {
  const busy = scene(t);
  t.same(await busy.check(2), [], 'two reports are one measurement');
  const reason = { kind: 'busy', share: 1 };
  t.same(await busy.check(1), [[3, reason]]);
  const lastChange = { from: 2, to: 3, reason };
  t.match(busy.scaler.record, { min: 1, max: 4, elu: 0.8, utilisation: 1, lastChange });
  busy.app.spec.instances = 3;
  t.same(await busy.check(), [], 'its number is fixed now');
  t.equal(busy.scaler.record, undefined);
  t.same(busy.errors, []);
  const idle = scene(t, { count: 3, elu: 0.1, range: { cooldownMs: 0 } });
  t.same(await idle.check(), [[1, { kind: 'idle', ms: 0 }]]);
  const workers = [{ until: 0 }, { elu: 7 }];
  t.same(await scene(t, { workers }).check(), [[3, reason]], 'one is blocked, one lies');
});

t.test('what holds it', async (t) => {
  const states = (...statuses) => ({ workers: statuses.map((status) => ({ status })) });
  const few = { count: 3, elu: 0.1, range: { cooldownMs: 0 } };
  const held = { kind: 'memory', free: 99 * MIB, needed: 100 * MIB };
  for (const [name, setting, expected = null] of [
    ['a command', { app: { queue: { current: 'reload' } } }],
    ['a command of its primary', { busy: 'reload' }],
    ['a start', states('online', 'starting')],
    ['a crash', states('online', 'errored')],
    ['a delay', states('backoff', 'online')],
    ['the user', states('online', 'stopped')],
    ['max', { count: 4 }],
    ['memory', { freeMiB: 99 }, held],
    ['a new worker', { workers: [{ isNew: true }, {}] }],
    ['workers that were measured once', { workers: [{ until: 2 }, { until: 2 }] }],
    ['one that is blocked', { ...few, workers: [{ status: 'blocked', until: 2 }, {}, {}] }],
  ]) {
    const { scaler, check } = scene(t, setting);
    t.same(await check(4), [], name);
    t.same(scaler.record.held ?? null, expected, name);
  }
  const some = scene(t, { freeMiB: 150, count: 3, range: { max: 8 } });
  t.same(await some.check(), [[4, { kind: 'busy', share: 1 }]], 'memory for one of two');
});

t.test('apps that follow the cores are scaled, unless a command works on them', async (t) => {
  const [one, three] = [1, 3].map((count) => ({ kind: 'cores', count }));
  for (const [name, instances, count, more, fewer, again] of [
    ['all', 0, 4, {}, [[1, one]], [[3, three]]],
    ['fewer', -1, 3, {}, [[1, one]], [[2, three]]],
    ['fixed', 4, 4, {}, [], []],
    ['fails', 0, 4, {}, [[1, one]], [[3, three]]],
    ['busy', 0, 4, { queue: { current: 'reload' } }, [], []],
    ['unknown', 0, 4, { link: { state: 'unknown' } }, [], []],
  ]) {
    const app = { name, spec: { instances }, ...more };
    const { check, world, errors } = scene(t, { count, app });
    t.same(await check(1), [], `${name}: nothing changed`);
    world.cores = 1;
    t.same(await check(1), fewer, name);
    world.cores = 3;
    t.same(await check(1), again, name);
    t.equal(errors.includes('autoscaling.failed'), name === 'fails');
  }
});

const scaling = (more) => ({ min: 2, max: 8, elu: 0.8, utilisation: 0.613, ...more });
const app = (count, more) => ({
  name: 'api',
  status: 'online',
  instances: count,
  workers: Array.from({ length: count }, () => ({ status: 'online' })),
  autoscaling: scaling(more),
});
const lastChange = { at: 0, from: 2, to: 3, reason: { kind: 'busy', share: 0.91 } };

t.test('what an app that scales itself does, and why', async (t) => {
  t.equal(feature.range(app(3)), '2–8');
  t.equal(feature.range({ ...app(3), autoscaling: undefined }), '');
  t.equal(appState(app(3), 0), '3/2–8 online');
  t.equal(appState(app(1, { min: 1 }), 0), 'online, 1/1–8');
  const held = { kind: 'memory', free: 99 * MIB, needed: 100 * MIB };
  const isHeld = feature.section(app(3, { held }), 0).facts[3];
  t.same(isHeld.slice(0, 2), ['not scaled now', '99M of memory are left, and a worker needs 100M']);
  const { facts } = feature.section(app(3, { lastChange }), 12_300);
  t.same(facts.slice(0, 3), [
    ['workers', '3 of 2–8'],
    ['event loops', '61% busy, target 80%'],
    ['last change', '2 → 3 workers 12s ago: event loops were 91% busy'],
  ]);
  const unknown = feature.section(app(3, { utilisation: undefined }), 0);
  t.same(unknown.facts[1], ['event loops', 'not measured yet, target 80%']);
  t.equal(feature.section({ ...app(3), autoscaling: undefined }, 0), null);
});
