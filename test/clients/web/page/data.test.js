/** What the page knows: figures, what an event of the stream changes, and the state of an action. */
import t from 'tap';
import { readStream } from '../../../../src/clients/web/page/data/connection.js';
import { History } from '../../../../src/clients/web/page/data/history.js';
import { AppWatch, linesAfter, logsUrl } from '../../../../src/clients/web/page/data/watch.js';
import { linkTo, parseRoute } from '../../../../src/clients/web/page/data/route.js';
import { shownApp, shownRows, troubleOf } from '../../../../src/clients/web/page/data/select.js';
import { firstState, onAction, receive } from '../../../../src/clients/web/page/data/store.js';
import { actionFor } from '../../../../src/clients/web/page/keys.js';
import { byName } from '../../../../src/shared/merge-patch.js';
import { changeScale, confirmationFor } from '../../../../src/clients/confirmation.js';
import { rowsOf } from '../../../../src/show/rows.js';
import { stateText } from '../../../../src/show/state.js';
import { exit } from '../../../support/snapshot.js';

const worker = (id, more = {}) => ({
  id,
  slot: id - 1,
  status: 'online',
  cpu: 1.25,
  memory: 5000,
  latencyMs: { p50: 1.234, p99: 9 },
  ...more,
});
const app = (more = {}) => ({ name: 'api', workers: [worker(1), worker(2)], ...more });

const HOUR_S = 3600;
const timesOf = (history, key) =>
  history.since(key, 0).flatMap(({ at, sample }) => (sample ? at / 1000 : []));

t.test('each second of five minutes, and one in ten of the hour before', async (t) => {
  const history = new History();
  for (let second = 1; second <= 2 * HOUR_S; second += 1)
    history.add(second * 1000, [app({ workers: [worker(1, { cpu: second }), worker(2)] })], null);
  history.add(HOUR_S * 1000, [], null);
  const times = timesOf(history, 'api');
  t.same([times.at(0) >= HOUR_S, times.at(-1)], [true, 2 * HOUR_S], 'what came twice counts once');
  const near = times.filter((second) => second > 2 * HOUR_S - 300);
  t.equal(near.length, 300);
  t.ok(times.length - near.length <= 331, `${times.length}`);
  t.match(history.since('api', 7_200_000), [{ sample: { cpu: 7201.25, online: 2 } }]);
  const [{ sample }] = history.since('api:0', 7_200_000);
  t.match(sample, { cpu: 7200, latencyMs: { p99: 9 }, online: undefined });
});

t.test('it begins with what workers have reported, and goes on from there', async (t) => {
  const history = new History();
  const steps = Array(360).fill(null).fill(7, 350);
  const figures = ['cpu', 'memory', 'elu', 'requestsPerSecond', 'errorsPerSecond'];
  const past = { slot: 1, ...Object.fromEntries(figures.map((figure) => [figure, steps])) };
  const at = HOUR_S * 1000;
  for (const ms of [-500, 500, 1500]) history.add(at + ms, [app()], null);
  history.begin([app({ pastHour: { at, everyMs: 10_000, workers: [past] } })], null);
  t.same(timesOf(history, 'api').slice(-4), [3590, 3599.5, 3600.5, 3601.5]);
  t.match(history.since('api', at - 500)[0].sample, { latencyMs: { p99: 9 } }, 'its own stays');
  t.equal(timesOf(history, 'api:1').length, 12);
  t.match(history.since('api', 0)[0], { at: at - 90_000, sample: { cpu: 7, elu: 7, online: 1 } });
});

t.test('of very many workers, those of the app that is shown have a past', async (t) => {
  const history = new History();
  const many = Array.from({ length: 500 }, (_, index) => worker(index + 1));
  const ofFew = app({ name: 'c' });
  history.add(1000, [app({ name: 'a', workers: many }), ofFew], ofFew);
  const lengths = ['a', 'c', 'a:299', 'c:1'].map((key) => timesOf(history, key).length);
  t.same(lengths, [1, 1, 0, 1]);
});

t.test('the details of an app are asked for again when its daemon is back', async (t) => {
  let asked = 0;
  const reply = async () => ((asked += 1), Response.json({ app: { workers: [] } }));
  t.intercept(globalThis, 'fetch', { value: reply });
  const watch = new AppWatch(() => {});
  const patches = [{ gone: { since: 1 } }, { gone: null }, { apps: {} }];
  const changes = patches.map((data) => ({ name: 'change', data }));
  const times = [...changes, { name: 'snapshot', data: {} }].map((event) => {
    watch.show('api');
    watch.receive(event);
    watch.show('api');
    return asked;
  });
  t.same(times, [1, 2, 2, 3]);
});

