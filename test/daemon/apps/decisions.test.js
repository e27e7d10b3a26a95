import t from 'tap';
import { availableParallelism } from 'node:os';
import { newCount } from '../../../src/daemon/actions/scale.js';
import { assignIds, slotsFor } from '../../../src/daemon/apps/ids.js';
import { restartDelay, watchDelay } from '../../../src/daemon/delays.js';
import { CommandQueue } from '../../../src/daemon/apps/command-queue.js';
import {
  appOutcome,
  failedOutcome,
  joinOutcomes,
  summarize,
} from '../../../src/daemon/apps/outcome.js';
import { Metrics } from '../../../src/daemon/metrics/usage.js';
import { makePlan } from '../../../src/daemon/apps/plan.js';
import { select } from '../../../src/daemon/control/targets.js';
import { watchFilter } from '../../../src/daemon/triggers/watch-ignore.js';
import { testSpec } from '../daemon-under-test.js';

t.test('ids stay, and none is given twice', async (t) => {
  t.strictSame(assignIds([0, 1], {}, 0), { ids: { 0: 0, 1: 1 }, next: 2 });
  t.strictSame(assignIds([0, 1, 2], { 0: 0, 1: 3 }, 7), { ids: { 0: 0, 1: 3, 2: 7 }, next: 8 });
  t.strictSame(assignIds([0], { 0: 5, 1: 6 }, 7), { ids: { 0: 5 }, next: 7 });
  t.strictSame(assignIds([0, 1], { 0: 5, 1: 6 }, 0).next, 7, 'also when the counter was lost');
  t.strictSame(slotsFor([0, 2, 3], 2), [0, 2]);
  t.strictSame(slotsFor([0, 2], 4), [0, 1, 2, 3]);
});

t.test('selectors', async (t) => {
  const app = (name, namespace, first, count) => {
    const slots = Array.from({ length: count }, (_, slot) => slot);
    return { name, namespace, slots, ids: Object.fromEntries(slots.map((s) => [s, first + s])) };
  };
  const apps = [
    app('api', 'shop', 0, 2),
    app('api-admin', 'shop', 2, 1),
    app('web', 'default', 3, 2),
  ];
  const cases = {
    api: [{ name: 'api', slots: null }],
    1: [{ name: 'api', slots: [1] }],
    'web:0': [{ name: 'web', slots: [0] }],
    shop: [
      { name: 'api', slots: null },
      { name: 'api-admin', slots: null },
    ],
    '/^API/i': [
      { name: 'api', slots: null },
      { name: 'api-admin', slots: null },
    ],
    all: apps.map(({ name }) => ({ name, slots: null })),
  };
  for (const [selector, selection] of Object.entries(cases)) {
    t.strictSame(select([selector], apps), selection, selector);
  }
  t.strictSame(select(['4', 'web:0', 'api'], apps), [
    { name: 'api', slots: null },
    { name: 'web', slots: [0, 1] },
  ]);
  t.strictSame(select(['0', 'api', '1'], apps), [{ name: 'api', slots: null }]);
  t.strictSame(select(['all'], []), []);
  const known = ['api', 'api-admin', 'web'];
  t.throws(() => select(['api-amdin'], apps), {
    code: 'E_APP_UNKNOWN',
    data: { selector: 'api-amdin', known, nearest: 'api-admin' },
  });
  t.throws(() => select(['9'], apps), {
    code: 'E_WORKER_UNKNOWN',
    message: 'There is no worker with the id 9.',
  });
  t.throws(() => select(['web:2'], apps), {
    code: 'E_WORKER_UNKNOWN',
    message: 'There is no worker web:2. The workers are: web:0, web:1.',
  });
  t.throws(() => select(['wbe:2'], apps), { code: 'E_APP_UNKNOWN', data: { nearest: 'web' } });
  t.throws(() => select(['/nothing/'], apps), { code: 'E_APP_UNKNOWN' });
  t.throws(() => select(['/(/'], apps), { code: 'E_SELECTOR_REGEX' });
});

