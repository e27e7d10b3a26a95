import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogWatch } from '../../../src/clients/monit/log-watch.js';
import { until } from '../../support/until.js';
import { app, worker } from './monit-under-test.js';

/** @import { Test } from 'tap' */

const api = app('api', [worker(0), worker(1)]);
const rows = {
  app: { key: 'api', kind: 'app', app: api, worker: null },
  worker: { key: 'api:1', kind: 'worker', app: api, worker: api.workers[1] },
};

/**
 * @param {Test} t
 * @param {string} text what the log holds
 */
function watchOf(t, text) {
  const path = join(t.testdir(), 'api-out.log');
  writeFileSync(path, text);
  const requested = [];
  const events = [];
  const request = async (_method, { selectors: [selector] }) => {
    requested.push(selector);
    const slots = selector === 'api' ? null : [Number(selector.split(':')[1])];
    const style = { type: 'text', time: false, dateFormat: null };
    return {
      apps: [{ name: 'api', slots, style, files: [{ slot: null, out: [path], error: [] }] }],
    };
  };
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const watch = new LogWatch((event) => events.push(event), ending.signal);
  return { requested, events, follow: (row) => watch.follow(row, { request }) };
}

t.test('the lines of a worker that has long been silent while others wrote', async (t) => {
  const others = Array.from({ length: 500 }, (_, index) => `api:0 | line ${index}\n`).join('');
  const { events, follow } = watchOf(t, `api:1 | FATAL? lock held by pid 77\n${others}`);
  follow(rows.worker);
  await until(() => events.length > 0, 'its log');
  t.match(events, [{ kind: 'log', key: 'api:1', isFirst: true }]);
  t.same(
    events[0].entries.map(({ message }) => message),
    ['FATAL? lock held by pid 77'],
  );
});

t.test('an empty log is shown as empty', async (t) => {
  const { events, follow } = watchOf(t, '');
  follow(rows.app);
  await until(() => events.length > 0, 'its log');
  t.match(events, [{ key: 'api', entries: [], isFirst: true }]);
});

t.test('a row that is only passed is not read', async (t) => {
  const { requested, events, follow } = watchOf(t, 'api:0 | line\n');
  follow(rows.worker);
  follow(rows.app);
  await until(() => events.length > 0, 'the log of the last one');
  t.same(requested, ['api']);
});
