/** Alarms: commands and requests of an app that gives up, of another user, of a killed daemon and of `run`, without secrets. */
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import t from 'tap';
import { findDaemon } from '../../../src/api/find-daemon.js';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { writeFiles } from '../../support/files.js';
import { NODE, app, testHome } from '../../support/home.js';
import { listening } from '../../support/listening.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

/** @param statusOf its answer to request number `count`; null: none */
async function receiver(t, statusOf = () => 200) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const { url, headers } = request;
    requests.push({ url, headers, body: await json(request) });
    const status = statusOf(url, requests.length);
    if (status !== null) response.writeHead(status).end();
  });
  return { requests, address: `http://127.0.0.1:${await listening(t, server)}` };
}

t.test('a worker that gives up', async (t) => {
  const home = testHome(t);
  const { root, ok, pidsOf, appNamed } = home;
  const { requests, address } = await receiver(t, (url) => (url.startsWith('/refuse') ? 410 : 200));
  const event = 'worker.errored';
  writeFiles(root, {
    'notify.cjs': `
      const { readFileSync, writeFileSync } = require('node:fs');
      const { event } = JSON.parse(readFileSync(0, 'utf8'));
      writeFileSync('told', JSON.stringify({ event, args: process.argv.slice(2), env: process.env }));`,
    'ecosystem.json': JSON.stringify({
      ...{
        name: 'api',
        script: app('http-pid.cjs'),
        cwd: '.',
        max_restarts: 0,
        min_uptime: '50ms',
      },
      env: { PORT: String(await freePort()), HOOK_TOKEN: 's3cret' },
      on: [
        { event, run: [NODE, 'notify.cjs', '$(api)'] },
        {
          ...{ event: ['worker.*'], post: `${address}/s3cret` },
          headers: { Authorization: 'Bearer ${HOOK_TOKEN}' },
        },
        { event, run: ['sh', '-c', 'sleep 100', '--', '--token', 's3cret'], timeout: '500ms' },
        { event, post: `${address}/refuse/s3cret` },
      ],
    }),
  });
  await ok(['start', 'ecosystem.json']);
  await until(() => requests.some(({ body }) => body.event.type === 'worker.online'), 'its start');
  const [pid] = await pidsOf('api');
  process.kill(pid, 'SIGKILL');
  const file = join(root, 'told');
  const told = await until(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')), file);
  t.match(told, {
    event: { type: event, reason: { kind: 'exit', signal: 'SIGKILL' } },
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
  const { stdout: shown } = await ok(['describe', 'api', '--json']);
  const [{ alarms }] = JSON.parse(shown).apps;
  const trouble = 'the server answered 410';
  t.match(alarms[3], { to: `POST ${address}/********`, delivered: 0, waiting: 1, trouble });
  // A change of another setting must not save what is only shown.
  await ok(['restart', 'api', '--kill-timeout', '2s']);
  const client = await findDaemon(homePaths(home.home));
  const selection = { selectors: ['api'], fields: ['details'], showSecrets: true };
  const { apps } = await client.request('list', selection);
  client.close();
  t.match(apps[0].spec, { killTimeoutMs: 2000, on: [{}, { post: `${address}/s3cret` }, {}, {}] });

  await ok(['kill']);
  const log = readFileSync(homePaths(home.home).daemonLog, 'utf8');
  t.match(log, /alarm\.undelivered.*the server answered 410/);
  for (const text of [described, shown, log]) t.notMatch(text, 's3cret');
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

const NOBODY = 65534;
const skip = process.getuid?.() === 0 ? false : 'only root can start programs as another user';

t.test('a command runs as the user of the app, who gets nothing of root', { skip }, async (t) => {
  const { root, ok } = testHome(t);
  chmodSync(root, 0o755);
  const cwd = join(root, 'work');
  mkdirSync(cwd);
  chownSync(cwd, NOBODY, NOBODY);
  const command = '{ id -u; id -G; env; } > new; mv new told';
  writeFiles(root, {
    'ecosystem.json': JSON.stringify({
      ...{ name: 'api', script: app('http-pid.cjs'), cwd, uid: 'nobody', min_uptime: '50ms' },
      env: { PORT: String(await freePort()), OWN: 'mine' },
      on: [{ event: 'worker.online', run: ['/bin/sh', '-c', command] }],
    }),
  });
  await ok(['start', 'ecosystem.json'], { env: { OF_ROOT: 's3cret' } });
  const file = join(cwd, 'told');
  await until(() => existsSync(file), 'the command to run');
  const [uid, groups, ...variables] = readFileSync(file, 'utf8').trim().split('\n');
  t.equal(uid, String(NOBODY));
  t.equal(groups, String(NOBODY), 'no supplementary groups');
  t.ok(variables.includes('OWN=mine'));
  t.notMatch(variables.join('\n'), /s3cret|HOME=\/root/);
  const isCounted = async () => / 1 delivered/.test((await ok(['describe', 'api'])).stdout);
  await until(isCounted, 'it to be counted');
});
