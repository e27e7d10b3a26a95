/** Requests of clients: their checks, targets and descriptions. */
import t from 'tap';
import { daemonParams } from '../../src/daemon/checks.js';
import { describeRequest } from '../../src/daemon/control/describe-request.js';
import { select } from '../../src/daemon/control/targets.js';

// What clients send, by the types of the requests.

const selectors = ['api'];
const canary = { instances: 1, forMs: 1000, max5xx: 0, maxP99: 1 };

/** @type {[method: keyof typeof daemonParams, params: object, fault: string | null][]} */
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
  ['reload', { selectors, updateEnv: { A: 'x'.repeat(1e6) }, wait: false }, null],
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

for (const [method, params, fault] of rows) {
  t.test(`${method} ${JSON.stringify(params).slice(0, 60)} ${fault ?? 'is valid'}`, async (t) => {
    t.equal(daemonParams[method](params), fault);
  });
}

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
  const shop = { ...app('shop', 'default', 5, 1), spec: { script: '/srv/shop/app.js' } };
  t.throws(() => select(['app'], [shop]), {
    code: 'E_APP_UNKNOWN',
    data: { runs: { name: 'shop', script: '/srv/shop/app.js' } },
  });
  t.throws(() => select(['9'], apps), {
    code: 'E_WORKER_UNKNOWN',
    data: { selector: '9', workers: [] },
  });
  t.throws(() => select(['web:2'], apps), {
    code: 'E_WORKER_UNKNOWN',
    data: { selector: 'web:2', workers: ['web:0', 'web:1'] },
  });
  t.throws(() => select(['web2'], apps), { code: 'E_APP_UNKNOWN', data: { nearest: 'web' } });
  t.throws(() => select(['wbe:2'], apps), { code: 'E_APP_UNKNOWN', data: { nearest: 'web' } });
  t.throws(() => select(['/nothing/'], apps), { code: 'E_APP_UNKNOWN' });
  t.throws(() => select(['/(/'], apps), { code: 'E_SELECTOR_REGEX' });
});

t.test('a pattern that takes forever is refused', async (t) => {
  const apps = [{ name: `${'a'.repeat(60)}!`, namespace: 'default', slots: [0], ids: { 0: 0 } }];
  t.throws(() => select(['/^(a+)+$/'], apps), {
    code: 'E_SELECTOR_REGEX',
    message: /takes longer than 1000 ms/,
  });
  t.strictSame(select(['/^A+/i'], apps), [{ name: apps[0].name, slots: null }]);
});

function appOf(name, slots, configFile = null) {
  const ids = Object.fromEntries(slots.map((slot) => [slot, slot]));
  return { name, namespace: 'default', slots, ids, spec: { script: '/a.js', configFile } };
}
const apps = [appOf('api', [0, 1]), appOf('old', [2], '/e.yml')];
const table = {
  all: () => apps,
  get: (name) => apps.find((app) => app.name === name),
};
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
    [
      ['apply', { action: 'apply', prune: true, file: '/e.yml', specs: [{ name: 'api' }] }],
      ...['apply', ['api', 'old']],
    ],
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
