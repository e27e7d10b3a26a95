import t from 'tap';
import { makePlan, stepFor } from '../../../src/daemon/apps/plan.js';
import { specWith } from '../../support/spec.js';

const spec = (overrides) => specWith({ configFile: '/f.yml', env: { A: '1' }, ...overrides });
const running = { name: 'web', spec: spec({}), isDown: false, hasGivenUp: false };
const states = {
  running,
  'given up': { ...running, hasGivenUp: true },
  down: { ...running, isDown: true },
};
/** What the file changes. */
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
  ['down', 'nothing', 'start', 'start', 'start', 'start'],
  ['down', 'primary', 'start', 'start', 'start', 'start'],
];

for (const [state, changed, ...steps] of rows) {
  t.test(`${state}, the file changes ${changed}`, async (t) => {
    const desired = spec(changes[changed]);
    const actions = ['start', 'apply', 'reload', 'restart'];
    const found = actions.map((action) => stepFor(states[state], desired, { action }));
    t.strictSame(
      found.map(({ action }) => action),
      steps,
    );
    const isPending = steps[0] === 'none' && !['nothing', 'shell'].includes(changed);
    t.equal(found[0].pending, isPending, 'start leaves it for apply');
  });
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
  t.strictSame(
    steps.map(({ app, action }) => [app, action]),
    [
      ['web', 'reload'],
      ['off', 'start'],
      ['new', 'start'],
    ],
  );
  t.strictSame(steps[0].changes, [{ key: 'env.A', from: '1', to: '2' }]);
  t.strictSame(unlisted, ['old']);
  const pruned = makePlan({ ...order, prune: true }, known);
  t.match(pruned.steps.at(-1), { app: 'old', action: 'delete' });
  const none = makePlan({ ...order, prune: true, only: [] }, known);
  t.same(none, { steps: [], unlisted: [] }, 'an empty list selects nothing');
  const only = makePlan({ ...order, prune: true, only: ['new'] }, known);
  t.strictSame(
    only.steps.map(({ app }) => app),
    ['new'],
  );
});
