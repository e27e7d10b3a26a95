import t from 'tap';
import { explainFailure } from '../../../src/daemon/ports.js';

const fault = { code: 'EADDRINUSE', address: null, port: 3000, isHandled: false };
const unnamed = 'could not listen on port 3000: in use by another process';
const named = 'could not listen on port 3000: in use by api';
const holderOf = () => 'api';

const rows = [
  ['a failure', { reason: unnamed, fault }, { reason: named, fault }],
  ['the start after a failure', { after: unnamed, fault }, { after: named, fault }],
  ['another failure', { reason: 'exited with code 1' }, { reason: 'exited with code 1' }],
  [
    'the start after a hang',
    { after: 'was killed', fault: null },
    { after: 'was killed', fault: null },
  ],
];

for (const [what, failure, explained] of rows) {
  t.test(what, async (t) => t.strictSame(explainFailure(failure, holderOf), explained));
}