t.test('the plan for a file is the smallest action for each app', async (t) => {
  const spec = (overrides) => testSpec({ configFile: '/f.yml', ...overrides });
  const known = [
    { name: 'web', spec: spec({ env: { A: '1' } }), isDown: false },
    { name: 'off', spec: spec({ name: 'off' }), isDown: true },
    { name: 'old', spec: spec({ name: 'old' }), isDown: false },
    { name: 'other', spec: testSpec({ name: 'other' }), isDown: false },
  ];
  const actionFor = (change, order = {}) =>
    makePlan({ specs: [spec({ env: { A: '1' }, ...change })], action: 'reload', ...order }, known)
      .steps[0].action;
  t.equal(actionFor({}), 'none');
  t.equal(actionFor({ killTimeoutMs: 1 }), 'configure');
  t.equal(actionFor({ instances: 3 }), 'scale');
  t.equal(actionFor({ instances: 3, env: {} }), 'reload');
  t.equal(actionFor({ scheduling: 'shared', env: {} }), 'restart');
  t.equal(actionFor({ env: {} }, { action: 'start' }), 'none', 'start only says what changed');
  const left = makePlan({ specs: [spec({ instances: 3 })], action: 'start' }, known).steps[0];
  t.match(left, { action: 'none', pending: true, changes: [{ key: 'instances' }] });
  t.equal(actionFor({}, { action: 'restart' }), 'restart');
  const given = [{ ...known[0], hasGivenUp: true }];
  for (const action of ['start', 'reload']) {
    const again = makePlan({ specs: [known[0].spec], action }, given);
    t.equal(again.steps[0].action, 'start', `${action} of what has given up`);
    const change = (overrides) =>
      makePlan({ specs: [{ ...known[0].spec, ...overrides }], action }, given).steps[0].action;
    t.equal(change({ env: { A: '2' } }), 'reload', `${action} of what has given up, mended`);
    t.equal(change({ maxRestarts: 99 }), 'reload');
    t.equal(change({ scheduling: 'shared' }), 'restart');
  }
  t.equal(actionFor({ shellEnv: { NEW: '1' } }), 'none');
  t.equal(actionFor({ shellEnv: { NEW: '1' } }, { updateEnv: true }), 'reload');

  const specs = [spec({ env: { A: '2' } }), spec({ name: 'off' }), spec({ name: 'new' })];
  const order = { specs, action: 'reload', file: '/f.yml' };
  const { steps, unlisted } = makePlan(order, known);
  t.strictSame(
    steps.map(({ app, action }) => [app, action]),
    [
      ['web', 'reload'],
      ['off', 'start'],
      ['new', 'start'],
    ],
  );
  t.strictSame(steps[0].changes, [{ key: 'env.A', from: '1', to: '2' }]);
  t.strictSame(steps[0].spec.shellEnv, known[0].spec.shellEnv, 'kept');
  t.strictSame(unlisted, ['old']);
  const pruned = makePlan({ ...order, prune: true }, known);
  t.match(pruned.steps.at(-1), { app: 'old', action: 'delete' });
  const none = makePlan({ ...order, prune: true, only: [] }, known);
  t.same(none, { steps: [], unlisted: [] }, 'an empty list is nothing, not everything');
  const only = makePlan({ ...order, prune: true, only: ['new'] }, known);
  t.strictSame(
    only.steps.map(({ app }) => app),
    ['new'],
  );
});

t.test('numbers to scale to', async (t) => {
  t.equal(newCount('4', 2), 4);
  t.equal(newCount('+2', 2), 4);
  t.equal(newCount('-1', 2), 1);
  t.equal(newCount('max', 2), availableParallelism());
  t.throws(() => newCount('-1', 1), { message: /has only 1 worker/ });
  t.throws(() => newCount('-2', 2), { message: /has only 2 workers/ });
  for (const wrong of ['0', '-2', 'x', '', '1.5']) {
    t.throws(() => newCount(wrong, 2), { code: 'E_SCALE_COUNT' }, wrong);
  }
});

