import t from 'tap';
import { parseSort } from '../../../src/cli/commands/ls.js';
import { sortApps } from '../../../src/cli/render/ls.js';

const workerWith = (more) => ({ status: 'online', pid: null, cpu: null, restarts: 0, ...more });
const appOf = (name, status, ...workers) => ({ name, status, workers: workers.map(workerWith) });
const apps = [
  appOf('web', 'online', { id: 2, memory: 50, cpu: 9 }),
  appOf('api', 'online', { id: 0, memory: 30 }, { id: 1, memory: 40 }),
  appOf('job', 'stopped', { id: 3, memory: null, status: 'stopped' }),
];
const namesOf = (sorted) => sorted.map(({ name }) => name);

const rows = [
  ['name', ['api', 'job', 'web']],
  ['id:desc', ['job', 'web', 'api']],
  ['memory', ['web', 'api', 'job']],
  ['memory:desc', ['api', 'web', 'job']],
  ['cpu', ['web', 'api', 'job']],
  ['status', ['web', 'api', 'job']],
];

t.test('apps, unknown values last; by status what is wrong comes first', async (t) => {
  for (const [sort, names] of rows) t.same(namesOf(sortApps(apps, parseSort(sort))), names, sort);
  const pay = appOf('pay', 'online', { id: 4 }, { id: 5, degraded: 'errors' });
  t.same(namesOf(sortApps([apps[0], pay], parseSort('status'))), ['pay', 'web']);
});

t.test('an unknown column', async (t) => {
  for (const text of ['mem', 'cpu:up', '']) t.throws(() => parseSort(text), /one of name, id, pid/);
});
