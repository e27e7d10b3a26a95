/** How the daemon finds a primary, connects to it, and uses what it sends only as far as that is named, possible and not too large. */
import t from 'tap';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { primaryResults } from '../../../src/daemon/checks.js';
import { checked, dialPrimary, findPrimary } from '../../../src/daemon/primaries/connection.js';
import { serve } from '../../../src/protocol/server.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { readRecord, recordStarting } from '../../../src/shared/processes/primary-record.js';
import { SLOT, exit, snapshotWith } from '../../support/snapshot.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { eventOf } from '../../support/until.js';

const own = { ...identify(process.pid), socket: '/h/primary.sock' };
const dead = { ...own, startTime: '1' };
const writeRecord = (file, record) => writeFileSync(file, JSON.stringify(record));
/** Everything that may be in the place of a record. */
const RECORDS = {
  none: () => {},
  sound: (file) => writeRecord(file, own),
  'of a primary that starts': (file) => recordStarting(file, own),
  garbled: (file) => writeFileSync(file, '{"pid": '),
  'of another kind': (file) => writeFileSync(file, '[null]'),
  'without a start time': (file) => writeFileSync(file, '{"pid": 7}'),
  empty: (file) => writeFileSync(file, ''),
  huge: (file) => writeFileSync(file, '['.repeat(8 * 1024 * 1024)),
  'a directory': (file) => mkdirSync(file),
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a link to itself': (file) => symlinkSync(path.basename(file), file),
};
t.test('only a record that does not exist is none', async (t) => {
  for (const [name, make] of Object.entries(RECORDS)) {
    const file = path.join(temporaryDirectory(t), 'record.json');
    make(file);
    const { kind, reason } = readRecord(file);
    const expected = name === 'none' ? 'none' : /^sound|starts/.test(name) ? 'sound' : 'unsound';
    t.equal(kind, expected, name);
    if (kind === 'unsound') t.ok(reason.includes(file), reason);
    if (name === 'a link to itself') t.match(reason, /^could not read .* \(ELOOP\)$/);
  }
});

t.test('the record of a fast primary stays', async (t) => {
  const file = path.join(temporaryDirectory(t), 'record.json');
  recordStarting(file, own);
  t.match(readRecord(file), { record: own });
  writeRecord(file, own);
  recordStarting(file, { ...own, pid: 1 });
  t.strictSame(readRecord(file), { kind: 'sound', record: own });
});

const answering = (answer) => async (socket) => {
  const server = net.createServer(answer);
  await once(server.listen(socket), 'listening');
  return () => server.close();
};

const greeting = (role) => async (socket) => {
  const server = await serve(socket, { methods: {}, hello: { role, version: '0' } });
  return () => server.close();
};

