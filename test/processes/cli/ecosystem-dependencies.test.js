/** Apps that depend on each other: the order of every command, and what happens if one fails. */
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

t.test('a file with depends_on', async (t) => {
  const { root, ok, run, list } = testHome(t, { inProcess: true });
  const [dbPort, webPort] = [await freePort(), await freePort()];
  const common = { min_uptime: '100ms', restart_delay: '10m' };
  const web = { name: 'web', script: app('http-pid.cjs'), depends_on: 'db', ...common };
  const write = (script) =>
    writeFiles(root, {
      'ecosystem.yml': {
        apps: [
          { ...web, env: { PORT: webPort } },
          { name: 'db', script: app(script), ...common, env: { PORT: dbPort } },
        ],
      },
    });
  /** Which step of which app comes first. */
  const inOrder = (text, ...steps) => {
    const places = steps.map((step) => text.indexOf(step));
    t.ok(
      places.every((place) => place !== -1),
      text,
    );
    t.same(
      places,
      places.toSorted((a, b) => a - b),
      steps.join(', then '),
    );
  };

  write('exits-1.cjs');
  const failed = await run(['start']);
  t.match(failed, {
    code: 5,
    stderr: /web: db failed \(exited with code 1\), and web depends on it, so web was not/,
  });
  t.notMatch(failed.stderr, /web:0 starting/);
  t.match((await list()).apps, [
    { name: 'web', status: 'waiting', waitsFor: ['db'], workers: [{ pid: undefined }] },
    { name: 'db', status: 'backoff' },
  ]);
  t.match((await ok(['ls'])).stdout, /web .* waiting for db /);

  const again = await run(['start', 'db']);
  t.match(again, { code: 5, stderr: /✖ db: start failed.*no database/s }, 'tried once more');
  t.match(await run(['apply']), { code: 5, stderr: /✖ db: not all workers are online/ });

  write('http-pid.cjs');
  inOrder((await ok(['apply'])).stderr, 'db:0 online', 'web:0 starting', 'web:0 online');
  inOrder((await ok(['reload'])).stderr, 'db:0 stopped', 'web:0 starting');
  inOrder((await ok(['restart', 'all'])).stderr, 'db:0 online', 'web:0 stopped');
  inOrder((await ok(['stop', 'all'])).stderr, 'web:0 stopped', 'db:0 stopped');
  inOrder((await ok(['start', 'all'])).stderr, 'db:0 online', 'web:0 starting');
  inOrder((await ok(['delete', 'ecosystem.yml'])).stderr, 'web:0 stopped', 'db:0 stopped');
  t.match(await run(['stop', 'all']), { code: 4, stderr: /Nothing to do/ });
});
