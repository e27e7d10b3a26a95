import t from 'tap';
import { userInfo } from 'node:os';
import { daemonParams } from '../../src/daemon/checks.js';
import { describeRequest, senderOf } from '../../src/daemon/control/describe-request.js';
import { select } from '../../src/daemon/control/targets.js';

const selectors = ['api'];
const canary = { instances: 1, forMs: 1000, max5xx: 0, maxP99: 1 };

const rows = [
  ['list', {}, null],
  ['list', { fields: ['everything'] }, 'fields.0'],
  ['stop', { selectors }, null],
  ['stop', {}, 'selectors'],
  ...['stop', 'resume', 'delete', 'list', 'env'].flatMap((method) => [
    [method, { selectors: 5 }, 'selectors'],
    [method, { selectors: [{ toString: 1 }] }, 'selectors.0'],
  ]),
  ['resume', { selectors, updateEnv: { PORT: 80 } }, 'updateEnv.PORT'],
  ['restart', { selectors, updateEnv: { PORT: 80 } }, 'updateEnv.PORT'],
  ['start', { specs: [{}] }, null],
  ['start', { specs: 5 }, 'specs'],
  ['start', { specs: [null] }, 'specs.0'],
  ['start', { specs: [], shellEnv: { A: 1 } }, 'shellEnv.A'],
  ['reload', { selectors, updateEnv: { A: 'x'.repeat(1e6) } }, null],
  ['reload', { selectors, updateEnv: null }, null],
  ['reload', { selectors, updateEnv: { 'A=B': '' } }, 'updateEnv.A=B'],
  ['reload', { selectors, updateEnv: { A: 'a\0b' } }, 'updateEnv.A'],
  ['reload', { selectors, updateEnv: [] }, 'updateEnv'],
  ['reload', { selectors, parallel: 0 }, 'parallel'],
  ['reload', { selectors, onFailure: 'constructor' }, 'onFailure'],
  ['reload', { selectors, canary }, null],
  ['reload', { selectors, canary: { ...canary, instances: 0.5 } }, 'canary.instances'],
  ['reload', { selectors, canary: { ...canary, forMs: 86_400_001 } }, 'canary.forMs'],
  ['reload', { selectors, canary: { ...canary, max5xx: -1 } }, 'canary.max5xx'],
  ['reload', { selectors, canary: { ...canary, maxP99: 0.5 } }, 'canary.maxP99'],
  ['apply', { specs: [], action: 'start', only: null }, null],
  ['apply', { specs: [], action: 'constructor' }, 'action'],
  ['apply', { specs: [], action: 'start', only: { toString: 1 } }, 'only'],
  ['scale', { selector: 'api', instances: 2 }, null],
  ['scale', { selector: 'api', instances: '+2' }, null],
  ['scale', { selector: 'api', instances: {} }, 'instances'],
  ['scale', { selector: {}, instances: '2' }, 'selector'],
  ['signal', { selectors, signal: 9 }, 'signal'],
  ['profile', { selector: 'api', kind: 'heap' }, null],
  ['profile', { selector: 'api', kind: 'toString' }, 'kind'],
  ['profile', { selector: 'api', kind: 'cpu', durationMs: 3_600_001 }, 'durationMs'],
];

for (const [method, params, fault] of rows)
  t.equal(
    daemonParams[method](params),
    fault,
    `${method} ${JSON.stringify(params).slice(0, 60)} ${fault ?? 'is valid'}`,
  );

const appOf = (name, slots, more = {}) => ({
  ...{ name, namespace: 'default', slots, ids: Object.fromEntries(slots.map((s) => [s, s])) },
  ...more,
});