t.test('log lines are bounded, and only the view of logs reads them', async (t) => {
  const first = linesAfter(['z'], { isFirst: true, records: ['a', 'b'] }, 3);
  t.same(first, ['a', 'b']);
  t.same(linesAfter(first, { isFirst: false, records: ['c', 'd'] }, 3), ['b', 'c', 'd']);
  const route = { view: 'logs', app: 'api', slot: 0, level: '', search: 'a b' };
  t.equal(logsUrl(route), 'api/logs?level=&search=a+b&target=api%3A0');
  t.equal(logsUrl({ ...route, view: 'app' }), null);
});

const apiWorker = { id: 4, slot: 0, status: 'online', listening: [] };
const web = { name: 'web', status: 'stopped', workers: [] };
const api = { name: 'api', status: 'online', workers: [apiWorker] };
const snapshot = {
  state: { at: 5, ...byName([web, api]) },
  events: [{ type: 'worker.online', at: 1, text: 'api:0 online' }],
};

function after(...events) {
  return events.reduce((state, [name, data]) => receive(state, { name, data }), firstState(0));
}

t.test('a snapshot, then changes', async (t) => {
  t.equal(after(['change', { apps: {} }]).server, null, 'nothing before the snapshot');
  const state = after(['snapshot', snapshot], ['change', { apps: { api: { busy: 'reload' } } }]);
  t.equal(state.at, 5);
  t.equal(state.server.apps.api.busy, 'reload');
  t.equal(state.server.apps.web, snapshot.state.apps.web);
  t.match(after(['snapshot', snapshot], ['change', { at: 7 }]), { at: 7 });
  t.match(after(['snapshot', snapshot], ['later-version', {}]), { server: snapshot.state });
});

t.test('below an app stands what its row has no room for, and what helps', async (t) => {
  const troubleWith = (fields, more = {}) => {
    const trouble = troubleOf({ ...api, workers: [{ ...apiWorker, ...fields }], ...more }, 0);
    return trouble && [trouble.causes, trouble.help.map(([command]) => command)];
  };
  t.equal(troubleWith({}), null);
  t.same(troubleWith({}, { note: 'its \u001b file' }), [['api  its \\x1b file'], []]);
  const crashed = { status: 'errored', reason: exit(1), troubleSince: 0 };
  t.same(troubleWith(crashed), [['api  exit 1'], ['nodecluster start api']]);
  const cause = 'no database at 10.0.0.7:5432, from which the price list is loaded';
  const differences = [{ key: 'env.DB', from: 'a', to: 'b' }];
  const change = { at: 0, action: 'reload', isApplied: true, differences, omitted: 0 };
  const causes = [`api  ${cause}`, 'since reload 0s ago: env.DB "a" → "b"'];
  const trouble = troubleWith({ ...crashed, cause }, { changes: [change] });
  t.match(trouble, [causes, ['nodecluster reload api --set-env DB=a', /start/, /logs/]]);
});

t.test('events are bounded, messages replaced', async (t) => {
  const many = Array.from({ length: 600 }, (_, at) => {
    return ['event', { type: `x${at % 9}`, at, text: '' }];
  });
  const { events } = after(['snapshot', snapshot], ...many);
  t.equal(events.length, 500);
  t.equal(events.at(-1).at, 599);
  const { message } = after(
    ['snapshot', snapshot],
    ['progress', { text: 'api:0 starting' }],
    ['outcome', { ok: false, text: 'api: reload failed' }],
  );
  t.same(message, { text: 'api: reload failed', tone: 'bad' });
});

t.test('rows in the order of ls', async (t) => {
  const state = { ...after(['snapshot', snapshot]), route: { view: 'table' } };
  const rows = shownRows(state).map((row) => `${row.key} ${row.kind} ${stateText(row, 0)}`);
  t.same(rows, ['web single stopped', 'api single online']);
  t.equal(shownApp({ ...state, route: { view: 'app', app: 'api' } }).name, 'api');
  t.equal(shownApp({ ...state, route: { view: 'app', app: 'constructor' } }), null);
  const workers = { 1: { ...worker, id: 9, slot: 1 } };
  const scaled = receive(state, { name: 'change', data: { apps: { api: { workers } } } });
  const keys = shownRows(scaled).map(({ key }) => key);
  t.same(keys, ['web', 'api', 'api:0', 'api:1']);
});

t.test('a stream in pieces of any size', async (t) => {
  const text = ': hello\n\nevent: a\ndata: {"x":"ä"}\n\nretry: 1000\n\nevent: b\ndata: 2\n\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 7, 1000]) {
    const events = [];
    t.intercept(globalThis, 'fetch', {
      value: async () => new Response(new Blob([bytes]).stream().pipeThrough(inPieces(size))),
    });
    const end = await readStream('api/events', (event) => events.push(event));
    t.same(events, [
      { name: 'a', data: { x: 'ä' } },
      { name: 'b', data: 2 },
    ]);
    t.equal(end.isDenied, false);
  }
  t.intercept(globalThis, 'fetch', { value: async () => new Response('over', { status: 401 }) });
  t.same(await readStream('api/events', () => {}), { isDenied: true, text: 'over' });
});

