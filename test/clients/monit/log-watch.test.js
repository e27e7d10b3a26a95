import t from 'tap';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogWatch } from '../../../src/clients/monit/log-watch.js';
import { until } from '../../support/until.js';
import { app, monitWith, worker } from './monit-under-test.js';

const api = app('api', [worker(0), worker(1)]);
const monit = monitWith([api]);
const rows = { app: monit.state, worker: monit.press('G') };

function watchOf(t, text, errors = '') {
  const folder = t.testdir({ 'api-out.log': text, 'web-error.log': errors });
  const path = join(folder, 'api-out.log');
  const requested = [];
  const events = [];
  const request = async (_method, { selectors: [selector] }) => {
    requested.push(selector);
    const [, slot] = selector.split(':');
    const slots = slot === undefined ? null : [Number(slot)];
    const style = { type: 'text', time: false, dateFormat: null };
    const own = { name: 'api', slots, style, files: [{ slot: null, out: [path], error: [] }] };
    const error = [join(folder, 'web-error.log')];
    const other = { ...own, name: 'web', files: [{ slot: null, out: [path], error }] };
    return { apps: selector === 'all' ? [own, other] : [own] };
  };
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const watch = new LogWatch((event) => events.push(event), ending.signal);
  return { path, requested, events, follow: (state) => watch.follow(state, { request }) };
}

t.test('the lines of a worker that has long been silent while others wrote', async (t) => {
  const others = Array.from({ length: 500 }, (_, index) => `api:0 | line ${index}\n`).join('');
  const { events, follow } = watchOf(t, `api:1 | FATAL? lock held by pid 77\n${others}`);
  follow(rows.worker);
  await until(() => events.length > 0, 'its log');
  t.match(events, [{ kind: 'log', key: 'api:1', isFirst: true }]);
  const messages = events[0].entries.map(({ message }) => message);
  t.same(messages, ['FATAL? lock held by pid 77']);
});

t.test('of a worker that crashes, errors; on the whole screen all', async (t) => {
  const { events, follow } = watchOf(t, 'api:1 | FATAL disk is full\napi:1 | INFO GET /\n');
  const crashing = monitWith([app('api', [worker(0), worker(1, { recentCrashes: 2 })])]);
  follow(crashing.press('G'));
  await until(() => events.length > 0, 'its errors');
  follow(crashing.press('l'));
  await until(() => events.length > 1, 'its log');
  const found = events.map(({ entries }) => entries.map(({ message }) => message));
  t.same(found, [['FATAL disk is full'], ['FATAL disk is full', 'INFO GET /']]);
});

t.test('an empty log is shown as empty', async (t) => {
  const { events, follow } = watchOf(t, '');
  follow(rows.app);
  await until(() => events.length > 0, 'its log');
  t.match(events, [{ key: 'api', entries: [], isFirst: true }]);
});

for (const text of ['', 'api | [nodecluster] — api created —\n']) {
  t.test(`stderr of all apps while its own log has only ${JSON.stringify(text)}`, async (t) => {
    const { path, events, follow } = watchOf(t, text, 'web:2 | no space left\n');
    follow(rows.app);
    await until(() => events.length === 2, 'the errors');
    const entries = [{ app: 'web', worker: 2, stream: 'error', message: 'no space left' }];
    t.match(events[1], { key: 'api', entries, isFirst: true, isOfAll: true });
    appendFileSync(path, 'api:0 | at last\n');
    await until(() => events.length === 3, 'its own line');
    t.match(events[2], { key: 'api', entries: [{ message: 'at last' }], isFirst: true });
    t.notOk(events[2].isOfAll);
  });
}

t.test('a row that is only passed is not read', async (t) => {
  const { requested, events, follow } = watchOf(t, 'api:0 | line\n');
  follow(rows.worker);
  follow(rows.app);
  await until(() => events.length > 0, 'the log of the last one');
  t.same(requested, ['api']);
});
