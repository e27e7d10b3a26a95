/** How many workers an app gets that scales itself, by load and by memory, and what is shown of it. */
import t from 'tap';
import { UNKNOWN, decideScaling } from '../../src/features/autoscaling/decide.js';
import { freeMemory } from '../../src/features/autoscaling/free-memory.js';
import { utilisationsBetween } from '../../src/features/autoscaling/daemon.js';
import { autoscaling as feature } from '../../src/features/autoscaling/show.js';
import { appState } from '../../src/show/state.js';

const RANGE = { min: 2, max: 8, elu: 0.8, cooldownMs: 300_000 };
const EVERY_MS = 2000;

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

t.test('more workers at once, when two checks in a row show the load', async (t) => {
  for (const { name, count, checks, counts, range } of [
    {
      name: 'below the target',
      count: 2,
      checks: [
        [0.7, 0.8],
        [0.8, 0.7],
      ],
      counts: [2, 2],
    },
    { name: 'at the target', count: 3, checks: [all(3, 0.8), all(3, 0.8)], counts: [3, 3] },
    { name: 'above it', count: 4, checks: [all(4, 0.9), all(4, 0.9)], counts: [4, 5] },
    {
      name: 'the mean counts',
      count: 2,
      checks: [
        [0.5, 0.9],
        [0.5, 0.9],
      ],
      counts: [2, 2],
    },
    {
      name: 'one long request',
      count: 2,
      checks: [
        [1, 1],
        [0.2, 0.2],
        [1, 1],
      ],
      counts: [2, 2, 2],
    },
    { name: 'the lower of both', count: 4, checks: [all(4, 0.94), all(4, 0.81)], counts: [4, 5] },
    {
      name: 'saturated: half as many more',
      count: 4,
      checks: [all(4, 1), all(4, 1)],
      counts: [4, 6],
    },
    { name: 'at most max', count: 7, checks: [all(7, 1), all(7, 1)], counts: [7, 8] },
    { name: 'at max', count: 8, checks: [all(8, 1), all(8, 1)], counts: [8, 8] },
    {
      name: 'a number that has just changed is measured twice again',
      count: 2,
      checks: [[1, 1], [1, 1], all(3, 0.9), all(3, 0.9)],
      counts: [2, 3, 3, 4],
    },
    {
      name: 'a blocked worker counts for nothing in the mean',
      count: 3,
      checks: [all(2, 0.9), all(2, 0.9)],
      counts: [3, 4],
    },
    { name: 'nothing was measured', count: 3, checks: [[], []], counts: [3, 3] },
    {
      name: 'a check without figures between two',
      count: 2,
      checks: [[1, 1], [], [1, 1], [1, 1]],
      counts: [2, 2, 2, 3],
    },
    {
      name: 'a lower target',
      count: 2,
      checks: [
        [0.6, 0.6],
        [0.6, 0.6],
      ],
      counts: [2, 3],
      range: { ...RANGE, elu: 0.5 },
    },
  ]) {
    t.same(follow(count, checks, range), counts, name);
  }
});

t.test('fewer workers after a cooldown', async (t) => {
  const range = { ...RANGE, cooldownMs: 10_000 };
  const idle = (count, checks) => Array(checks).fill(all(count, 0.1));
  t.same(follow(8, idle(8, 6), range), [8, 8, 8, 8, 8, 2], 'after 10 s, to what is needed');
  t.same(
    follow(8, [...idle(8, 3), all(8, 0.7), all(8, 0.7), ...idle(8, 5)], range).slice(-2),
    [8, 2],
    'the highest need of the cooldown counts',
  );
  t.same(
    follow(3, Array(9).fill(all(3, 0.52)), range).at(-1),
    3,
    'two would be at 78 %: too close',
  );
  t.same(follow(3, Array(9).fill(all(3, 0.47)), range).at(-1), 2, 'two would be at 71 %');
  t.same(follow(3, Array(9).fill(all(2, 0.1)), range).at(-1), 3, 'not while one is not measured');
  t.same(follow(3, Array(9).fill([]), range).at(-1), 3, 'not while none is');
});

t.test('a day of load: it follows, and does not flap', async (t) => {
  const { changes, overloadedMs, meanCount, needed } = simulateDay(RANGE);
  const downs = changes.filter(({ from, to }) => to < from);
  const gaps = downs.slice(1).map(({ atMs }, index) => atMs - downs[index].atMs);
  t.ok(Math.min(...gaps) >= RANGE.cooldownMs, `one step down in each cooldown: ${gaps}`);
  t.ok(changes.length <= 60, `${changes.length} changes`);
  t.ok(overloadedMs / 86_400_000 < 0.01, `${overloadedMs / 1000} s of the day above 95 %`);
  t.ok(meanCount < needed * 1.6, `${meanCount} workers on average, ${needed} needed`);
  const { changes: noise } = simulateDay(RANGE, { base: 2.4, swing: 0, bursts: 0 });
  t.ok(noise.length <= 4, `${noise.length} changes with noise around a constant load`);
});

