import t from 'tap';
import { renderPlan } from '../../../src/cli/render/plan.js';

const plain = { width: null, colours: false };
const source = {
  specs: [{ name: 'new', instances: 2, execMode: 'cluster', script: '/srv/new.js' }],
  apply: 'nodecluster apply eco.yml',
};

t.test('each app with the smallest action and its reasons', async (t) => {
  const plan = [
    { app: 'api', action: 'reload', changes: [{ key: 'env.A', from: 'x\u001b', to: undefined }] },
    { app: 'web', action: 'scale', changes: [{ key: 'instances', from: 2, to: 4 }] },
    { app: 'job', action: 'none', changes: [] },
    { app: 'old', action: 'delete' },
    { app: 'new', action: 'start' },
    {
      app: 'shop',
      action: 'none',
      pending: true,
      changes: [{ key: 'instances', from: 4, to: 2 }],
    },
  ];
  t.matchSnapshot(renderPlan(plan, ['gone'], source, plain), 'plan');
});

t.test('what a restart costs depends on the mode', async (t) => {
  const costOf = (/** @type {object} */ change, /** @type {string[]} */ ...keys) => {
    const specs = [{ ...source.specs[0], ...change }];
    const plan = [{ app: 'new', action: 'restart', changes: keys.map((key) => ({ key })) }];
    const [line] = renderPlan(plan, [], { ...source, specs }, plain).split('\n');
    return line.replace(/ +/, '  ');
  };
  const waits = 'new  restart, workers finish their requests, new connections wait';
  const interrupts = 'new  restart, requests are interrupted';
  t.equal(costOf({}), waits);
  t.equal(costOf({}, 'scheduling'), waits);
  t.equal(costOf({}, 'exec_mode'), interrupts, 'fork mode before');
  t.equal(costOf({ execMode: 'fork' }), interrupts);
});

t.test('an empty plan says so', async (t) => {
  t.equal(renderPlan([], [], source, plain), 'Nothing to do.');
});
