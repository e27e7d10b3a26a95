/** Alarms: a worker that gives up runs a command and posts to a server; what fails is shown, without secrets. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findDaemon } from '../../../src/api/find-daemon.js';
import { homePaths } from '../../../src/shared/home.js';
import { writeFiles } from '../../support/files.js';
import { app, NODE, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';
import { receiver } from './receiver.js';

t.test('a worker that gives up', async (t) => {
  const home = testHome(t);
  const { root, ok, pidsOf, appNamed, begin } = home;
  const { requests, address } = await receiver(t, (url) => (url.startsWith('/refuse') ? 410 : 200));
  const event = 'worker.errored';
  writeFiles(root, {
    'notify.cjs': `
      const { readFileSync, writeFileSync } = require('node:fs');
      const { event } = JSON.parse(readFileSync(0, 'utf8'));
      writeFileSync('told', JSON.stringify({ event, args: process.argv.slice(2), env: process.env }));`,
    'ecosystem.json': JSON.stringify({
      apps: [
        {
          name: 'api',
          script: app('http-pid.cjs'),
          cwd: '.',
          max_restarts: 0,
          min_uptime: '50ms',
          env: { PORT: String(await freePort()), HOOK_TOKEN: 's3cret' },
          on: [
            { event, run: [NODE, 'notify.cjs', '$(api)'] },
            {
              event: ['worker.*'],
              post: `${address}/s3cret`,
              headers: { Authorization: 'Bearer ${HOOK_TOKEN}' },
            },
            {
              event,
              run: [NODE, '-e', 'setInterval(() => {}, 1000)', '--', '--token', 's3cret'],
              timeout: '500ms',
            },
            { event, post: `${address}/refuse/s3cret` },
          ],
        },
      ],
    }),
  });
  await ok(['start', 'ecosystem.json']);
  await until(() => requests.some(({ body }) => body.event.type === 'worker.online'), 'its start');
  const listener = begin(['events', '--json']);
  t.teardown(() => listener.child.kill('SIGKILL'));
  let heard = '';
  listener.child.stdout.on('data', (chunk) => (heard += chunk));
  await until(async () => {
    await ok(['reset', 'api']);
    return heard.includes('reset.ended');
  }, 'it to listen');

  const [pid] = await pidsOf('api');
  process.kill(pid, 'SIGKILL');
  const file = join(root, 'told');
  const told = await until(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')), file);
  t.match(told, {
    event: { type: event, reason: /was killed by SIGKILL/ },
    args: ['$(api)'],
    env: { NODECLUSTER_EVENT_APP: 'api', NODECLUSTER_HOME: home.home, HOOK_TOKEN: 's3cret' },
  });
  const got = await until(
    () => requests.find(({ url, body }) => url === '/s3cret' && body.event.type === event),
    'the request',
  );
  t.match(got, { headers: { authorization: 'Bearer s3cret' }, body: { event: { slot: 0 } } });
  t.equal((await appNamed('api')).status, 'errored', 'the daemon is not held up');

  const described = await until(async () => {
    const { stdout } = await ok(['describe', 'api']);
    return /did not exit within 0\.5 s/.test(stdout) && /failed: .*410/.test(stdout) && stdout;
  }, 'the hanging command to be tried again');
  t.match(described, /0 delivered, 1 waiting; the last attempt failed: .*410/);
  const { stdout: json } = await ok(['describe', 'api', '--json']);
  const [{ alarms }] = JSON.parse(json).apps;
  t.match(alarms[3], {
    to: `POST ${address}/********`,
    delivered: 0,
    waiting: 1,
    trouble: 'the server answered 410',
  });
  // A change of another setting must not save what is only shown.
  await ok(['restart', 'api', '--kill-timeout', '2s']);
  const client = await findDaemon(homePaths(home.home));
  const { apps } = await client.request('list', {
    selectors: ['api'],
    fields: ['details'],
    showSecrets: true,
  });
  client.close();
  t.match(apps[0].spec, { killTimeoutMs: 2000, on: [{}, { post: `${address}/s3cret` }, {}, {}] });

  await ok(['kill']);
  const log = readFileSync(homePaths(home.home).daemonLog, 'utf8');
  t.match(log, /alarm\.undelivered.*the server answered 410/);
  for (const text of [described, json, heard, log]) t.notMatch(text, 's3cret');
});
