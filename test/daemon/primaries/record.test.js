import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { readRecord, recordStarting } from '../../../src/daemon/primaries/record.js';

const record = { pid: 7, startTime: '1', bootId: 'b', socket: '/home/primary.sock' };

t.test('a primary is recorded before it writes its own record', async (t) => {
  const file = join(t.testdir(), 'primary.json');
  recordStarting(file, record);
  t.same(readRecord(file), { ...record, starting: true });
});

t.test('the record of a fast primary stays', async (t) => {
  const file = join(t.testdir({ 'primary.json': JSON.stringify(record) }), 'primary.json');
  recordStarting(file, record);
  t.same(readRecord(file), record);
});

t.test('an invalid file is not a record', async (t) => {
  const file = join(t.testdir(), 'primary.json');
  t.equal(readRecord(file), null);
  for (const text of ['', '{', '{"pid": "7"}', '[]', 'null']) {
    writeFileSync(file, text);
    t.equal(readRecord(file), null, text);
  }
});
