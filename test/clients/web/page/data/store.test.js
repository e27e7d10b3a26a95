/** What an event of the stream changes, and which rows follow from it. */
import t from 'tap';
import { readStream } from '../../../../../src/clients/web/page/data/connection.js';
import { receive, firstState } from '../../../../../src/clients/web/page/data/store.js';
import { byName } from '../../../../../src/shared/merge-patch.js';
import { stateText } from '../../../../../src/show/state.js';
import {
  shownApp,
  shownRows,
  troublesOf,
} from '../../../../../src/clients/web/page/data/select.js';

const worker = { id: 4, slot: 0, status: 'online', listening: [] };
const web = { name: 'web', status: 'stopped', workers: [] };
const api = { name: 'api', status: 'online', workers: [worker] };
const snapshot = {
  state: byName([web, api]),
  events: [{ type: 'worker.online', at: 1, text: 'api:0 online' }],
  history: { times: [5], rows: {} },
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
  t.match(after(['snapshot', snapshot], ['sample', { at: 7 }]), { at: 7 });
  t.match(after(['snapshot', snapshot], ['later-version', {}]), { server: snapshot.state });
});

t.test('above the table stands what it has no room for, and the command that helps', async (t) => {
  const troublesWith = (fields, more = {}) => {
    const apps = [web, { ...api, workers: [{ ...worker, ...fields }], ...more }];
    const state = after(['snapshot', { ...snapshot, state: byName(apps) }]);
    return troublesOf(state).map(({ app, causes, command }) => [app.name, causes, command]);
  };
  t.same(troublesWith({}), []);
  t.same(troublesWith({}, { note: 'its \u001b file' }), [['api', ['its \\x1b file'], undefined]]);
  const crashed = { status: 'errored', reason: 'exited with code 1', ending: { code: 1 } };
  t.same(troublesWith(crashed), [['api', [], 'start api']], 'the table says why');
  const cause = 'no database at 10.0.0.7:5432, from which the price list is loaded';
  const differences = [{ key: 'env.DB', from: 'a', to: 'b' }];
  const change = { at: 0, action: 'reload', isApplied: true, differences, omitted: 0 };
  const causes = [
    `api:0 exited with code 1: ${cause}`,
    'last change: reload 0s ago: env.DB "a" → "b"',
  ];
  const troubles = troublesWith({ ...crashed, cause }, { changes: [change] });
  t.same(troubles, [['api', causes, 'logs api']]);
});

t.test('events are bounded, messages replaced', async (t) => {
  const many = Array.from({ length: 600 }, (_, at) => ['event', { type: 'x', at, text: '' }]);
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

t.test('rows in the order of ls; the same app stays the same', async (t) => {
  const state = { ...after(['snapshot', snapshot]), route: { view: 'table' } };
  const rows = shownRows(state).map((row) => `${row.key} ${row.kind} ${stateText(row, 0)}`);
  t.same(rows, ['web single stopped', 'api single online']);
  const ofApi = { ...state, route: { view: 'app', app: 'api' } };
  t.equal(shownApp(ofApi), shownApp(ofApi));
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
