/** What the page may ask of the daemon. */
import t from 'tap';
import { readAction } from '../../../src/clients/web/actions.js';

const apps = [
  {
    name: 'api',
    workers: [
      { id: 4, slot: 0 },
      { id: 5, slot: 1 },
    ],
  },
  { name: 'constructor', workers: [] },
];
const read = (body) => readAction(body, apps);

t.test('what it becomes', async (t) => {
  const rows = [
    [{ action: 'start', targets: ['api'] }, 'resume', { selectors: ['api'] }],
    [
      { action: 'stop', targets: ['api', 'constructor'] },
      'stop',
      { selectors: ['api', 'constructor'] },
    ],
    [{ action: 'restart', targets: [5] }, 'restart', { selectors: ['api:1'] }],
    [
      { action: 'reload', targets: ['api'], options: { parallel: 2 } },
      'reload',
      { selectors: ['api'], parallel: 2 },
    ],
    [
      { action: 'reload', targets: ['api'], options: { parallel: -1 } },
      'reload',
      { selectors: ['api'] },
    ],
    [
      { action: 'reset', targets: ['api'], options: { updateEnv: {} } },
      'reset',
      { selectors: ['api'] },
    ],
    [
      { action: 'scale', targets: ['api'], options: { instances: '+2' } },
      'scale',
      { selector: 'api', instances: '+2' },
    ],
    [
      { action: 'scale', targets: ['api'], options: { instances: 'max' } },
      'scale',
      { selector: 'api', instances: 'max' },
    ],
    [{ action: 'run-now', targets: ['api'] }, 'run-now', { selectors: ['api'] }],
    [{ action: 'flush', targets: ['api'] }, 'flush', { selectors: ['api'] }],
    [{ action: 'delete', targets: ['api'] }, 'delete', { selectors: ['api'] }],
  ];
  for (const [body, method, params] of rows) {
    const order = read(body);
    t.strictSame(
      { method: order.method, params: order.params },
      { method, params },
      JSON.stringify(body),
    );
  }
  t.same(read({ action: 'stop', targets: [4] }).targets, ['api:0']);
});

t.test('what is refused', async (t) => {
  const rows = [
    [{}, 400],
    [{ action: 'kill', targets: ['api'] }, 400],
    [{ action: 'constructor', targets: ['api'] }, 400],
    [{ action: 'stop' }, 400],
    [{ action: 'stop', targets: [] }, 400],
    [{ action: 'stop', targets: 'api' }, 400],
    [{ action: 'stop', targets: Array(101).fill('api') }, 400],
    [{ action: 'stop', targets: ['all'] }, 404],
    [{ action: 'stop', targets: ['/.*/'] }, 404],
    [{ action: 'stop', targets: ['default'] }, 404],
    [{ action: 'stop', targets: ['4'] }, 404],
    [{ action: 'stop', targets: [9] }, 404],
    [{ action: 'stop', targets: [null] }, 400],
    [{ action: 'stop', targets: ['api', { toString: 1 }] }, 400],
    [{ action: { toString: 1 }, targets: ['api'] }, 400],
    [{ action: 'scale', targets: ['api'], options: { instances: { toString: 1 } } }, 400],
    [{ action: 'run-now', targets: [4] }, 404],
    [{ action: 'delete', targets: [4] }, 404],
    [{ action: 'scale', targets: ['api', 'constructor'], options: { instances: '1' } }, 400],
    [{ action: 'scale', targets: ['api'] }, 400],
    [{ action: 'scale', targets: ['api'], options: null }, 400],
    [{ action: 'scale', targets: ['api'], options: { instances: 4 } }, 400],
    [{ action: 'scale', targets: ['api'], options: { instances: '99999' } }, 400],
  ];
  for (const [body, status] of rows) t.throws(() => read(body), { status }, JSON.stringify(body));
});
