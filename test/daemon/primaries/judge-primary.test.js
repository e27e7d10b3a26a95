/** What a record and a socket say about a primary, for every combination. */
import t from 'tap';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrimary } from '../../../src/daemon/primaries/find-primary.js';
import { judgePrimary } from '../../../src/daemon/primaries/judge-primary.js';
import { serve } from '../../../src/protocol/server.js';
import { identify } from '../../../src/shared/processes/identity.js';
import {
  readRecord,
  recordStarting,
  writeRecord,
} from '../../../src/shared/processes/primary-record.js';

const own = identify(process.pid);
const SOCKETS = ['none', 'refuses', 'primary', 'stranger', 'silent', 'unreachable'];
/** By record: the decision for each of these sockets; and when a primary has had time to heal. */
const ROWS = {
  none: ['none', 'none', 'listener', 'unclear', 'unclear', 'unclear'],
  alive: Array(6).fill('recorded'),
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
});

/** Everything that may be in the place of a record. */
const RECORDS = {
  none: () => {},
  sound: (file) => writeRecord(file, own),
  'of a primary that starts': (file) => recordStarting(file, own),
  'a file': (file) => writeFileSync(file, JSON.stringify(own)),
  'a huge file': (file) => writeFileSync(file, 'x'.repeat(8 * 1024 * 1024)),
  'a directory': (file) => mkdirSync(file),
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a link to itself': (file) => symlinkSync(path.basename(file), file),
  garbled: (file) => symlinkSync('7 x', file),
};
const UNSOUND = ['a file', 'a huge file', 'a directory', 'a pipe', 'a link to itself', 'garbled'];

t.test('only a record that does not exist is none', async (t) => {
  for (const [name, make] of Object.entries(RECORDS)) {
    const file = path.join(directory(t), 'primary.lock');
    make(file);
    const { kind, reason } = readRecord(file);
    const expected = name === 'none' ? 'none' : UNSOUND.includes(name) ? 'unsound' : 'sound';
    t.equal(kind, expected, name);
    if (kind === 'unsound') t.ok(reason.includes(file), reason);
  }
  for (const code of ['EMFILE', 'EIO', 'EACCES', 'ELOOP', 'ENOTDIR']) {
    const read = () => {
      throw Object.assign(new Error(code), { code });
    };
    t.match(readRecord('/h/primary.lock', read), { kind: 'unsound', reason: new RegExp(code) });
  }
});

t.test('the record of a fast primary stays', async (t) => {
  const file = path.join(directory(t), 'primary.lock');
  recordStarting(file, own);
  t.match(readRecord(file), { identity: own, isStarting: true });
  writeRecord(file, own);
  recordStarting(file, { ...own, pid: 1 });
  t.match(readRecord(file), { identity: own, isStarting: false });
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
  const dead = { ...own, startTime: '1' };
  for (const [name, listen] of Object.entries(LISTENERS)) {
    for (const record of [null, dead, 'damaged']) {
      const dir = directory(t);
      const paths = { record: path.join(dir, 'primary.lock'), socket: path.join(dir, 'p.sock') };
      if (record === 'damaged') writeFileSync(paths.record, '');
      else if (record) writeRecord(paths.record, record);
      const close = await listen(paths.socket);
      const { kind, record: found } = await findPrimary(paths, false);
      const isFree = name === 'none' || name === 'refuses';
      const expected =
        name === 'primary' ? 'found' : isFree && record !== 'damaged' ? 'none' : 'unclear';
      t.equal(kind, expected, `${name}, ${JSON.stringify(record)}`);
      if (kind === 'found') t.strictSame(found, { ...own, socket: paths.socket });
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
