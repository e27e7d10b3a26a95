import t from 'tap';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { matches } from '../../../src/api/logs/log-source.js';
import { readAction, readLogRequest } from '../../../src/clients/web/daemon.js';
import { Tab } from '../../../src/clients/web/live.js';
import { EventWriter } from '../../../src/clients/web/respond.js';
import { LINK_MS, Links, Sessions } from '../../../src/clients/web/sessions.js';
import { listening } from '../../support/listening.js';
import { until } from '../../support/until.js';

t.test('what an action becomes', async (t) => {
  const options = { instances: '+2', updateEnv: {} };
  const rows = [
    [{ action: 'start', target: 'api' }, 'resume', { selectors: ['api'] }],
    [{ action: 'stop', target: 'constructor' }, 'stop', { selectors: ['constructor'] }],
    [{ action: 'restart', target: 'api:1' }, 'restart', { selectors: ['api:1'] }],
    [{ action: 'scale', target: 'api', options }, 'scale', { selector: 'api', instances: '+2' }],
  ];
  for (const [body, method, params] of rows) {
    t.strictSame(readAction(body), { method, params }, JSON.stringify(body));
  }
});

t.test('actions that are refused', async (t) => {
  const refuses = (body) => t.throws(() => readAction(body), { status: 400 }, JSON.stringify(body));
  refuses({});
  refuses({ action: 'stop', target: { toString: 1 } });
  for (const action of ['delete', 'kill', 'constructor', { toString: 1 }])
    refuses({ action, target: 'api' });
  for (const options of [null, { instances: 4 }, { instances: '99999' }])
    refuses({ action: 'scale', target: 'api', options });
});

t.test('from a level on', async (t) => {
  const rows = [
    [{ message: 'x', stream: 'out' }, null, true],
    [{ message: 'x', stream: 'out' }, 'trace', false],
    [{ message: 'x', stream: 'error' }, 'error', true],
    [{ message: 'x', stream: 'error' }, 'fatal', false],
    [{ message: '{"level":"warn","msg":"x"}', stream: 'out' }, 'info', true],
    [{ message: '{"level":"warn","msg":"x"}', stream: 'error' }, 'error', false],
  ];
  for (const [entry, least, shown] of rows)
    t.equal(matches({ grep: null, least }, entry), shown, `${entry.message} ${least}`);
});

t.test('a request for lines', async (t) => {
  const read = (query) => readLogRequest(new URLSearchParams(query));
  const options = { filter: { stream: null, grep: null }, pastLines: 1000 };
  t.match(read(''), { selectors: ['all'], options });
  t.same(read('target=api:1').selectors, ['api:1']);
  const { grep } = read('search=a.b(').options.filter;
  const found = ['xA.B(y', 'aXb('].map((text) => grep.test(text));
  t.same(found, [true, false], 'is no pattern');
  t.equal(read('level=warn').options.filter.least, 'warn');
  t.throws(() => read('level=loud'), { status: 400 });
});

const HOUR = 3_600_000;

t.test('a link is for one person, has its time, and only so many are kept', async (t) => {
  const links = new Links();
  const tokens = Array.from({ length: 11 }, () => links.issue(0));
  const rows = [
    ['', 0, 'unknown'],
    [`${tokens[10]}x`, 0, 'unknown'],
    [tokens[0], 1, 'unknown'],
    [tokens[1], LINK_MS - 1, 'ok'],
    [tokens[2], LINK_MS - 1, 'ok'],
    [tokens[1], LINK_MS - 1, 'used'],
    [tokens[3], LINK_MS, 'expired'],
  ];
  for (const [token, at, verdict] of rows) t.equal(links.redeem(token, at), verdict, verdict);
});

