import t from 'tap';
import { runInOrder, untilExited } from '../../../src/daemon/apps/dependencies.js';

/** What each app depends on; what it comes after with dependencies first, and last. */
const rows = [
  ['a b', 'a: b:', 'a: b:'],
  ['a>b b', 'a:b b:', 'a: b:a'],
  ['a>b,c b>c c', 'a:b,c b:c c:', 'a: b:a c:b,a'],
  ['a>elsewhere', 'a:', 'a:'],
  ['a>a', 'a:', 'a:'],
  ['a>b b>a', 'a:b b:', 'a: b:a'],
  ['a>b b>c c>a', 'a:b b:c c:', 'a: b:a c:b'],
  ['a>b,b b', 'a:b b:', 'a: b:a'],
];

for (const [text, first, last] of rows) {
  t.test(text, async (t) => {
    const apps = text.split(' ').map((word) => {
      const [name, others = ''] = word.split('>');
      const names = others === '' ? [] : others.split(',');
      return { name, dependsOn: Object.fromEntries(names.map((each) => [each, 'ready'])) };
    });
    const shown = async (order) => {
      const results = await runInOrder(apps, order, async ({ name }, earlier) => ({
        name,
        after: earlier.map((result) => result.name),
      }));
      return results.map(({ name, after }) => `${name}:${after}`).join(' ');
    };
    t.equal(await shown('first'), first);
    t.equal(await shown('last'), last);
  });
}

t.test('what waits for nothing begins before the call returns', async (t) => {
  const begun = [];
  const done = runInOrder(
    [
      { name: 'web', dependsOn: { db: 'ready' } },
      { name: 'db', dependsOn: {} },
    ],
    'first',
    async ({ name }) => begun.push(name),
  );
  t.strictSame(begun, ['db']);
  await done;
  t.strictSame(begun, ['db', 'web']);
});

t.test('what an item waits for can be something else than the end of another', async (t) => {
  const begun = [];
  const never = new Promise(() => {});
  const items = [
    { name: 'web', dependsOn: { db: 'started', cache: 'ready' } },
    { name: 'db', dependsOn: {} },
    { name: 'cache', dependsOn: {} },
  ];
  await new Promise((resolve) => {
    runInOrder(
      items,
      'first',
      async ({ name }, earlier) => {
        begun.push([name, ...earlier]);
        if (name === 'web') resolve(undefined);
        return name === 'db' ? never : name;
      },
      (other, condition, done) => (condition === 'started' ? Promise.resolve('exists') : done),
    );
  });
  t.same(begun, [['db'], ['cache'], ['web', 'exists', 'cache']]);
});

const LIMIT_MS = 20;
const appWith = (state, more = {}) => ({
  stopped: false,
  desiredSlots: [0],
  link: { state: 'connected', snapshot: { slots: [{ slot: 0, pid: 7, ...state }] } },
  ...more,
});

for (const [name, app, expected] of [
  ['exits never', appWith({ status: 'online' }), { verdict: 'wait' }],
  ['never becomes ready', appWith({ status: 'starting' }), { verdict: 'wait' }],
  ['has no primary', appWith({}, { link: { state: 'none' } }), { verdict: 'wait' }],
  ['has exited', appWith({ status: 'exited', pid: null }), { verdict: 'exited' }],
  ['has been stopped', appWith({}, { stopped: true }), { verdict: 'failed' }],
  ['has been deleted', undefined, { verdict: 'failed' }],
]) {
  t.test(`waits at most as long as it may for an app that ${name}`, async (t) => {
    t.match(await untilExited(() => app, LIMIT_MS), expected);
  });
}
