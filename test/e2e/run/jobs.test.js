/** `run` goes on as long as an app has a schedule, and is ready while no run is in progress. */
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

t.test('a job in a container', async (t) => {
  const { root, begin, left } = testRun(t);
  writeFiles(root, {
    'job.cjs': "console.log('it runs')",
    'ecosystem.json': JSON.stringify({
      name: 'report',
      script: 'job.cjs',
      schedule: '*/2 * * * * *',
      min_uptime: '50ms',
    }),
  });
  const port = await freePort();
  const { said, child, ended } = begin([`${root}/ecosystem.json`, '--listen', `127.0.0.1:${port}`]);
  const probe = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  await until(async () => (await probe('/ready')) === 200, 'it to be ready');
  t.same(await Promise.all(['/live', '/startup'].map(probe)), [200, 200]);
  await said(/it runs[\s\S]*it runs/);
  t.equal(await probe('/ready'), 200);
  t.equal(child.exitCode, null, 'it goes on');
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  t.same(left(), NOTHING);
});
