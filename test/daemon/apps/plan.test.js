import t from 'tap';
import { makePlan, stepFor } from '../../../src/daemon/apps/plan.js';
import { assignIds, slotsFor } from '../../../src/daemon/apps/slots.js';
import { specWith } from '../../support/spec.js';

const spec = (overrides) => specWith({ configFile: '/f.yml', env: { A: '1' }, ...overrides });
const running = { name: 'web', spec: spec({}), isDown: false, hasGivenUp: false };
const states = {
  running,
  'given up': { ...running, hasGivenUp: true },
  down: { ...running, isDown: true },
};
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
    const shown = found.map(({ action }) => action);
    t.strictSame(shown, steps);
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

t.test('start takes the variables of the shell for what does not run', async (t) => {
  const before = { PORT: '1', GONE: '1', PWD: '/a', SAME: '1', IN_FILE: '1' };
  const now = { PORT: '2', NEW: '1', PWD: '/b', SAME: '1', IN_FILE: '2' };
  const desired = spec({ shellEnv: now, env: { A: '1', IN_FILE: '3' } });
  const had = spec({ shellEnv: before, env: { A: '1', IN_FILE: '3' } });
  for (const [state, order, action, shellEnv, shell] of [
    ['down', { action: 'start', isStart: true }, 'start', now, ['PORT', 'NEW', 'GONE']],
    ['down', { action: 'apply', isStart: true }, 'start', now, ['PORT', 'NEW', 'GONE']],
    ['down', { action: 'apply' }, 'start', before, []],
    ['given up', { action: 'start', isStart: true }, 'reload', now, ['PORT', 'NEW', 'GONE']],
    ['running', { action: 'start', isStart: true }, 'none', before, ['PORT', 'NEW', 'GONE']],
    ['running', { action: 'reload' }, 'reload', before, []],
  ]) {
    const step = stepFor({ ...states[state], spec: had }, desired, order);
    t.match({ ...step, shellEnv: step.spec.shellEnv }, { action, shellEnv, shell }, state);
  }
  const ofSession = { ...before, PWD: '/c', SSH_CLIENT: '1', NODECLUSTER_HOME: '/n' };
  const givenUp = { ...states['given up'], spec: had };
  const same = stepFor(givenUp, spec({ ...had, shellEnv: ofSession }), {
    action: 'start',
    isStart: true,
  });
  t.match(same, { action: 'start', shell: [] }, 'what belongs to a session is no change');
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

t.test('worker ids are stable and never reused', async (t) => {
  t.strictSame(assignIds([0, 1], {}, 0), { ids: { 0: 0, 1: 1 }, next: 2 });
  t.strictSame(assignIds([0, 1, 2], { 0: 0, 1: 3 }, 7), { ids: { 0: 0, 1: 3, 2: 7 }, next: 8 });
  t.strictSame(assignIds([0], { 0: 5, 1: 6 }, 7), { ids: { 0: 5 }, next: 7 });
  t.strictSame(assignIds([0, 1], { 0: 5, 1: 6 }, 0).next, 7, 'also when the counter was lost');
  t.strictSame(slotsFor([0, 2, 3], 2), [0, 2]);
  t.strictSame(slotsFor([0, 2], 4), [0, 1, 2, 3]);
});
