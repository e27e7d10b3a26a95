import t from 'tap';
import { stackInLine, whereIn } from '../../src/lifecycle/hang-policy.js';

const frame = (name, file, origin = 'program') => ({ name, file, line: 10, column: 5, origin });
const read = frame('readSync', 'node:fs', 'node');
const hash = frame('hash', '/srv/api/hash.js');
const handle = frame('', '/srv/api/server.js');

t.test('in words', async (t) => {
  t.equal(whereIn([read, hash, handle]), 'hash (hash.js:10:5)', 'the function of the program');
  t.equal(whereIn([read]), 'readSync (node:fs:10:5)');
  t.equal(whereIn([]), null);
  t.equal(
    stackInLine([read, hash, handle]),
    'hash (/srv/api/hash.js:10:5), called from (anonymous) (/srv/api/server.js:10:5)',
  );
  t.equal(stackInLine([frame('run', '')]), 'run (evaluated code:10:5)');
});