t.test('what watch ignores', async (t) => {
  const patterns = ['*.log', 'public/uploads', './data/**', '/app/cache', '../shared/tmp/', '#*#'];
  const ignored = watchFilter('/app', [...patterns, '*.map', '!keep.map'], '/app/.home');
  for (const file of [
    '/app/node_modules/x/index.js',
    '/app/packages/a/node_modules',
    '/app/.git/HEAD',
    '/app/logs/out',
    '/app/deep/x.log',
    '/app/public/uploads/1.png',
    '/app/data/a/b',
    '/app/cache/x',
    '/shared/tmp/x',
    '/shared/node_modules/x',
    '/app/src/#draft#',
    '/app/dist/x.map',
    '/app/.home/daemon.log',
  ]) {
    t.equal(ignored(file), true, file);
  }
  for (const file of [
    '/app',
    '/app/server.js',
    '/app/logs.js',
    '/app/x/public/uploads',
    '/app/data',
    '/app/Logs/x',
    '/app/src/cache',
    '/shared',
    '/shared/x.js',
    '/app/dist/keep.map',
  ]) {
    t.equal(ignored(file), false, file);
  }
});

t.test('changes without end are no reason to wait without end', async (t) => {
  t.equal(watchDelay(200, 0), 200);
  t.equal(watchDelay(200, 1900), 100);
  t.equal(watchDelay(200, 5000), 0);
});

t.test('a primary that keeps ending waits ever longer', async (t) => {
  t.strictSame([1, 2, 3, 4, 50].map(restartDelay), [0, 100, 200, 400, 10_000]);
});

t.test('commands of one app wait for each other; a second reload does not', async (t) => {
  const queue = new CommandQueue('web');
  const seen = [];
  let finish = () => {};
  const first = queue.run('reload', () => new Promise((resolve) => (finish = resolve)));
  const second = queue.run('stop', async () => {
    seen.push(queue.current);
    throw new Error('no');
  });
  const third = queue.run('start', async () => seen.push(queue.current));
  await t.rejects(
    queue.run('reload', async () => {}),
    {
      code: 'E_APP_BUSY',
      data: { app: 'web', doing: 'reload' },
    },
  );
  t.equal(queue.current, 'reload');
  finish();
  await first;
  await t.rejects(second, { message: 'no' });
  await third;
  t.strictSame(seen, ['stop', 'start']);
  await queue.whenDone();
  t.equal(queue.current, null);
});

t.test('usage is that of now, not since somebody asked last', async (t) => {
  const looks = [];
  const metrics = new Metrics(async (pids) => {
    looks.push(pids);
    return { 1: { cpu: looks.length === 1 ? 90 : 4.04, memory: 5, ctime: 60 } };
  });
  const both = await Promise.all([metrics.sample([1, 2]), metrics.sample([1])]);
  const usage = { cpu: 4, memory: 5, ctime: 60 };
  t.strictSame(
    both.map((usages) => [...usages]),
    [[[1, usage]], [[1, usage]]],
  );
  const twice = [1, 2];
  t.strictSame(looks, [twice, twice], 'two looks, each in one pass, shared by who asks at once');
});

t.test('outcomes speak of worker ids', async (t) => {
  const primary = {
    ok: false,
    done: [0],
    failed: [{ slot: 1, reason: 'r', lastLines: ['l'] }],
    kept: [1],
  };
  t.match(appOutcome('web', 'reload', primary, { 0: 7, 1: 8 }), {
    name: 'web',
    ok: false,
    done: [7],
    failed: [{ id: 8, slot: 1, reason: 'r', lastLines: ['l'] }],
    kept: [8],
  });
  const app = {
    slots: [0, 1, 2],
    desiredSlots: [0, 2],
    ids: { 0: 7, 1: 8, 2: 9 },
    link: {
      state: 'connected',
      snapshot: {
        slots: [
          { slot: 0, status: 'online' },
          { slot: 2, status: 'errored' },
        ],
      },
    },
  };
  t.strictSame(summarize(app), { workers: 3, online: [7], stopped: [1] });
  t.match(failedOutcome(new Error('boom')), {
    ok: false,
    failed: [{ slot: null, reason: /boom/ }],
  });
  t.match(
    joinOutcomes({ ok: true, done: [0], minReady: 2 }, { ok: true, done: [1], minReady: 1 }),
    {
      ok: true,
      done: [0, 1],
      minReady: 1,
    },
  );
});
