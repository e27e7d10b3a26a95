import t from 'tap';
import { EventEmitter } from 'node:events';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import { EventFeed, readProgramEvent } from '../../src/primary/reports.js';
import { Host } from '../../src/primary/host.js';
import { checkParams } from '../../src/primary/methods.js';
import { ensureHome } from '../../src/shared/home.js';
import { specWith } from '../support/spec.js';
import { exit, said } from '../support/snapshot.js';

function listen(feed, after = 0) {
  const heard = [];
  const end = feed.connect((event) => heard.push(event), after);
  return { heard, end };
}

t.test('a start is sent once, an exit with its code and last lines', async (t) => {
  const pool = new EventEmitter();
  const { heard } = listen(new EventFeed(pool));
  const worker = { slot: 1, pid: 7, generation: 2 };
  for (const kind of ['starting', 'starting', 'online']) pool.emit('progress', { kind, ...worker });
  const death = { ...worker, code: 1, signal: null, reason: exit(1) };
  pool.emit('progress', { kind: 'failed', ...death });
  const exited = { type: 'worker.exited', at: 5, ...death, lastLines: Array(20).fill('x') };
  const told = Promise.resolve().then(() => pool.emit('event', exited));
  pool.emit('reporting', 1, told);
  pool.emit('progress', { kind: 'starting', ...worker });
  await told;
  pool.emit('event', { type: 'worker.errored', slot: 1, reason: said('too often') });
  await told;
  const types = heard.map(({ type }) => type.replace('worker.', ''));
  t.same(types, ['starting', 'online', 'exited', 'starting', 'errored']);
  t.match(heard[2], { ...worker, code: 1, reason: exit(1), at: 5 });
  t.equal(heard[2].lastLines.length, 10);
});

t.test('a daemon that reconnects receives what it missed', async (t) => {
  const pool = new EventEmitter();
  const feed = new EventFeed(pool);
  const { heard, end } = listen(feed);
  for (let slot = 0; slot < 3; slot++) pool.emit('event', { type: 'x', slot });
  end();
  pool.emit('event', { type: 'x', slot: 3 });
  const again = listen(feed, heard[1].seq).heard;
  t.match(again, [
    { slot: 2, again: true },
    { slot: 3, again: true },
  ]);
  pool.emit('event', { type: 'x', slot: 4 });
  t.notOk('again' in again[2]);
  t.equal(heard.length, 3);
});

t.test('at most 500 events are buffered', async (t) => {
  const pool = new EventEmitter();
  const feed = new EventFeed(pool);
  for (let slot = 0; slot < 600; slot++) pool.emit('event', { type: 'x', slot });
  const { heard } = listen(feed);
  t.equal(heard.length, 500);
  t.equal(heard[0].slot, 100);
});

t.test('events of programs are never buffered', async (t) => {
  const pool = new EventEmitter();
  const feed = new EventFeed(pool);
  const worker = { slot: 0, pid: 7, generation: 1 };
  const message = { type: 'nodecluster:event', name: 'full', data: 1 };
  const { heard } = listen(feed);
  pool.emit('message', worker, { type: 'something else' });
  pool.emit('message', worker, message);
  t.match(heard, [{ type: 'worker.event', ...worker, name: 'full', data: 1 }]);
  t.equal(heard.length, 1);
  t.same(listen(feed).heard, []);
});

t.test('which messages are events', async (t) => {
  const event = { type: 'nodecluster:event', name: 'full', data: { rows: 3 } };
  const topic = { topic: 'order', data: { id: 1 } };
  const rows = [
    ['the documented form', event, { name: 'full', data: { rows: 3 } }],
    ['without data', { ...event, data: undefined }, { name: 'full', data: null }],
    ['that of PM2', { type: 'process:msg', data: 1 }, { name: 'process:msg', data: 1 }],
    ['one with a topic', topic, { name: 'process:msg', data: topic }],
    ['a topic without data', { topic: 'order' }, null],
    ['a topic of another protocol', { topic: 'order', data: 1, type: 'x' }, null],
    ['a topic that is too large', { topic: 'order', data: 'x'.repeat(20_000) }, null],
    ['without a name', { ...event, name: undefined }, null],
    ['a name that is long', { ...event, name: 'x'.repeat(101) }, null],
    ['too large', { ...event, data: 'x'.repeat(17_000) }, null],
    ['too deep', { ...event, data: JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) }, null],
    ['another message', { type: 'mine' }, null],
    ['a text', 'ready', null],
    ['nothing', null, null],
  ];
  for (const [what, message, expected] of rows) t.same(readProgramEvent(message), expected, what);
});

