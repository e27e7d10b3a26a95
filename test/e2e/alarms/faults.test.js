/** An alarm that causes its own event, and a daemon that is killed while it delivers one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { writeFiles } from '../../support/files.js';
import { BIN, NODE, app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';
import { receiver } from './receiver.js';

/** Three Node processes run one after the other. */
const SLOW_MS = 120_000;

t.test('an alarm that restarts its app causes its own event once in an interval', async (t) => {
  const { root, run, described } = testHome(t);
  const restart = [NODE, BIN, 'restart', 'api'];
  writeFiles(root, {
    // The restart fails too, which must not count as a failure of the alarm.
    'again.cjs': `
      const { appendFileSync } = require('node:fs');
      const { spawnSync } = require('node:child_process');
      const [file, ...args] = ${JSON.stringify(restart)};
      const { status } = spawnSync(file, args);
      appendFileSync('runs', 'restart exited with ' + status + '\\n');`,
    'ecosystem.json': JSON.stringify({
      name: 'api',
      script: app('exits-1.cjs'),
      cwd: '.',
      exec_mode: 'fork',
      max_restarts: 0,
      on: [{ event: 'worker.errored', run: [NODE, 'again.cjs'], interval: '1h', timeout: '2m' }],
    }),
  });
  t.equal((await run(['start', 'ecosystem.json'])).code, 5);
  const alarm = await until(
    async () => {
      const [found] = (await described('api')).alarms;
      return found.delivered === 1 && found.waiting === 1 && found;
    },
    'the event of the restart to wait',
    SLOW_MS,
  );
  t.equal(alarm.trouble, undefined, 'for the rest of the hour');
  t.equal(readFileSync(join(root, 'runs'), 'utf8'), 'restart exited with 5\n');
});

t.test('a daemon that is killed while it delivers', async (t) => {
  const { root, home, ok, pidsOf, described } = testHome(t);
  // The first request gets no answer.
  const { requests, address } = await receiver(t, (_url, count) => (count === 1 ? null : 200));
  writeFiles(root, {
    'ecosystem.json': JSON.stringify({
      name: 'api',
      script: app('http-pid.cjs'),
      min_uptime: '50ms',
      env: { PORT: String(await freePort()) },
      on: [{ event: 'worker.exited', post: `${address}/`, timeout: '5m' }],
    }),
  });
  await ok(['start', 'ecosystem.json']);
  const [pid] = await pidsOf('api');
  process.kill(pid, 'SIGKILL');
  await until(() => requests.length === 1, 'the first request');
  process.kill(daemonPid(home), 'SIGKILL');
  // A primary starts the next daemon, or this command does.
  await ok(['ls']);
  await until(() => requests.length === 2, 'the next daemon to deliver it');
  const [first, second] = requests.map(({ body }) => body.event);
  t.match(first, { type: 'worker.exited', pid, signal: 'SIGKILL' });
  t.same(second, first, 'the same event');
  const isCounted = async () => (await described('api')).alarms[0].delivered === 1;
  await until(isCounted, 'it to be counted');
});
