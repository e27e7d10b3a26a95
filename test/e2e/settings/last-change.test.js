/** Who changed what, as `describe` and `events` say it: also after the daemon was killed, and of a release that failed. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

t.test('a wrong variable after a deploy is found in describe', async (t) => {
  const { root, ok, run, begin, list, described } = testHome(t);
  const file = join(root, 'ecosystem.json');
  const PORT = String(await freePort());
  const write = (/** @type {object} */ settings) =>
    writeFileSync(
      file,
      JSON.stringify({ apps: [{ name: 'api', script: app('http-pid.cjs'), ...settings }] }),
    );
  const args = ['--password', 'hidden'];
  write({ env: { PORT, DB_HOST: 'db-1', DB_PASSWORD: 'hidden' }, args, min_uptime: 200 });
  await ok(['start', file]);
  t.same((await described('api')).changes, []);

  const env = { PORT, DB_HOST: 'db-2', DB_PASSWORD: 'also hidden' };
  write({ env, args, min_uptime: 200, kill_timeout: '9s' });
  await ok(['apply', file], { env: { SUDO_USER: 'alice' } });
  const change = {
    action: 'reload',
    by: { role: 'cli', user: 'alice' },
    generation: 2,
    isApplied: true,
    differences: [
      { key: 'env.DB_HOST', from: 'db-1', to: 'db-2' },
      { key: 'env.DB_PASSWORD', from: '********', to: '********' },
      { key: 'kill_timeout', from: '5s', to: '9s' },
    ],
    omitted: 0,
  };
  const expectChange = async (/** @type {string} */ when) => {
    const { changes, spec } = await described('api');
    t.match(changes, [change], when);
    t.equal(changes.length, 1);
    t.same(spec.args, ['--password', '********']);
    const { stdout } = await ok(['describe', 'api']);
    t.match(stdout, /last change +\S+ ago: reload by alice \(cli\)\n/);
    t.match(stdout, /env\.DB_HOST +"db-1" → "db-2"\n/);
    t.match(stdout, /kill_timeout +"5s" → "9s"\n/);
    t.notMatch(stdout, 'hidden');
  };
  await expectChange('after the deploy');
  t.notMatch((await ok(['jlist'])).stdout, 'hidden');

  const events = begin(['events', 'api', '--since', '1h', '--json']);
  let text = '';
  events.child.stdout?.on('data', (chunk) => (text += chunk));
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const event = await until(
    () => lines().find(({ type }) => type === 'reload.ended'),
    'the event of the deploy',
  );
  t.match(event, { ok: true, change });
  events.child.kill();
  await events.ended;

  const { daemon } = await list();
  process.kill(daemon.pid, 'SIGKILL');
  await until(async () => (await list()).daemon.pid !== daemon.pid, 'the next daemon');
  await expectChange('after the daemon was killed');

  const failed = await run(['reload', 'api', '--set-env', 'PORT=-1']);
  t.equal(failed.code, 5);
  const { changes } = await described('api');
  t.match(changes, [{ isApplied: false, differences: [{ key: 'env.PORT', to: '-1' }] }, change]);
  t.match((await ok(['describe', 'api'])).stdout, /not applied\n.*env\.PORT/);
});
