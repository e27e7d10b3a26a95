/** Primaries that run, also where files of the home are lost. */
import t from 'tap';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { findPrimary } from '../../../src/daemon/primaries/connection.js';
import { serve } from '../../../src/protocol/server.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { readRecord, recordStarting } from '../../../src/shared/processes/primary-record.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

// What a record and a socket say about a primary, for every combination.

const own = { ...identify(process.pid), socket: '/h/primary.sock' };
/** ms; long for a process that answers. */
const REPLY_MS = 500;
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

/** Everything that may be at the path of the socket; each returns what ends it. */
const LISTENERS = {
  none: () => {},
  refuses: (socket) => {
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))`;
    spawnSync(process.execPath, ['-e', script, socket]);
  },
  primary: (socket) => greeter(socket, 'primary'),
  stranger: (socket) => greeter(socket, 'daemon'),
  talker: async (socket) => {
    const server = net.createServer((client) => client.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await once(server.listen(socket), 'listening');
    return () => server.close();
  },
  silent: async (socket) => {
    const server = net.createServer((client) => client.on('error', () => {}));
    await once(server.listen(socket), 'listening');
    return () => server.close();
  },
  unreachable: (socket) => symlinkSync(path.basename(socket), socket),
};

/** By record: what is found beside each of these listeners; a word for a primary says what led to it. */
const FOUND = {
  none: ['none', 'none', 'listener', 'unclear', 'unclear', 'unclear', 'unclear'],
  dead: ['none', 'none', 'listener', 'unclear', 'unclear', 'unclear', 'unclear'],
  alive: Array(7).fill('recorded'),
  damaged: ['unclear', 'unclear', 'listener', 'unclear', 'unclear', 'unclear', 'unclear'],
};
const WRITERS = {
  none: () => {},
  dead: (file) => writeRecord(file, { ...own, startTime: '1' }),
  alive: (file) => writeRecord(file, own),
  damaged: (file) => writeFileSync(file, ''),
};

/** @returns what leads to the primary, or the kind of what was found */
async function find(t, record, listener, hasHealed = false) {
  const dir = temporaryDirectory(t);
  const paths = { identity: path.join(dir, 'record.json'), socket: path.join(dir, 'p.sock') };
  WRITERS[record](paths.identity);
  const close = await LISTENERS[listener](paths.socket);
  const found = await findPrimary(paths, hasHealed, REPLY_MS).catch((error) => error);
  await close?.();
  if (found === null) return 'none';
  if (found instanceof Error) {
    t.match(found.code, /^E_PROTOCOL_/);
    return 'unclear';
  }
  t.match(found, identify(process.pid));
  return found.socket === paths.socket ? 'listener' : 'recorded';
}

t.test('each record beside each listener', async (t) => {
  for (const [record, expected] of Object.entries(FOUND)) {
    const listeners = Object.keys(LISTENERS);
    const actual = await Promise.all(listeners.map((listener) => find(t, record, listener)));
    t.strictSame(actual, expected, record);
  }
});

t.test('when a primary has had the time to restore its socket', async (t) => {
  t.equal(await find(t, 'damaged', 'none', true), 'none', 'the record means nothing');
  t.equal(await find(t, 'damaged', 'stranger', true), 'unclear');
});

async function greeter(socket, role) {
  const server = await serve(socket, { methods: {}, hello: { role, version: '0' } });
  return () => server.close();
}
