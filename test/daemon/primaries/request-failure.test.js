import t from 'tap';
import { NodeclusterError } from '../../../src/errors/error.js';
import { failureCode } from '../../../src/daemon/primaries/handle.js';

const rows = [
  ['E_PROTOCOL_CLOSED', null, 'E_PRIMARY_LOST', 'the primary may live'],
  ['E_PROTOCOL_CLOSED', 'E_APP_KILLED', 'E_APP_KILLED', 'its exit was expected'],
  ['E_PROTOCOL_CLOSED', 'E_DAEMON_EXITS', 'E_DAEMON_EXITS', 'this daemon exits'],
  ['E_PROTOCOL_TIMEOUT', null, 'E_PRIMARY_SILENT', 'it may still do it'],
  ['E_PROTOCOL_TIMEOUT', 'E_APP_KILLED', 'E_PRIMARY_SILENT', 'it is late with its exit'],
  ['E_PRIMARY_SILENT', null, null, 'the reason why the connection was given up'],
  ['E_WORKER_DELETED', 'E_APP_KILLED', null, 'the primary refused it'],
];

for (const [code, leaving, expected, reason] of rows) {
  t.equal(failureCode(new NodeclusterError(code, { workers: [] }), leaving), expected, reason);
}
