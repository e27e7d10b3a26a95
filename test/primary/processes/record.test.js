/** The workers of a primary on disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { WorkerRecord } from '../../../src/primary/processes/record.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { readWorkers } from '../../../src/shared/processes/primary-record.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

t.test('a primary that exits leaves no part of a file', async (t) => {
  const directory = temporaryDirectory(t);
  const record = new WorkerRecord(join(directory, 'workers.json'));
  record.update([], []);
  record.moveTo(join(directory, 'moved.json'));
  await record.whenIdle();
  t.same(readdirSync(directory).sort(), ['moved.json', 'workers.json']);
});

t.test('each worker is identified once', async (t) => {
  const directory = temporaryDirectory(t);
  const record = new WorkerRecord(join(directory, 'workers.json'));
  const child = spawn('sleep', ['60']);
  const worker = { pid: child.pid ?? null, slot: 0, generation: 1, mark: '0', ownsGroup: true };
  await record.update([worker], []);
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.equal(record.update([worker], []), null, 'its process was not looked at again');
});

t.test('an update is on the disk when it says so, and a later one is not lost', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'workers.json');
  const record = new WorkerRecord(file);
  t.equal(readWorkers(file), null, 'there was no previous primary');
  await record.update([], []);
  t.strictSame(readWorkers(file), [], 'there was one, even if it recorded no worker');
  const workers = [0, 1].map((slot) => ({
    pid: process.pid,
    slot,
    generation: 1,
    mark: `${slot}`,
    ownsGroup: true,
  }));
  record.update(workers.slice(0, 1), []);
  await record.update(workers, []);
  const expected = workers.map((worker) => ({ ...worker, ...identify(process.pid) }));
  t.strictSame(readWorkers(file), expected);
  t.equal(record.update(workers, []), null);
});