/**
 * Load in workers: a sine from night to noon, bursts of some minutes, noise of each check and each worker.
 * @returns what a day of checks did; a worker that was added is measured from the second check on
 */
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
  const sums = { count: 0, needed: 0, checks: 0 };
  const changes = [];
  for (let nowMs = EVERY_MS; nowMs < dayMs; nowMs += EVERY_MS) {
    const load = loadAt(nowMs);
    const each = load / count;
    const utilisations = all(count, 0).map(() => Math.min(1, each * (0.9 + 0.2 * random())));
    if (each > 0.95) overloadedMs += EVERY_MS;
    sums.count += count;
    sums.needed += Math.max(range.min, load / range.elu);
    sums.checks += 1;
    const decision = decideScaling(state, { nowMs, count, utilisations }, range);
    if (decision.count !== count) changes.push({ atMs: nowMs, from: count, to: decision.count });
    ({ state, count } = decision);
  }
  return {
    changes,
    overloadedMs,
    meanCount: sums.count / sums.checks,
    needed: sums.needed / sums.checks,
  };
}

/** The same numbers each time (mulberry32). */
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const FREE = 8000;
const V2 = {
  '/proc/self/cgroup': '0::/a/b\n',
  '/proc/self/mountinfo': '30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n',
};

for (const { name, files, bytes } of [
  { name: 'another system', files: {}, bytes: FREE },
  {
    name: 'v2 without a limit',
    files: { ...V2, '/sys/fs/cgroup/a/b/memory.max': 'max\n' },
    bytes: FREE,
  },
  {
    name: 'v2: the cache of files that nobody reads is free',
    files: {
      ...V2,
      '/sys/fs/cgroup/a/b/memory.max': '5000\n',
      '/sys/fs/cgroup/a/b/memory.current': '3000\n',
      '/sys/fs/cgroup/a/b/memory.stat': 'anon 2000\nactive_file 100\ninactive_file 700\n',
    },
    bytes: 2700,
  },
  {
    name: 'v2: an ancestor has less left',
    files: {
      ...V2,
      '/sys/fs/cgroup/a/b/memory.max': '5000\n',
      '/sys/fs/cgroup/a/b/memory.current': '3000\n',
      '/sys/fs/cgroup/a/memory.max': '10000\n',
      '/sys/fs/cgroup/a/memory.current': '9500\n',
    },
    bytes: 500,
  },
  {
    name: 'v2: the machine has less left',
    files: {
      ...V2,
      '/sys/fs/cgroup/a/b/memory.max': '50000\n',
      '/sys/fs/cgroup/a/b/memory.current': '3000\n',
    },
    bytes: FREE,
  },
  {
    name: 'v1 is not read',
    files: {
      '/proc/self/cgroup': '3:memory:/docker/9e\n',
      '/proc/self/mountinfo':
        '741 732 0:32 /docker/9e /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': '5000\n',
    },
    bytes: FREE,
  },
]) {
  t.equal(freeMemory({ free: FREE, read: (path) => files[path] ?? '' }), bytes, name);
}

t.ok(freeMemory() > 0, 'this machine');

t.test('the utilisation of event loops between two reports', async (t) => {
  const times = (pid, activeMs, idleMs) => ({ pid, activeMs, idleMs });
  for (const [before, after, utilisations, name] of [
    [[], [], [], 'no worker'],
    [[], [times(1, 5, 5)], [], 'the first report'],
    [[times(1, 100, 900)], [times(1, 1600, 1400)], [0.75], 'one worker'],
    [[times(1, 0, 0), times(2, 0, 0)], [times(2, 5, 5), times(1, 10, 0)], [0.5, 1], 'two'],
    [[times(1, 0, 0), times(2, 5, 5)], [times(1, 1, 1), times(2, 5, 5)], [0.5], 'one is blocked'],
    [[times(1, 0, 0)], [times(1, 1, 1), times(2, 5, 5)], [], 'one is new'],
    [[times(1, 0, 0), times(2, 0, 0)], [times(1, 1, 3)], [0.25], 'one has exited'],
    [[times(1, 50, 50)], [times(1, 10, 200)], [0], 'a forged report'],
  ]) {
    t.same(utilisationsBetween(before, after), utilisations, name);
  }
});

const scaling = (more) => ({
  min: 2,
  max: 8,
  elu: 0.8,
  utilisation: 0.613,
  ...more,
});
const app = (count, more) => ({
  name: 'api',
  status: 'online',
  instances: count,
  workers: Array.from({ length: count }, () => ({ status: 'online' })),
  autoscaling: scaling(more),
});
const lastChange = { at: 0, from: 2, to: 3, reason: 'event loops were 91% busy' };

t.test('what an app that scales itself does, and why', async (t) => {
  t.equal(feature.range(app(3)), '2–8');
  t.equal(feature.range({ ...app(3), autoscaling: undefined }), '');
  t.equal(appState(app(3), 0), '3/2–8 online');
  t.equal(appState(app(1, { min: 1 }), 0), 'online, 1/1–8');
  t.equal(feature.news(app(3), 0), null);
  const news = '2 → 3 workers 12s ago: event loops were 91% busy';
  t.equal(feature.news(app(3, { lastChange }), 12_300), news);
  const held = '99M of memory are left';
  t.equal(feature.news(app(3, { lastChange, held }), 12_300), `${news}; not scaled now: ${held}`);
  const { facts } = feature.section(app(3, { lastChange }), 12_300);
  t.same(facts.slice(0, 3), [
    ['workers', '3 of 2–8'],
    ['event loops', '61% busy, target 80%'],
    ['last change', news],
  ]);
  const unknown = feature.section(app(3, { utilisation: undefined }), 0);
  t.same(unknown.facts[1], ['event loops', 'not measured yet, target 80%']);
  t.equal(feature.section({ ...app(3), autoscaling: undefined }, 0), null);
});
