import t from 'tap';
import { runInOrder, untilExited } from '../../../src/daemon/apps/dependencies.js';
import { makePlan, stepFor } from '../../../src/daemon/apps/plan.js';
import { allowedSlots } from '../../../src/daemon/apps/slots.js';
import { specWith } from '../../support/spec.js';

const spec = (overrides) => specWith({ configFile: '/f.yml', env: { A: '1' }, ...overrides });
const running = { name: 'web', spec: spec({}), isDown: false, isRunning: true, hasGivenUp: false };
const down = { ...running, isDown: true, isRunning: false };
const exited = {
  desiredSlots: [0],
  link: { state: 'connected', snapshot: { slots: [{ slot: 0, status: 'exited' }] } },
};
const [givenUp, backoff] = [{ hasGivenUp: true }, { isInBackoff: true }];
const crashing = { ...backoff, isRunning: false };
const states = {
  ...{ running, down, 'given up': { ...running, ...givenUp }, backoff: { ...running, ...backoff } },
  crashing: { ...running, ...crashing },
  exited: { ...running, ...givenUp, ...exited },
  done: { ...running, ...givenUp, ...exited, name: 'migrate' },
  silent: { ...running, ...givenUp, ...exited, name: 'migrate', link: { state: 'unknown' } },
};
const known = [{ spec: spec({ dependsOn: { web: 'ready', migrate: 'exited' } }) }];
const changes = {
  nothing: {},
  settings: { maxRestarts: 99 },
  instances: { instances: 3 },
  program: { instances: 3, env: { A: '2' } },
  primary: { execMode: 'fork', env: {} },
  shell: { shellEnv: { NEW: '1' } },
};
/** The step of each command: start, apply, reload, restart. */
const rows = [
  ['running', 'nothing', 'none', 'none', 'reload', 'restart'],
  ['running', 'settings', 'none', 'configure', 'reload', 'restart'],
  ['running', 'instances', 'none', 'scale', 'reload', 'restart'],
  ['running', 'program', 'none', 'reload', 'reload', 'restart'],
  ['running', 'primary', 'none', 'restart', 'restart', 'restart'],
  ['running', 'shell', 'none', 'none', 'reload', 'restart'],
  ['given up', 'nothing', 'start', 'start', 'reload', 'restart'],
  ['given up', 'settings', 'reload', 'reload', 'reload', 'restart'],
  ['given up', 'instances', 'reload', 'reload', 'reload', 'restart'],
  ['given up', 'program', 'reload', 'reload', 'reload', 'restart'],
  ['given up', 'primary', 'restart', 'restart', 'restart', 'restart'],
  ['backoff', 'nothing', 'none', 'start', 'reload', 'restart'],
  ['backoff', 'settings', 'none', 'configure', 'reload', 'restart'],
  ['crashing', 'nothing', 'start', 'start', 'reload', 'restart'],
  ['crashing', 'settings', 'configure', 'configure', 'reload', 'restart'],
  ['crashing', 'program', 'reload', 'reload', 'reload', 'restart'],
  ['exited', 'nothing', 'start', 'start', 'reload', 'restart'],
  ['silent', 'nothing', 'start', 'start', 'reload', 'restart'],
  ['done', 'nothing', 'start', 'none', 'reload', 'restart'],
  ['done', 'settings', 'reload', 'configure', 'reload', 'restart'],
  ['down', 'nothing', 'start', 'start', 'start', 'start'],
  ['down', 'primary', 'start', 'start', 'start', 'start'],
];

for (const [state, changed, ...steps] of rows) {
  const desired = spec(changes[changed]);
  const actions = ['start', 'apply', 'reload', 'restart'];
  const found = actions.map((action) => stepFor(states[state], desired, { action }, known));
  const shown = found.map(({ action }) => action);
  t.strictSame(shown, steps, `${state}, the file changes ${changed}`);
  const isPending = steps[0] === 'none' && !['nothing', 'shell'].includes(changed);
  t.equal(found[0].pending, isPending, `${state}, ${changed}: start leaves it for apply`);
}

t.test('the environment of the shell changes only on request', async (t) => {
  const desired = spec(changes.shell);
  const kept = stepFor(running, desired, { action: 'reload' });
  t.strictSame(kept.spec.shellEnv, running.spec.shellEnv);
  const given = { action: 'apply', updateEnv: true };
  const started = { ...running, spec: { ...running.spec, shellEnv: { PORT: '1', NEW: '0' } } };
  const { action, spec: next } = stepFor(started, desired, given);
  t.equal(action, 'reload');
  t.same(next.shellEnv, { PORT: '1', NEW: '1' }, 'what this shell does not have stays');
  const dropped = stepFor(started, started.spec, { action: 'apply', dropEnv: ['PORT'] });
  t.match(dropped, { action: 'reload', spec: { shellEnv: { PORT: undefined, NEW: '0' } } });
  t.strictSame(dropped.changes, [{ key: 'env.PORT', from: '1', to: null }]);
});