function inPieces(size) {
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += size)
        controller.enqueue(chunk.slice(at, at + size));
    },
  });
}

function appOf(name, ...statuses) {
  const workers = statuses.map((status, slot) => ({ id: slot + 10, slot, status, listening: [] }));
  return { name, status: statuses[0], mode: 'cluster', workers };
}

const two = appOf('api', 'online', 'backoff');
const cron = appOf('cron', 'stopped');

function stateWith({ server = byName([two, cron]), ...changes } = {}) {
  const snapshot = { name: 'snapshot', data: { state: server, events: [] } };
  return {
    ...receive(firstState(0), snapshot),
    connection: { kind: 'open', text: '' },
    route: parseRoute(''),
    ...changes,
  };
}

function press(state, ...keys) {
  let step = { state, effects: [] };
  for (const key of keys) {
    const view = step.state.confirmation ? 'question' : step.state.route.view;
    const action = actionFor(view, { key });
    if (action) step = onAction(step.state, { kind: 'key', action, page: 10 });
  }
  return step;
}

t.test('keys', async (t) => {
  t.equal(actionFor('table', { key: ' ' }), 'fold');
  t.equal(actionFor('app', { key: 'd' }), 'close');
  t.equal(actionFor('app', { key: 'g' }), null);
  t.equal(actionFor('table', { key: 'r', ctrlKey: true }), null, 'the browser reloads the page');
});

t.test('addresses', async (t) => {
  const ofA = { view: 'logs', app: 'a', slot: null };
  const rows = [
    ['', { view: 'table', app: null, slot: null }, '#/'],
    ['#/app/a%2Fb', { view: 'app', app: 'a/b', slot: null }],
    ['#/app/api/3', { view: 'app', app: 'api', slot: 3 }],
    ['#/app/%', { view: 'app', app: '%', slot: null }, '#/app/%25'],
    ['#/logs/api/0', { view: 'logs', app: 'api', slot: 0 }],
    ['#/logs/a?level=warn&search=a+b%3F', { ...ofA, level: 'warn', search: 'a b?' }],
    ['#/events', { view: 'events', app: null, slot: null }],
  ];
  for (const [hash, route, link = hash] of rows) {
    t.same(parseRoute(hash), { level: '', search: '', ...route }, hash);
    t.equal(linkTo(route), link);
  }
});

t.test('the selection moves over the rows that are shown', async (t) => {
  t.equal(press(stateWith(), 'j').state.selected, 'api:0');
  t.equal(press(stateWith(), 'G').state.selected, 'cron');
  const folded = press(stateWith(), 'j', ' ', 'j', 'j');
  t.equal(folded.state.selected, 'cron', 'of a folded app, only what is wrong is shown');
  t.equal(press(stateWith({ filter: 'backoff' }), 'G').state.selected, 'api:1');
});

t.test('an app whose trouble is told is folded, until somebody unfolds or filters', async (t) => {
  const keysOf = (state) => shownRows(state).map(({ key }) => key);
  const state = stateWith({ server: byName([appOf('web', 'errored', 'errored')]) });
  t.same(keysOf(state), ['web']);
  t.same(keysOf(press(state, ' ').state), ['web', 'web:0', 'web:1']);
  t.same(keysOf({ ...state, filter: 'errored' }), ['web', 'web:0', 'web:1']);
});

t.test('commands are asked first', async (t) => {
  const asked = press(stateWith(), 'j', 'R');
  const restart = { title: 'Restart api:0?', action: 'restart', target: 'api:0' };
  t.match(asked.state.confirmation, restart);
  t.same(asked.effects, []);
  const no = onAction(asked.state, { kind: 'answer', isConfirmed: false });
  t.match(no, { state: { confirmation: null }, effects: [] });
  const yes = onAction(asked.state, { kind: 'answer', isConfirmed: true });
  t.match(yes.effects, [{ do: 'send', confirmation: { target: 'api:0' } }]);
  t.match(press(asked.state, 'Enter'), yes);
  t.match(press(asked.state, 'Escape'), no);
  t.match(press(stateWith(), '+', '+', '-', '+').state.confirmation, { scale: { from: 2, to: 4 } });
});

t.test('nothing is asked while nothing can be sent', async (t) => {
  const { server } = stateWith();
  for (const change of [
    { connection: { kind: 'lost', text: '' } },
    { server: { ...server, gone: { since: 1 } } },
    { server: { ...server, isReadOnly: true } },
  ])
    t.equal(press(stateWith(change), 'r').state.confirmation, null, Object.keys(change).join());
});

