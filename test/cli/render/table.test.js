import t from 'tap';
import { parseSort } from '../../../src/cli/commands/ls.js';
import { sortApps } from '../../../src/cli/render/sort.js';

const workerWith = (more) => ({ status: 'online', pid: null, cpu: null, restarts: 0, ...more });
const appOf = (name, status, ...workers) => ({ name, status, workers: workers.map(workerWith) });
const apps = [
  appOf('web', 'online', { id: 2, memory: 50, cpu: 9 }),
  appOf('api', 'online', { id: 0, memory: 30 }, { id: 1, memory: 40 }),
  appOf('job', 'stopped', { id: 3, memory: null, status: 'stopped' }),
];
const namesOf = (sorted) => sorted.map(({ name }) => name);
const idsOf = ({ workers }) => workers.map(({ id }) => id);

const rows = [
  ['name', ['api', 'job', 'web'], [0, 1]],
  ['id:desc', ['job', 'web', 'api'], [1, 0]],
  ['memory', ['web', 'api', 'job'], [0, 1]],
  ['memory:desc', ['api', 'web', 'job'], [1, 0]],
  ['cpu', ['web', 'api', 'job'], [0, 1]],
  ['status', ['web', 'api', 'job'], [0, 1]],
];

t.test('apps and workers, unknown values last; by status what is wrong comes first', async (t) => {
  for (const [sort, names, ids] of rows) {
    const sorted = sortApps(apps, parseSort(sort));
    t.same(namesOf(sorted), names, sort);
    t.same(idsOf(sorted.find(({ name }) => name === 'api')), ids);
  }
  const pay = appOf('pay', 'online', { id: 4 }, { id: 5, degraded: 'errors' });
  const sorted = sortApps([apps[0], pay], parseSort('status'));
  t.same(namesOf(sorted), ['pay', 'web']);
  t.same(sorted.map(idsOf), [[5, 4], [2]]);
});

t.test('an unknown column', async (t) => {
  for (const text of ['mem', 'cpu:up', '']) t.throws(() => parseSort(text), /one of name, id, pid/);
});
