import t from 'tap';
import { parseSort } from '../../../src/cli/commands/ls.js';
import { arrangeApps } from '../../../src/cli/render/sort.js';
import { linesOf, watchTable } from '../../../src/cli/render/watch-table.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { app, worker } from '../../clients/monit/monit-under-test.js';
import { commandWith } from '../fake-context.js';
import { said } from '../../support/snapshot.js';

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
    const sorted = arrangeApps(apps, { sort: parseSort(sort) });
    t.same(namesOf(sorted), names, sort);
    t.same(idsOf(sorted.find(({ name }) => name === 'api')), ids);
  }
  const pay = appOf('pay', 'online', { id: 4 }, { id: 5, degraded: 'errors' });
  const sorted = arrangeApps([apps[0], pay], { sort: parseSort('status') });
  t.same(namesOf(sorted), ['pay', 'web']);
  t.same(sorted.map(idsOf), [[5, 4], [2]]);
});

t.test('no column, and an unknown one', async (t) => {
  t.equal(arrangeApps(apps, {}), apps);
  for (const text of ['mem', 'cpu:up', '']) t.throws(() => parseSort(text), /one of name, id, pid/);
});

const look = { width: 60, colours: false };
const many = Array.from({ length: 30 }, (_, slot) => worker(slot));

const shown = (apps, rows) => linesOf(apps, look, rows);

t.test('a table that fits, or not', async (t) => {
  const short = shown([app('api', [worker(0)])], 24);
  t.match(short, [/^id/, /^ 0 {2}api/]);
  const lines = shown([app('api', many)], 10);
  t.equal(lines.length, 10);
  t.match(lines[8], /^ 6 {2}/);
  t.equal(lines[9], '… 23 more rows');
  for (const rows of [1, 2, 3]) t.ok(shown([app('api', many)], rows).length <= rows);
});

t.test('the lines below the table stay, and rows of healthy apps go first', async (t) => {
  const reason = said(`took port ${'x '.repeat(40)}`);
  const failing = worker(0, { status: 'errored', pid: undefined, cause: 'no database', reason });
  const apps = [app('api', many), app('web', [failing])];
  const lines = shown(apps, 12);
  t.equal(lines.length, 12);
  t.match(lines[1], / web .*errored/);
  t.match(lines[2], / api /);
  const notes = ['… 25 more rows', /^web:0 took port x/, /^x /, /logs web/];
  t.match(lines.slice(8), notes);
  for (const line of lines) t.ok(line.length <= look.width, line);
  t.match(shown(apps, 9)[1], / web /, 'a few rows are shown in any case');
});

t.test('a home without apps says how to start, and --json is rejected', async (t) => {
  const { printed, run } = await commandWith('ls --watch', { daemon: null });
  t.equal(await run(), 0);
  t.match(printed[0], /nodecluster start/);
  await t.rejects((await commandWith('ls --watch --json')).run(), { code: 'E_USAGE' });
});

t.test('--watch says once that the daemon is lost, and when it is silent', async (t) => {
  let onSilence;
  const timer = { refresh: () => {} };
  const onTimer = (callback) => ((onSilence = callback), timer);
  t.intercept(globalThis, 'setTimeout', { value: onTimer });
  const noted = [];
  const written = [];
  const request = async (method, _params, { onNotification }) => {
    const patch = { daemon: {}, order: ['api'], apps: { api: app('api', many) } };
    onNotification('state', { seq: 1, at: 1, patch });
    onSilence();
    throw new NodeclusterError('E_PROTOCOL_CLOSED', { method });
  };
  const found = [{ request }, null, null, { request }];
  const daemons = { find: async () => found.shift(), close: () => {} };
  const write = async (text) => written.push(text) < 2;
  const note = (text) => noted.push(text);
  await watchTable({ daemons, env: {}, options: {}, write, note, stdout: look, tty: null });
  const silent = 'The daemon does not reply; this table may be out of date.';
  t.same(noted, [silent, 'Lost the daemon; reconnecting …', silent]);
  t.match(written, [/api/, /api/]);
});
