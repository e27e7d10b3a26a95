/** How programs and containers are stopped. */
import t from 'tap';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../support/files.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { loggedText } from '../../support/log-messages.js';
import { freePorts, freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

/** What the program handles, its other settings, and what it says at its end. */
const PROGRAMS = [
  ['SIGINT', {}, 'ended by SIGINT\n'],
  ['SIGINT', { exec_mode: 'fork' }, 'ended by SIGINT\n'],
  ['SIGINT,SIGTERM', {}, 'ended by SIGTERM\n'],
  ['SIGINT,SIGTERM', { exec_mode: 'fork' }, 'ended by SIGTERM\n'],
  ['', {}, ''],
  ['SIGINT,SIGTERM', { kill_signal: 'SIGINT' }, 'ended by SIGINT\n'],
  ['SIGINT', { kill_signal: 'SIGTERM' }, ''],
];

t.test('each program is stopped by the right signal', async (t) => {
  const { root, home, ok, list } = testHome(t);
  const ports = await freePorts(PROGRAMS.length);
  const shared = { script: app('names-its-signal.cjs'), kill_timeout: '10m' };
  const apps = PROGRAMS.map(([HANDLES, settings], index) => {
    const env = { HANDLES, PORT: ports[index] };
    return { name: `app-${index}`, ...shared, ...settings, env };
  });
  const hung = { ...shared, exec_mode: 'fork', env: { HANDLES: 'SIGINT', BLOCKS: 1 } };
  const silent = { ...shared, env: { HANDLES: 'SIGINT' } };
  writeFiles(root, {
    'ecosystem.yml': { apps: [...apps, { name: 'hung', ...hung }, { name: 'silent', ...silent }] },
  });
  await ok(['start', 'ecosystem.yml']);
  await ok(['stop', 'all']);
  const log = (name) => {
    const file = join(home, 'logs', `${name}-out.log`);
    return existsSync(file) ? loggedText(file) : '';
  };
  for (const [index, [handles, settings, said]] of PROGRAMS.entries()) {
    t.equal(log(`app-${index}`), said, `handles ${handles} ${JSON.stringify(settings)}`);
  }
  t.equal(log('silent'), 'ended by SIGINT\n', 'a worker without a port');
  t.same(
    (await list()).apps.filter(({ status }) => status !== 'stopped'),
    [],
    'a hung worker does not have to be killed after kill_timeout',
  );
});

t.test('SIGTERM with 20 clients, on kept and on new connections', async (t) => {
  const { begin, left } = testRun(t);
  const port = await freePort();
  const flags = ['-i', '2', '--name', 'api', '--shutdown-delay', '5s'];
  const { child, ended } = begin([app('slow-20ms.mjs'), ...flags], { env: { PORT: String(port) } });
  await until(() => ask(port), 'an answer');

  const kept = startLoad(t, { port, prefix: 'kept-' });
  const fresh = startLoad(t, { port, prefix: 'new-', keepAlive: false });
  await Promise.all([kept.answers(100), fresh.answers(100)]);
  child.kill('SIGTERM');
  await Promise.all([kept.answers(10), fresh.answers(10)]);
  t.match(await kept.stop(), { failed: 0, failures: [] });
  t.match(await fresh.stop(), { failed: 0, failures: [] });
  t.match(await ended, { code: 0, signal: null, stderr: /\[nodecluster\] SIGTERM: stopping/ });
  t.same(left(), NOTHING);
});
