/** `events` and `send`, with a daemon that answers from a table. */
import t from 'tap';
import { eventText } from '../../../src/show/event.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { commandWith, runOk } from '../fake-context.js';

t.test('an event on a line', async (t) => {
  const worker = { app: 'api', slot: 1, id: 4, pid: 77, generation: 2, at: 0 };
  const by = { role: 'watch', user: null, file: 'src/a.js' };
  const rows = [
    [{ ...worker, type: 'worker.online' }, 'api:1 online: pid 77'],
    [{ ...worker, type: 'worker.responsive', durationMs: 20_100 }, 'was blocked for 20.1s'],
    [{ ...worker, type: 'worker.event', name: 'full', data: { a: 1 } }, 'api:1 full: {"a":1}'],
    [{ ...worker, type: 'worker.event', name: 'bad\u001b[2J', data: null }, 'api:1 bad\\x1b[2J'],
    [{ type: 'reload.begun', app: 'api', at: 0, by }, 'api reload begun by watch: src/a.js'],
    [{ type: 'stop.ended', app: 'api', at: 0, ok: true, durationMs: 0 }, 'api stop done'],
    [{ type: 'daemon.ended', at: 0, because: 'kill' }, 'daemon ended: kill'],
    [
      { type: 'daemon.started', at: 0, lastSeenAt: 0 },
      /^daemon started: the one before was killed or crashed, after .*:00:00$/,
    ],
    [{ type: 'missed', at: 0, count: 3, kept: 500 }, 'older events are gone: 500 are kept'],
    [{ type: 'missed', at: 0, count: 3 }, '3 events were missed'],
    [{ ...worker, type: 'worker.exited', code: null }, 'api:1 exited'],
  ];
  for (const [event, expected] of rows) {
    const line = eventText(event);
    if (typeof expected === 'string') t.ok(line.endsWith(expected), line);
    else t.match(line, expected);
  }
});

const begun = { type: 'reload.begun', at: 17, app: 'api' };

function daemonWithEvents(list) {
  let connections = 0;
  return (_params, notify) => {
    if (connections++ > 0) throw new NodeclusterError('E_REQUEST_INVALID', { what: 'the end' });
    notify({}, 'listening');
    for (const event of list) notify(event, 'event');
    throw new NodeclusterError('E_PROTOCOL_CLOSED', { method: 'events' });
  };
}

t.test('events as JSON; the next daemon is asked for what came since', async (t) => {
  const daemon = { list: () => ({ apps: [] }), events: daemonWithEvents([begun, begun]) };
  const { printed, noted, asked, run } = await commandWith('events api --json', { daemon });
  await t.rejects(run(), { code: 'E_REQUEST_INVALID' });
  t.same(printed.map(JSON.parse), [begun], 'what is sent again is shown once');
  t.match(noted, [/^Waiting for events/, /Lost the daemon/]);
  const since = asked.map(({ params }) => params.since);
  t.same(since, [undefined, undefined, 17]);
  t.match(asked, Array(3).fill({ params: { selectors: ['api'] } }));
});

t.test('while it follows, a start is told by how it ends', async (t) => {
  const worker = { at: 17, app: 'api', slot: 0, pid: 7 };
  const started = ['starting', 'online'].map((state) => ({ ...worker, type: `worker.${state}` }));
  const daemon = { list: () => ({ apps: [] }), events: daemonWithEvents(started) };
  const { printed, run } = await commandWith('events api', { daemon });
  await t.rejects(run(), { code: 'E_REQUEST_INVALID' });
  t.match(printed, [/api:0 online: pid 7$/m]);
  t.equal(printed.length, 1);
});

/** A daemon that has kept some events, and reports no others. */
const keeping = (...kept) => ({
  list: () => ({ apps: [] }),
  events: (_params, notify) => {
    for (const event of kept) notify(event, 'event');
    notify({}, 'listening');
    return new Promise(() => {});
  },
});

t.test('events --no-follow shows all that is kept, or says that there is nothing', async (t) => {
  for (const [kept, shown, notes] of [
    [[begun, { ...begun, type: 'worker.draining' }], [/ api reload begun$/], []],
    [[], [], ['No event was found.']],
  ]) {
    const world = { daemon: keeping(...kept) };
    const { printed, noted, asked } = await runOk('events --no-follow', world);
    t.match([printed, noted], [shown, notes]);
    t.match(asked, [{ params: { since: 0 } }]);
  }
});

t.test('events --since and --until show what the daemon has kept, and end', async (t) => {
  const daemon = keeping(begun, { ...begun, at: Date.now() });
  const until = await runOk('events --until 1s --json', { daemon });
  t.same(until.printed.map(JSON.parse), [begun]);
  t.equal(until.asked[0].params.since, 0);
  const { asked } = await runOk('events api --since 10m', { daemon });
  const { since } = asked[1].params;
  t.ok(Math.abs(since - (Date.now() - 600_000)) < 60_000, `${since}`);
});

t.test('send says how many workers got the message', async (t) => {
  const apps = [
    { name: 'api', sent: [0, 1], failed: [2] },
    { name: 'web', sent: [3], failed: [] },
  ];
  const daemon = { send: () => ({ apps }) };
  const { asked, printed } = await runOk('send all {"a":[1]}', { daemon });
  t.same(asked[0].params, { selectors: ['all'], message: { a: [1] } });
  t.matchSnapshot(printed[0], 'receipt');
});

t.test('send of invalid JSON, and without a receiver', async (t) => {
  const daemon = { send: () => ({ apps: [{ name: 'api', sent: [], failed: [] }] }) };
  const wrong = await commandWith('send api {a:1}', { daemon });
  await t.rejects(wrong.run(), { code: 'E_USAGE', exitCode: 2 });
  t.same(wrong.asked, []);
  await t.rejects(runOk('send 0 hello', { daemon }), { hint: /`nodecluster send 0 '"hello"'`/ });
  await t.rejects(runOk('send api 1', { daemon }), { code: 'E_MESSAGE_UNHEARD', exitCode: 5 });
});
