/** What a record and a socket say about a primary, for every combination. */
import t from 'tap';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrimary, judgePrimary } from '../../../src/daemon/primaries/find-primary.js';
import { serve } from '../../../src/protocol/server.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { readRecord, recordStarting } from '../../../src/shared/processes/primary-record.js';

const own = { ...identify(process.pid), socket: '/h/primary.sock' };
const writeRecord = (file, record) => writeFileSync(file, JSON.stringify(record));
const SOCKETS = ['none', 'refuses', 'primary', 'stranger', 'silent', 'unreachable'];
/** By record: the decision for each of these sockets; and when a primary has had time to heal. */
const ROWS = {
  none: ['none', 'none', 'listener', 'unclear', 'unclear', 'unclear'],
  alive: Array(6).fill('recorded'),
  shared: ['unclear', 'unclear', 'recorded', 'unclear', 'recorded', 'recorded'],
  dead: ['none', 'none', 'listener', 'unclear', 'unclear', 'unclear'],
  unsound: ['unclear', 'unclear', 'listener', 'unclear', 'unclear', 'unclear'],
};

t.test('each record with each socket', async (t) => {
  for (const [record, expected] of Object.entries(ROWS)) {
    const actual = SOCKETS.map((socket) => judgePrimary(record, socket, false));
    t.strictSame(actual, expected, record);
  }
  const later = SOCKETS.map((socket) => judgePrimary('unsound', socket, true));
  t.strictSame(later, ROWS.none, 'a damaged record means nothing when nobody has restored it');
  const left = ['none', 'refuses'].map((socket) => judgePrimary('shared', socket, true));
  t.strictSame(left, ['none', 'none'], 'the process is that of other apps only');
});

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
    const file = path.join(directory(t), 'primary.json');
    make(file);
    const { kind, reason } = readRecord(file);
    const expected = name === 'none' ? 'none' : /^sound|starts/.test(name) ? 'sound' : 'unsound';
    t.equal(kind, expected, name);
    if (kind === 'unsound') t.ok(reason.includes(file), reason);
  }
  for (const code of ['EMFILE', 'EIO', 'EACCES', 'ELOOP', 'ENOTDIR']) {
    const read = () => {
      throw Object.assign(new Error(code), { code });
    };
    t.match(readRecord('/h/primary.json', read), { kind: 'unsound', reason: new RegExp(code) });
  }
});

t.test('the record of a fast primary stays', async (t) => {
  const file = path.join(directory(t), 'primary.json');
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
};

t.test('a real record beside a real socket', async (t) => {
  const identity = identify(process.pid);
  const dead = { ...own, startTime: '1' };
  for (const [name, listen] of Object.entries(LISTENERS)) {
    for (const record of [null, dead, 'damaged']) {
      const dir = directory(t);
      const paths = { record: path.join(dir, 'primary.json'), socket: path.join(dir, 'p.sock') };
      if (record === 'damaged') writeFileSync(paths.record, '');
      else if (record) writeRecord(paths.record, record);
      const close = await listen(paths.socket);
      const { kind, record: found } = await findPrimary(paths, false);
      const isFree = name === 'none' || name === 'refuses';
      const expected =
        name === 'primary' ? 'found' : isFree && record !== 'damaged' ? 'none' : 'unclear';
      t.equal(kind, expected, `${name}, ${JSON.stringify(record)}`);
      if (kind === 'found') t.match(found, { ...identity, socket: paths.socket });
      await close?.();
    }
  }
});

/** @param {string} socket @param {string} role */
async function greeter(socket, role) {
  const server = await serve(socket, { methods: {}, hello: { role, version: '0' } });
  return () => server.close();
}

function directory(t) {
  const made = mkdtempSync(path.join(tmpdir(), 'nc-'));
  t.teardown(() => rmSync(made, { recursive: true }));
  return made;
}