t.test('a session ends when it is not used, and after a week', async (t) => {
  const sessions = new Sessions();
  const idle = sessions.begin(0);
  t.notOk(sessions.use(idle.cookie, idle.key, 12 * HOUR));
  t.notOk(sessions.use(idle.cookie, idle.key, 1), 'for good');
  const busy = sessions.begin(0);
  for (let hour = 10; hour < 7 * 24; hour += 10) {
    t.ok(sessions.use(busy.cookie, busy.key, hour * HOUR), `hour ${hour}`);
  }
  t.notOk(sessions.use(busy.cookie, busy.key, 7 * 24 * HOUR));
});

t.test('only so many sessions exist: the one that was not used for longest ends', async (t) => {
  const sessions = new Sessions();
  const all = Array.from({ length: 20 }, () => sessions.begin(0));
  t.ok(sessions.use(all[0].cookie, all[0].key, 1));
  sessions.begin(2);
  t.notOk(sessions.use(all[1].cookie, all[1].key, 3));
  t.notOk(sessions.use(all[2].cookie, all[3].key, 3), 'the key of another session');
  t.ok(sessions.use(all[0].cookie, all[0].key, 3));
});

const LARGE = JSON.stringify('x'.repeat(1024 * 1024));

async function slowReader(t, mayContinue = () => true, times = undefined) {
  const server = createServer();
  const port = await listening(t, server);
  const asking = request({ host: '127.0.0.1', port, agent: false });
  asking.on('error', () => {});
  asking.end();
  const [, response] = await once(server, 'request');
  const writer = new EventWriter(response, mayContinue, times);
  const [received] = await once(asking, 'response');
  received.on('error', () => {});
  return { writer, response, received };
}

t.test('nothing is buffered beyond one message, and it catches up', async (t) => {
  const { writer, response, received } = await slowReader(t);
  const tab = new Tab(writer);
  tab.catchUp(() => '"first"');
  await until(() => {
    tab.send('change', LARGE);
    return !tab.isCurrent;
  }, 'the buffers of the system to be full');
  const held = response.writableLength;
  t.ok(held < 2 * LARGE.length, `${held} bytes`);
  for (let count = 0; count < 100; count += 1) {
    tab.send('event', LARGE);
    tab.catchUp(() => t.fail('it still does not read'));
  }
  t.equal(response.writableLength, held);
  let read = '';
  received.setEncoding('utf8').on('data', (text) => (read = (read + text).slice(-100)));
  await writer.drained();
  tab.catchUp(() => '"again"');
  await until(() => read.includes('event: snapshot\ndata: "again"'), 'a fresh snapshot');
});

t.test('who reads nothing for too long is disconnected', async (t) => {
  const { writer, response } = await slowReader(t, () => true, { beatMs: 60_000, stalledMs: 50 });
  await until(() => {
    // The system itself buffers some of it.
    if (!writer.isBehind) writer.send('change', LARGE);
    return response.destroyed;
  }, 'it to be disconnected');
});

t.test('who is signed out gets no more', async (t) => {
  let isSignedIn = true;
  const times = { beatMs: 20, stalledMs: 60_000 };
  const { writer, response, received } = await slowReader(t, () => isSignedIn, times);
  await once(received.setEncoding('utf8'), 'data');
  t.notOk(response.writableEnded);
  isSignedIn = false;
  await once(received, 'end');
  writer.send('change', '{}');
});

t.test('changes while it reads, then nothing, then a fresh snapshot', async (t) => {
  const sent = [];
  const writer = { isBehind: false, send: (name, json) => sent.push(`${name} ${json}`) };
  const tab = new Tab(writer);
  tab.send('change', '1');
  tab.catchUp(() => 'a');
  tab.catchUp(() => t.fail('it is current'));
  tab.send('change', '2');
  t.same(sent.splice(0), ['snapshot a', 'change 2'], 'nothing before the snapshot');
  writer.isBehind = true;
  tab.send('change', '3');
  tab.send('event', '3');
  tab.catchUp(() => t.fail('it has not caught up'));
  writer.isBehind = false;
  tab.send('change', '4');
  t.same(sent.splice(0), [], 'a change would not fit to what it knows');
  tab.catchUp(() => 'b');
  tab.send('change', '5');
  t.same(sent, ['snapshot b', 'change 5']);
});
