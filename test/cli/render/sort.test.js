import t from 'tap';
import { parseSort } from '../../../src/cli/commands/ls.js';
import { arrangeApps } from '../../../src/cli/render/sort.js';

const worker = (more) => ({
  status: 'online',
  pid: null,
  cpu: null,
  restarts: 0,
  ...more,
});
const apps = [
  { name: 'web', status: 'online', workers: [worker({ id: 2, memory: 50, cpu: 9 })] },
  {
    name: 'api',
    status: 'online',
    workers: [worker({ id: 0, memory: 30 }), worker({ id: 1, memory: 40 })],
  },
  { name: 'job', status: 'stopped', workers: [worker({ id: 3, memory: null, status: 'stopped' })] },
];

const rows = [
  ['name', ['api', 'job', 'web'], [0, 1]],
  ['id:desc', ['job', 'web', 'api'], [1, 0]],
  ['memory', ['web', 'api', 'job'], [0, 1]],
  ['memory:desc', ['api', 'web', 'job'], [1, 0]],
  ['cpu', ['web', 'api', 'job'], [0, 1]],
  ['status', ['web', 'api', 'job'], [0, 1]],
];

for (const [sort, names, ids] of rows) {
  t.test(sort, async (t) => {
    const sorted = arrangeApps(apps, { sort: parseSort(sort) });
    t.same(
      sorted.map(({ name }) => name),
      names,
    );
    const api = sorted.find(({ name }) => name === 'api');
    t.same(
      api.workers.map(({ id }) => id),
      ids,
    );
  });
}

t.test('by status: what is wrong comes first', async (t) => {
  const ill = worker({ id: 5, degraded: 'errors' });
  const well = worker({ id: 4 });
  const sorted = arrangeApps([apps[0], { name: 'pay', status: 'online', workers: [well, ill] }], {
    sort: parseSort('status'),
  });
  t.same(
    sorted.map(({ name, workers }) => [name, ...workers.map(({ id }) => id)]),
    [
      ['pay', 5, 4],
      ['web', 2],
    ],
  );
});

t.test('without --sort the order is that of the daemon', async (t) => {
  t.equal(arrangeApps(apps, {}), apps);
});

t.test('an unknown column', async (t) => {
  for (const text of ['mem', 'cpu:up', '']) t.throws(() => parseSort(text), /one of name, id, pid/);
});