t.test('fifty at once, then ten a second; dropped events are counted', async (t) => {
  let nowMs = 0;
  mock.method(performance, 'now', () => nowMs);
  t.teardown(() => mock.reset());
  const pool = new EventEmitter();
  const { heard } = listen(new EventFeed(pool));
  const sendAt = (atMs, count, worker, data = 1) => {
    nowMs = atMs;
    const message = { type: 'nodecluster:event', name: 'full', data };
    for (let sent = 0; sent < count; sent++) pool.emit('message', worker, message);
    return heard.splice(0).map(({ dropped }) => dropped);
  };
  const worker = { slot: 0, pid: 7, generation: 1 };
  t.equal(sendAt(0, 53, worker).length, 50);
  t.same(sendAt(99, 1, worker), []);
  t.same(sendAt(200, 1, worker), [4]);
  t.same(sendAt(300, 1, worker), [undefined]);
  t.equal(sendAt(1e6, 60, worker).length, 50);
  const others = Array.from({ length: 10 }, (_, slot) => ({ ...worker, slot }));
  const large = others.flatMap((other) => sendAt(2e6, 50, other, 'x'.repeat(16_000)));
  t.ok(large.length > 100 && large.length < 140, 'bytes are those of all workers');
  t.same(sendAt(2e6 + 1000, 1, others[9]), [50]);
});

const spec = specWith();
const canary = { instances: 1, forMs: 1000, max5xx: 0, maxP99: 2 };
const range = { min: 1, max: -1, elu: 0.8, cooldownMs: 1000 };

const rows = [
  ['stop', {}, null],
  ['stop', { slots: [0, 1] }, null],
  ['stop', { slots: 0 }, 'slots'],
  ['stop', { slots: ['0'] }, 'slots.0'],
  ['stop', { slots: [0, 1e308] }, 'slots.1'],
  ['stop', { slots: null }, 'slots'],
  ['scale', { slots: [0], spec }, null],
  ['scale', { spec }, 'slots'],
  ['scale', { slots: [0] }, 'spec'],
  ['scale', { slots: [0], spec: 5 }, 'spec'],
  ['scale', { slots: [0], spec: {} }, 'spec.name'],
  ['scale', { slots: [0], spec: { ...spec, name: 'other' } }, 'spec.name'],
  ['restart', { spec: { ...spec, execMode: 'fork' } }, 'spec.execMode'],
  ['scale', { slots: [0], spec: { ...spec, instances: 0.5 } }, 'spec.instances'],
  ['scale', { slots: [0], spec: { ...spec, instances: { ...range, max: 0.5 } } }, 'spec.instances'],
  ['scale', { slots: [0], spec: { ...spec, instances: range } }, null],
  ['reload', { spec, generation: 2, parallel: 1, onFailure: 'rollback' }, null],
  ['reload', { generation: -1 }, 'generation'],
  ['reload', { onFailure: 'explode' }, 'onFailure'],
  ['reload', { canary }, null],
  ['reload', { canary: { ...canary, instances: 0 } }, 'canary.instances'],
  ['reload', { canary: { ...canary, forMs: null } }, 'canary.forMs'],
  ['reload', { canary: 1 }, 'canary'],
  ['signal', { signal: 9 }, 'signal'],
  ['host', {}, 'spec'],
  ['profile', { slot: 0, kind: 'cpu' }, null],
  ['end-profile', { pid: 0, kind: 'cpu', isWanted: true }, 'pid'],
  ['send', { message: { slots: 5 } }, null],
];

for (const [method, params, key] of rows) {
  const what = `${method} ${JSON.stringify(Object.keys(params))} ${key ?? 'is valid'}`;
  const check = () => checkParams(method, params, spec);
  if (key === null) t.doesNotThrow(check, what);
  else t.throws(check, { code: 'E_PROTOCOL_PARAMS', data: { method, key } }, what);
}

const CHECK_MS = 30_000;
const nextTurn = () => new Promise(setImmediate);

t.test('a primary that ends leaves nothing, even during a check', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  // Others find this process by its command line.
  t.intercept(process, 'title', { value: '', writable: true });
  let host;
  for (let turns = 0; turns < 300; turns += 10) {
    const home = path.join(t.testdir({ primaries: { 1: {} } }), '.');
    for (const directory of [home, `${home}/primaries`]) chmodSync(directory, 0o700);
    const paths = ensureHome(home).primary(1);
    const exited = new Promise((resolve) => {
      host = new Host({ home, id: 1 }, { close: () => {} }, {}, [], resolve);
    });
    await host.listen();
    t.ok(existsSync(paths.record));
    mock.timers.tick(CHECK_MS);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    host.shutDown();
    await exited;
    for (let turn = 0; turn < 1000; turn += 1) await nextTurn();
    t.same(readdirSync(`${home}/primaries`), [], `closed ${turns} turns after a check began`);
  }
});
