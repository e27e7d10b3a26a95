/** A primary that cannot write its own log keeps running. */
import t from 'tap';
import { closeSync, existsSync, openSync } from 'node:fs';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

const FULL = '/dev/full';

t.test('the logs of the app and of the primary are on a full disk', async (t) => {
  if (!existsSync(FULL)) return t.skip('no /dev/full here');
  const stderr = openSync(FULL, 'a');
  t.teardown(() => closeSync(stderr));
  const spec = await specOf('logs-each-request.cjs', { outFile: FULL, errorFile: FULL });
  const primary = await startPrimary(t, spec, stderr);
  await primary.ask('start');
  t.match(await ask(primary.port), { bytes: 100 });
  await until(async () => (await primary.state()).logDroppedBytes >= 100, 'a lost line');
  t.match(await ask(primary.port), { bytes: 200 }, 'by the same worker');
  t.equal(primary.child.exitCode, null);
});