t.test('questions', async (t) => {
  const [row, , second] = rowsOf(two);
  const [idle] = rowsOf(cron);
  const fork = rowsOf({ ...two, mode: 'fork' })[0];
  const listening = [{ address: '*:3000' }];
  const server = { ...two, workers: two.workers.map((each) => ({ ...each, listening })) };
  const rows = [
    ['reload', rowsOf(server)[0], 'Reload api?', '2 workers; no request is lost.', 'reload'],
    ['reload', row, 'Reload api?', /^2 workers\.$/, 'reload'],
    ['reload', fork, 'Reload api?', /each worker stops before its successor starts/, 'reload'],
    ['restart', row, 'Restart api?', /new connections wait/, 'restart'],
    ['restart', second, 'Restart api:1?', '1 worker; requests are finished.', 'restart'],
    ['restart', fork, 'Restart api?', /requests are interrupted/, 'restart'],
    ['stop', row, 'Stop api?', '2 workers will stop.', 'stop'],
    ['stop', idle, 'Start cron?', 'It is not running.', 'start'],
    ['more', row, 'Scale api from 2 to 3?', /change the number/, 'scale'],
    ['fewer', row, 'Scale api from 2 to 1?', /change the number/, 'scale'],
  ];
  for (const [action, of, title, text, sent] of rows) {
    t.match(confirmationFor(action, of), { title, text, action: sent }, `${action} ${title}`);
  }
});

t.test('questions about a job', async (t) => {
  const jobOf = (status, overlap = 'skip') =>
    rowsOf({ ...appOf('report', status), job: { overlap } })[0];
  const rows = [
    ['run-now', jobOf('waiting'), 'Run report?', /outside its schedule/],
    ['run-now', jobOf('online', 'replace'), 'Run report?', /run in progress is stopped/],
    ['stop', jobOf('waiting'), 'Stop report?', /no longer runs on its schedule/],
    ['stop', jobOf('stopped'), 'Start report?', /runs on its schedule/],
  ];
  for (const [action, of, title, text] of rows) {
    t.match(confirmationFor(action, of), { title, text, target: 'report' }, title);
  }
  for (const action of ['reload', 'restart', 'more', 'fewer']) {
    t.equal(confirmationFor(action, jobOf('waiting')), null, `${action} does not apply`);
  }
  t.equal(confirmationFor('run-now', rowsOf(two)[0]), null, 'it is not a job');
});

t.test('the number of workers stays in its range, and never falls below 1', async (t) => {
  const [row] = rowsOf(two);
  const least = { scale: { to: 1 }, options: { instances: '1' } };
  t.match(changeScale(confirmationFor('more', row), -9), least);
  const [scaled] = rowsOf({ ...two, autoscaling: { min: 2, max: 3, elu: 0.8 } });
  const more = confirmationFor('more', scaled);
  t.match(more, { text: /keeps scaling itself between 2 and 3/, scale: { from: 2, to: 3 } });
  t.match(changeScale(more, 1), { scale: { to: 3 } });
  t.match(changeScale(more, -5), { scale: { to: 2 } });
  const other = confirmationFor('stop', row);
  t.equal(changeScale(other, 1), other);
});

t.test('j and k choose the worker on the page of an app', async (t) => {
  const on = (hash) => stateWith({ route: parseRoute(hash) });
  t.match(press(on('#/app/api'), 'j').effects, [{ do: 'go', link: '#/app/api/0' }]);
  t.match(press(on('#/app/api/0'), 'k').effects, [{ do: 'go', link: '#/app/api' }]);
  t.same(press(on('#/app/api/1'), 'j').effects, [], 'it is the last one');
  t.same(press(on('#/app/cron'), 'j').effects, [], 'there is only one');
});

t.test('views', async (t) => {
  t.match(press(stateWith(), 'j', 'd').effects, [{ do: 'go', link: '#/app/api' }]);
  t.match(press(stateWith(), 'j', 'l').effects, [{ do: 'go', link: '#/logs/api/0' }]);
  t.match(press(stateWith(), 'e').effects, [{ do: 'go', link: '#/events' }]);
  t.match(press(stateWith(), '/').effects, [{ do: 'focus', id: 'filter' }]);
  const logs = stateWith({ route: parseRoute('#/logs') });
  t.match(press(logs, '/').effects, [{ do: 'focus', id: 'search' }]);
  t.match(press(logs, 'q').effects, [{ do: 'go', link: '#/' }]);
  const searched = stateWith({ route: parseRoute('#/app/cron?search=timeout') });
  t.match(press(searched, 'l').effects, [{ do: 'go', link: '#/logs/cron' }], 'without a search');
  t.equal(press(stateWith(), '?').state.isHelpOpen, true);
  t.equal(press(stateWith({ filter: 'x' }), 'Escape').state.filter, '');
});