t.test('start takes the variables of the shell for what does not run', async (t) => {
  const before = { PORT: '1', GONE: '1', PWD: '/a', SAME: '1', IN_FILE: '1' };
  const now = { PORT: '2', NEW: '1', PWD: '/b', SAME: '1', IN_FILE: '2' };
  const desired = spec({ shellEnv: now, env: { A: '1', IN_FILE: '3' } });
  const had = spec({ shellEnv: before, env: { A: '1', IN_FILE: '3' } });
  for (const [state, order, action, shellEnv] of [
    ['down', { action: 'start', isStart: true }, 'start', now],
    ['down', { action: 'apply', isStart: true }, 'start', now],
    ['down', { action: 'apply' }, 'start', before],
    ['given up', { action: 'start', isStart: true }, 'reload', now],
    ['crashing', { action: 'start', isStart: true }, 'reload', now],
    ['running', { action: 'start', isStart: true }, 'none', before],
    ['running', { action: 'reload' }, 'reload', before],
  ]) {
    const step = stepFor({ ...states[state], spec: had }, desired, order);
    t.match({ ...step, shellEnv: step.spec.shellEnv }, { action, shellEnv }, state);
  }
  const ofSession = { ...before, PWD: '/c', SSH_CLIENT: '1', NODECLUSTER_HOME: '/n' };
  const givenUp = { ...states['given up'], spec: had };
  const order = { action: 'start', isStart: true };
  const same = stepFor(givenUp, spec({ ...had, shellEnv: ofSession }), order);
  t.match(same, { action: 'start' }, 'what belongs to a session is no change');
});

t.test('the plan of a file', async (t) => {
  const known = [
    running,
    { ...running, name: 'off', spec: spec({ name: 'off' }), isDown: true },
    { ...running, name: 'old', spec: spec({ name: 'old' }) },
    { ...running, name: 'other', spec: specWith({ name: 'other' }) },
  ];
  const specs = [spec({ env: { A: '2' } }), spec({ name: 'off' }), spec({ name: 'new' })];
  const order = { specs, action: 'apply', file: '/f.yml' };
  const { steps, unlisted } = makePlan(order, known);
  const found = steps.map(({ app, action }) => `${action} ${app}`);
  t.strictSame(found, ['reload web', 'start off', 'start new']);
  t.strictSame(steps[0].changes, [{ key: 'env.A', from: '1', to: '2' }]);
  t.strictSame(unlisted, ['old']);
  const pruned = makePlan({ ...order, prune: true }, known);
  t.match(pruned.steps.at(-1), { app: 'old', action: 'delete' });
  const none = makePlan({ ...order, prune: true, only: [] }, known);
  t.same(none, { steps: [], unlisted: [] }, 'an empty list selects nothing');
  const only = makePlan({ ...order, prune: true, only: ['new'] }, known);
  const apps = only.steps.map(({ app }) => app);
  t.strictSame(apps, ['new']);
});

t.test('slots stay as far as they are needed, and the lowest free ones are added', async (t) => {
  t.strictSame(allowedSlots({ spares: 0 }, { slots: [0, 2, 3] }, 2), [0, 2]);
  t.strictSame(allowedSlots({ spares: 0 }, { slots: [0, 2] }, 4), [0, 1, 2, 3]);
  const scalesItself = { instances: { min: 1, max: 4 }, spares: 1 };
  t.strictSame(allowedSlots(scalesItself, { slots: [0, 1, 2], count: 3 }), [0, 1, 2, 3]);
});

/** What each app depends on; what it comes after with dependencies first, and last. */
const orders = [
  ['a b', 'a: b:', 'a: b:'],
  ['a>b b', 'a:b b:', 'a: b:a'],
  ['a>b,c b>c c', 'a:b,c b:c c:', 'a: b:a c:b,a'],
  ['a>elsewhere', 'a:', 'a:'],
  ['a>a', 'a:', 'a:'],
  ['a>b b>a', 'a:b b:', 'a: b:a'],
  ['a>b b>c c>a', 'a:b b:c c:', 'a: b:a c:b'],
  ['a>b,b b', 'a:b b:', 'a: b:a'],
];

for (const [text, first, last] of orders) {
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
  const db = { name: 'db', dependsOn: {} };
  const items = [{ name: 'web', dependsOn: { db: 'ready' } }, db];
  const done = runInOrder(items, 'first', async ({ name }) => begun.push(name));
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
  const found = await untilExited(() => app, LIMIT_MS);
  t.match(found, expected, `waits at most as long as it may for an app that ${name}`);
}
