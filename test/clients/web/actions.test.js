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
    [{ action: 'start', target: 'api' }, 'resume', { selectors: ['api'] }],
    [{ action: 'stop', target: 'constructor' }, 'stop', { selectors: ['constructor'] }],
    [{ action: 'restart', target: 'api:1' }, 'restart', { selectors: ['api:1'] }],
    [
      { action: 'scale', target: 'api', options: { instances: '+2', updateEnv: {} } },
      'scale',
      { selector: 'api', instances: '+2' },
    ],
    [{ action: 'delete', target: 'api' }, 'delete', { selectors: ['api'] }],
  ];
  for (const [body, method, params] of rows) {
    t.strictSame(read(body), { method, params }, JSON.stringify(body));
  }
});

t.test('what is refused', async (t) => {
  const rows = [
    [{}, 400],
    [{ action: 'kill', target: 'api' }, 400],
    [{ action: 'constructor', target: 'api' }, 400],
    [{ action: { toString: 1 }, target: 'api' }, 400],
    [{ action: 'stop', target: { toString: 1 } }, 400],
    [{ action: 'stop', target: 'all' }, 404],
    [{ action: 'stop', target: '4' }, 404],
    [{ action: 'stop', target: 'api:9' }, 404],
    [{ action: 'delete', target: 'api:0' }, 404],
    [{ action: 'scale', target: 'api', options: null }, 400],
    [{ action: 'scale', target: 'api', options: { instances: 4 } }, 400],
    [{ action: 'scale', target: 'api', options: { instances: '99999' } }, 400],
  ];
  for (const [body, status] of rows) t.throws(() => read(body), { status }, JSON.stringify(body));
});
