/** `pid_file`: which files there are, and that no other file is touched. */
import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { pidFile } from '../../src/features/pid-file/primary.js';

/** @returns writes these pids, of one slot each */
function filesAt(file) {
  const app = { pool: new EventEmitter(), launch: { spec: { pidFile: file } } };
  const failures = [];
  const guard =
    (own) =>
    (...args) => {
      try {
        return own(...args);
      } catch ({ message }) {
        failures.push(message);
      }
    };
  pidFile(app, '', guard);
  return (...pids) => {
    const slots = pids.map((pid, number) => [number, { number, mainWorker: pid && { pid } }]);
    app.pool.slots = new Map(slots);
    app.pool.emit('change');
    return failures.splice(0);
  };
}

t.test('several workers have a file each', async (t) => {
  const directory = join(t.testdir(), 'run');
  const write = filesAt(join(directory, 'api.pid'));
  const files = () => readdirSync(directory).map((name) => [name, read(join(directory, name))]);
  t.same(write(11), []);
  t.same(files(), [['api.pid', '11\n']]);
  write(null, 12);
  t.same(files(), [['api-1.pid', '12\n']]);
  write(11, 12);
  t.same(files(), [
    ['api-0.pid', '11\n'],
    ['api-1.pid', '12\n'],
  ]);
  write(null, null);
  t.same(files(), []);
  t.same(filesAt(null)(11), []);
});

t.test('a pipe is not opened, and the pid of another app stays', async (t) => {
  const directory = t.testdir();
  const [pipe, shared] = ['pipe', 'shared.pid'].map((name) => join(directory, name));
  execFileSync('mkfifo', [pipe]);
  t.match(filesAt(pipe)(4711), [/pipe contains something else/]);
  t.ok(statSync(pipe).isFIFO());
  const write = filesAt(shared);
  write(4711);
  writeFileSync(shared, '4712\n');
  write(null);
  t.equal(read(shared), '4712\n');
});

t.test('no other file is replaced or removed, and no link is followed', async (t) => {
  const directory = t.testdir({ 'notes.txt': 'mine\n', '1.pid': '1\n' });
  const [notes, link, target] = ['notes.txt', 'link', '1.pid'].map((one) => join(directory, one));
  symlinkSync(target, link);
  const [writeNotes, writeLink] = [notes, link].map(filesAt);
  t.equal(writeNotes(4711).length, 1);
  t.same(writeLink(4711), []);
  t.same([notes, target, link].map(read), ['mine\n', '1\n', '4711\n']);
  writeFileSync(link, 'changed since\n');
  writeNotes(null);
  writeLink(null);
  t.same([notes, link].map(read), ['mine\n', 'changed since\n']);
});

t.test('a place where no file can be created holds nothing up', async (t) => {
  t.equal(filesAt('/proc/nodecluster/api.pid')(1).length, 1);
  t.notOk(existsSync('/proc/nodecluster'));
});

function read(file) {
  return readFileSync(file, 'utf8');
}
