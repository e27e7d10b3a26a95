import t from 'tap';
import { renderEnv } from '../../../src/cli/commands/describe.js';
import { renderError, renderErrorJson } from '../../../src/cli/main.js';
import { renderPlan } from '../../../src/cli/render/plan.js';
import { NodeclusterError } from '../../../src/errors/error.js';

const plain = { width: null, colours: false };
const source = {
  specs: [{ name: 'new', instances: 2, execMode: 'cluster', script: '/srv/new.js' }],
  apply: 'nodecluster apply eco.yml',
};

t.test('each app with the smallest action and its reasons', async (t) => {
  const fewer = { key: 'instances', from: 4, to: 2 };
  const plan = [
    { app: 'api', action: 'reload', changes: [{ key: 'env.A', from: 'x\u001b', to: undefined }] },
    { app: 'web', action: 'scale', changes: [{ key: 'instances', from: 2, to: 4 }] },
    { app: 'job', action: 'none', changes: [] },
    { app: 'old', action: 'delete' },
    { app: 'new', action: 'start' },
    { app: 'shop', action: 'none', pending: true, changes: [fewer] },
  ];
  t.matchSnapshot(renderPlan(plan, ['gone'], source, plain), 'plan');
  t.equal(renderPlan([], [], source, plain), 'Nothing to do.');
});

t.test('what a restart costs depends on the mode', async (t) => {
  const costOf = (change, ...keys) => {
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

t.test('a line for each variable, in order, with where it comes from', async (t) => {
  const HOME = { value: '/root\n\u001b[2J', from: 'shell' };
  const api = { name: 'api', env: { PORT: { value: '3000', from: 'file' }, HOME } };
  t.equal(renderEnv([api], plain), 'HOME=/root\\x0a\\x1b[2J\nPORT=3000  # file');
  const web = { name: 'web', env: { A: { value: '', from: 'shell' } } };
  t.equal(renderEnv([{ ...api, env: {} }, web], plain), 'api\n\nweb\nA=', 'several are titled');
});

const error = new NodeclusterError('E_NO_APPS', { home: '/h\u001b[2J' });

t.test('the message, then what to do, then the code', async (t) => {
  t.equal(
    renderError(error, plain),
    'error: Nothing to do: /h\\x1b[2J has no apps.\n  Start one with `nodecluster start app.js -i max`. [E_NO_APPS]',
  );
  t.ok(renderError(error, { width: 80, colours: true }).startsWith('\u001b[31m'));
  const bare = renderError(new NodeclusterError('E_PROTOCOL_METHOD', { method: 'fly' }), plain);
  t.equal(bare.split('\n').length, 1, 'no second line without a hint');
  t.match(JSON.parse(renderErrorJson(error)), {
    error: { code: 'E_NO_APPS', exitCode: 4, message: String, hint: String, data: Object },
  });
});
