/** The workers of a primary on disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { WorkerRecord, readWorkers } from '../../../src/primary/processes/record.js';
import { identify } from '../../../src/shared/processes/identity.js';

t.test('an update is on the disk when it says so, and a later one is not lost', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'nc-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
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