/** Everything that may be at the path of the socket; each returns what ends it. */
const LISTENERS = {
  none: () => {},
  refuses: (socket) => {
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))`;
    spawnSync(process.execPath, ['-e', script, socket]);
  },
  primary: greeting('primary'),
  stranger: greeting('daemon'),
  talker: answering((client) => client.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  silent: answering((client) => client.on('error', () => {})),
  liar: answering((client) => {
    const { pid } = process;
    const result = { role: 'primary', version: '9'.repeat(1e6), protocol: 1, oldest: 1, pid };
    client.on('error', () => {});
    client.once('data', (hello) => {
      client.write(`${JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(hello).id, result })}\n`);
    });
  }),
  unreachable: (socket) => symlinkSync(path.basename(socket), socket),
};

/** By record: what writes it, and what is found beside none, one that refuses, a primary and each other listener. */
const FOUND = {
  none: [() => {}, 'none', 'none', 'listener', 'unclear'],
  dead: [(file) => writeRecord(file, dead), 'none', 'none', 'listener', 'unclear'],
  alive: [(file) => writeRecord(file, own), 'recorded', 'recorded', 'recorded', 'recorded'],
  damaged: [(file) => writeFileSync(file, ''), 'unclear', 'unclear', 'listener', 'unclear'],
};

/** @returns what leads to the primary, or the kind of what was found */
async function find(t, record, listener, hasHealed = false) {
  const dir = temporaryDirectory(t);
  const paths = { identity: path.join(dir, 'record.json'), socket: path.join(dir, 'p.sock') };
  const [write] = FOUND[record];
  write(paths.identity);
  const close = await LISTENERS[listener](paths.socket);
  const found = await findPrimary(paths, hasHealed).catch((error) => error);
  await close?.();
  if (found === null) return 'none';
  if (found instanceof Error) {
    t.match(found.code, /^E_PROTOCOL_/);
    if (!['talker', 'liar'].includes(listener))
      t.ok(found.message.includes(paths.socket), found.message);
    return 'unclear';
  }
  t.match(found, identify(process.pid));
  return found.socket === paths.socket ? 'listener' : 'recorded';
}

t.test('each record beside each listener', async (t) => {
  for (const [record, [, ...expected]] of Object.entries(FOUND)) {
    const listeners = Object.keys(LISTENERS);
    const actual = await Promise.all(listeners.map((listener) => find(t, record, listener)));
    const others = listeners.slice(expected.length).fill(expected.at(-1));
    t.strictSame(actual, [...expected, ...others], record);
  }
});

t.test('when a primary has had the time to restore its socket', async (t) => {
  t.equal(await find(t, 'damaged', 'none', true), 'none', 'the record means nothing');
  t.equal(await find(t, 'damaged', 'stranger', true), 'unclear');
});

t.test('another process is not taken for a primary that was killed', async (t) => {
  const socket = path.join(temporaryDirectory(t), 'primary.sock');
  const requests = [];
  const subscribe = () => {
    requests.push('subscribe');
    return { apps: [] };
  };
  const server = await serve(socket, { methods: { subscribe }, hello: { role: 'primary' } });
  const killed = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const exit = eventOf(killed, 'exit');
  t.teardown(async () => {
    killed.kill('SIGKILL');
    await exit;
    await server.close();
  });
  const record = { ...identify(killed.pid), socket };
  const dialled = dialPrimary(record, {}, {});
  await t.rejects(dialled, { code: 'E_PROTOCOL_UNREACHABLE', message: /another process/ });
  t.strictSame(requests, []);
});

const invalid = { code: 'E_PRIMARY_REPORT' };

t.test('an event has nothing that is not known', async (t) => {
  const how = { reason: exit(0, { stdinEnded: 'empty' }), after: exit(1) };
  const event = { type: 'worker.exited', at: 1, slot: 0, app: 'api', ...how };
  const forged = { ...event, app: 'other', namespace: 'other', id: 7, padding: 'x' };
  t.same(checked('event', forged), { ...event, app: 'other' });
  t.same(checked('progress', { kind: 'online', app: 'other' }), { kind: 'online' });
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const many = Array.from({ length: 10 }, () => 'x'.repeat(100_000));
  const wrong = [{ at: 1e300 }, { at: -1 }, { data: 'x'.repeat(200_000) }, { data: deep }];
  // The daemon keeps hundreds of them.
  wrong.push({ lastLines: many }, { reason: { kind: 'left', processes: many } });
  const ofLater = { kind: 'of-later', ms: 5 };
  for (const reason of [ofLater, { ...ofLater, replaces: ofLater }])
    t.doesNotThrow(() => checked('event', { ...event, reason }));
  wrong.push({ reason: { kind: 'exit', code: 'x' } }, { reason: { ...ofLater, final: 5 } });
  for (const part of [...wrong, { slot: '0' }, { type: undefined }]) {
    t.throws(() => checked('event', { ...event, ...part }), invalid);
  }
});

function* valuesIn(value, path = []) {
  if (path.length > 0) yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* valuesIn(each, [...path, key]);
}

function replaceIn(value, [key, ...rest], other) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = rest.length === 0 ? other : replaceIn(value[key], rest, other);
  return copy;
}

t.test('each value of a snapshot has its type, and the error says where it has not', async (t) => {
  const snapshot = snapshotWith();
  t.doesNotThrow(() => checked('state', snapshot));
  const unnoticed = [];
  let count = 0;
  // Of `spec`, which is compared only, it is enough that it is an object.
  const values = [...valuesIn(snapshot)].filter(({ path: [key] }) => key !== 'spec');
  for (const { path, value } of values) {
    const mayBeString = typeof value === 'string' || path.at(-1) === 'signal';
    const otherType = mayBeString ? 5 : 'x';
    for (const lie of [{ length: 1e9 }, [{}], Infinity, otherType, '\0'.repeat(2e5)]) {
      count += 1;
      // Of one of several shapes, nobody can tell which one it was to be.
      const place = path.join('.').replace(/(\breason)\..*/, '$1');
      try {
        checked('state', replaceIn(snapshot, path, lie));
        unnoticed.push(`${place}: ${typeof lie}`);
      } catch (error) {
        if (!error.data.what.startsWith(place)) unnoticed.push(`${place}: ${error.message}`);
      }
    }
  }
  t.same(unnoticed, []);
  t.ok(count > 400, `${count} lies`);
});

t.test('what is computed with is possible, and not too large', async (t) => {
  const at = (address) => ({ address, protocol: null });
  const ofSlot = (part) => ({ slots: [{ ...SLOT, ...part }] });
  t.doesNotThrow(() => checked('state', snapshotWith(ofSlot({ listening: [at('*:80')] }))));
  const numbers = [{ slot: -1 }, { slot: 0.5 }, { slot: 1e6 }, { pid: 0 }, { pid: -1 }];
  const addresses = [[at('x'.repeat(5000))], Array(1001).fill(at('*:80'))];
  for (const wrong of [
    ...[...numbers, { generation: -1 }, { restarts: 1e300 }].map(ofSlot),
    ...addresses.map((listening) => ofSlot({ listening })),
    { slots: Array(1001).fill(SLOT) },
    { spec: [] },
  ]) {
    t.throws(() => checked('state', snapshotWith(wrong)), invalid);
  }
});

const latency = { counts: [1], sumMs: 1 };
const figures = ['atMs', 'activeMs', 'idleMs', 'heapUsed', 'heapTotal', 'connections', 'begun'];
const report = {
  ...Object.fromEntries([...figures, 'requests', 'errors', 'slowestMs'].map((key) => [key, 1])),
  ...{ delay: { ...latency, maxMs: 1 }, latency, lastMinute: [1] },
};
const family = { name: 'a_total', type: 'counter', help: '', aggregator: 'sum' };
const withSamples = (...samples) => ({ ...family, samples });
const families = [withSamples(['', { b: '' }, 1])];

/** What a request is answered with, and where that is wrong. */
const answers = [
  ['telemetry', { workers: [{ pid: 1, report }] }, null],
  ...[
    ['heapUsed', { a: 1 }],
    ['connections', 'x'],
    ['delay', { counts: null }],
  ].map(([key, value]) => {
    const workers = [{ pid: 1, report: { ...report, [key]: value } }];
    return ['telemetry', { workers }, `workers.0.report.${key}`];
  }),
  ['program-metrics', { families, failure: null }, null],
  ['program-metrics', { families, failure: 1 }, 'failure'],
  ...[undefined, Array(10_001).fill(families[0]), [withSamples(['', { b: 1 }, 1])]].map((wrong) => {
    return ['program-metrics', { families: wrong, failure: null }, 'families'];
  }),
  ['program-metrics', { families: [withSamples(['', { b: '' }, 'x'])], failure: null }, 'families'],
];

t.test('answers are checked', async (t) => {
  for (const [method, answer, fault] of answers) {
    const found = primaryResults[method](answer);
    if (fault === null) t.equal(found, null);
    else t.match(found, fault);
  }
});
