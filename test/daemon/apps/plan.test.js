import t from 'tap';
import { makePlan } from '../../../src/daemon/apps/plan.js';
import { testSpec } from '../daemon-under-test.js';

t.test('a plan has the smallest action for each app', async (t) => {
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
  t.equal(actionFor({ env: {} }, { action: 'start' }), 'none', 'start only lists the changes');
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
  t.same(none, { steps: [], unlisted: [] }, 'an empty list selects nothing');
  const only = makePlan({ ...order, prune: true, only: ['new'] }, known);
  t.strictSame(
    only.steps.map(({ app }) => app),
    ['new'],
  );
});
