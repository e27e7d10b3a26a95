import t from 'tap';
import { describeRequest } from '../../../src/daemon/control/describe-request.js';

/** @param {string} name @param {number[]} slots @param {string | null} [configFile] */
function appOf(name, slots, configFile = null) {
  const ids = Object.fromEntries(slots.map((slot) => [slot, slot]));
  return { name, namespace: 'default', slots, ids, spec: { script: '/a.js', configFile } };
}
const apps = [appOf('api', [0, 1]), appOf('old', [2], '/e.yml')];
const table = {
  all: () => apps,
  get: (/** @type {string} */ name) => apps.find((app) => app.name === name),
};
const daemon = /** @type {any} */ ({ table });
const describe = (method, params, row = {}) =>
  describeRequest(daemon, method, /** @type {any} */ ({ answer() {}, ...row }), params);

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