t.test('selectors', async (t) => {
  const apps = [
    appOf('api', [0, 1], { namespace: 'shop' }),
    appOf('api-admin', [0], { namespace: 'shop', ids: { 0: 2 } }),
    appOf('web', [0, 1], { ids: { 0: 3, 1: 4 } }),
  ];
  const [api, admin, web] = apps.map(({ name }) => ({ name, slots: null }));
  for (const [selectors, selection] of [
    ['api', [api]],
    ['1', [{ name: 'api', slots: [1] }]],
    ['web:0', [{ name: 'web', slots: [0] }]],
    ['shop', [api, admin]],
    ['/^API/i', [api, admin]],
    ['all', [api, admin, web]],
    ['4 web:0 api', [api, { name: 'web', slots: [0, 1] }]],
    ['0 api 1', [api]],
  ]) {
    t.strictSame(select(selectors.split(' '), apps), selection, selectors);
  }
  t.strictSame(select(['all'], []), []);
  const slow = [appOf(`${'a'.repeat(60)}!`, [0])];
  t.strictSame(select(['/^A+/i'], slow), [{ name: slow[0].name, slots: null }]);

  const known = ['api', 'api-admin', 'web'];
  for (const [selector, code, data, of = apps] of [
    ['api-amdin', 'E_APP_UNKNOWN', { selector: 'api-amdin', known, nearest: 'api-admin' }],
    ['9', 'E_WORKER_UNKNOWN', { selector: '9', workers: [] }],
    ['web:2', 'E_WORKER_UNKNOWN', { selector: 'web:2', workers: ['web:0', 'web:1'] }],
    ['web2', 'E_APP_UNKNOWN', { nearest: 'web' }],
    ['wbe:2', 'E_APP_UNKNOWN', { nearest: 'web' }],
    ['/nothing/', 'E_APP_UNKNOWN', {}],
    ['/(/', 'E_SELECTOR_REGEX', {}],
    ['/^(a+)+$/', 'E_SELECTOR_REGEX', { reason: /longer than 1000 ms/ }, slow],
  ]) {
    t.throws(() => select([selector], of), { code, data }, selector);
  }
});

const apps = [
  appOf('api', [0, 1], { spec: { configFile: null } }),
  appOf('old', [2], { spec: { configFile: '/e.yml' } }),
];
const table = { all: () => apps, get: (name) => apps.find((app) => app.name === name) };
const daemon = { table };
const describe = (method, params, row = {}) =>
  describeRequest(daemon, method, { answer() {}, ...row }, params);

t.test('the command that users gave, and its apps', async (t) => {
  const rows = [
    [['reload', { selectors: ['all'] }], 'reload', ['api', 'old']],
    [['stop', { selectors: ['api:1'] }], 'stop', ['api:1']],
    [['stop', { selectors: ['nobody'] }], 'stop', []],
    [['scale', { selector: 'api', instances: '2' }], 'scale', ['api']],
    [['kill', {}], 'kill', ['api', 'old']],
    [['resume', { selectors: ['api'] }, { command: 'start' }], 'start', ['api']],
    [['rename', { app: 'api', name: 'new' }, { command: 'restart' }], 'restart', ['api', 'new']],
    [['apply', { action: 'reload', specs: [{ name: 'api' }] }], 'reload', ['api']],
    [['start', { specs: [{ name: { toString: 1 } }] }], 'start', ['?']],
    [['apply', { action: 'apply', prune: true, file: '/e.yml', specs: [] }], 'apply', ['old']],
  ];
  for (const [given, command, names] of rows) {
    t.match(describe(...given), { command, apps: names }, JSON.stringify(given));
  }
});

t.test('parameters are short, and without secrets', async (t) => {
  const { params } = describe('send', {
    selectors: ['{"token":"planted"}', 'x\n'.repeat(500), ...Array(900).fill('shop')],
    message: 'planted',
    updateEnv: { A: 'planted' },
    specs: [],
    instances: 2,
  });
  t.notMatch(JSON.stringify(params), 'planted');
  t.match(params, { updateEnv: true, instances: 2 });
  t.ok(JSON.stringify(params).length < 3000);
  t.equal(params.selectors.at(-1), '…');
});

t.test('the names of many apps', async (t) => {
  const specs = Array.from({ length: 1000 }, (_, index) => ({ name: `app-${index}` }));
  const described = describe('start', { specs });
  t.equal(described.apps.at(-1), '…');
  t.ok(described.apps.join('').length < 1100);
});

const UNKNOWN = { user: null, account: null, login: null, cwd: null };
const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };

t.test('who asks, as far as that is known', LINUX, async (t) => {
  const found = await senderOf({ role: 'cli', user: 'alice', pid: process.pid });
  t.match(found, { role: 'cli', user: 'alice', account: userInfo().username });
  t.equal(found.cwd, process.cwd());
  const nameless = await senderOf({ role: 'x'.repeat(100) });
  t.strictSame(nameless, { ...UNKNOWN, role: `${'x'.repeat(63)}…` });
  t.strictSame(await senderOf({ role: 'cli', pid: 2 ** 31 - 1 }), { ...UNKNOWN, role: 'cli' });
});
