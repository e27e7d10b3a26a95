/** `web` beside a real daemon: what a page gets, what it can do, and what remains when it is closed. */
import t from 'tap';
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { commandOf, processesOf } from '../../support/processes.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';
import { webClient } from '../../support/web/client.js';

async function beginWeb(t, { begin }, more = []) {
  const serving = begin(['web', '--listen', '127.0.0.1:0', ...more]);
  t.teardown(() => serving.child.kill('SIGKILL'));
  const [link, digits] = await serving.said(/^http:\/\/127\.0\.0\.1:(\d+)\/#token=\S+$/m);
  const client = webClient({ port: Number(digits) });
  await client.signIn(link);
  return { serving, client, link };
}

t.test('a page shows an app, changes it, and knows a daemon that does not answer', async (t) => {
  const home = testHome(t);
  const port = await freePort();
  const env = { PORT: String(port), DB_PASSWORD: 'hunter2' };
  const words = ['start', app('watched.cjs'), '--name', 'api', '-i', '2', '--min-uptime', '100'];
  await home.ok([...words, '--set-env', 'DB_PASSWORD=hunter2', '--', '--token', 'hunter2'], {
    env,
  });
  const { serving, client } = await beginWeb(t, home);
  await serving.said(/token=[\s\S]*token=/);

  const page = await client.stream('/api/events');
  const { state } = await page.next('snapshot');
  t.match(state, { order: ['api'], isReadOnly: false, home: home.home });
  t.match(state.apps.api, { status: 'online', instances: 2, generation: 1 });
  const [first] = Object.values(state.apps.api.workers);
  t.match(first, { slot: 0, status: 'online', startedAt: Number, pid: Number });

  await until(async () => {
    await ask(port, '/');
    return page.events.some(({ data }) => data.apps?.api?.workers?.[0]?.requestsPerSecond > 0);
  }, 'figures of a second with requests');

  const begun = await client.post('/api/actions', { action: 'reload', target: 'api' });
  t.equal(begun.status, 204);
  await page.next('progress', ({ text }) => text.startsWith('api:0 starting'));
  t.match(await page.next('outcome'), { ok: true, text: /✔ api: 2 workers replaced/ });
  t.match(await page.next('change', ({ apps }) => apps?.api?.generation === 2), {});
  t.match(await page.next('event', ({ type }) => type === 'reload.ended'), {
    app: 'api',
    text: /^api reload done/,
  });
  await client.post('/api/actions', {
    action: 'scale',
    target: 'api',
    options: { instances: '-1' },
  });
  await page.next('change', ({ apps }) => apps?.api?.workers?.[1] === null);
  await client.post('/api/actions', { action: 'stop', target: 'nobody' });
  const isRefused = ({ ok }) => !ok;
  t.match(await page.next('outcome', isRefused), { text: /There is no app "nobody"/ });

  const details = await client.ask('/api/details?app=api');
  t.match(JSON.parse(details.body), {
    app: { name: 'api', spec: { args: ['--token', '********'] } },
    environment: { DB_PASSWORD: { value: '********' } },
    settings: [{ key: String, value: String, source: String }],
  });
  t.notMatch(details.body, 'hunter2');
  t.match(await client.ask('/api/details?app=nobody'), { status: 404 });
  const past = await client.ask('/api/past');
  t.match(JSON.parse(past.body), { api: { at: Number, everyMs: 10_000, workers: Array } });

  const { daemon: next } = await home.list();
  // On a busy machine the primary has started another one meanwhile, which would end one that is stopped.
  const daemons = () =>
    processesOf(home.root).filter((pid) => /nodecluster: daemon| recovery$/.test(commandOf(pid)));
  await until(() => daemons().length === 1, 'a daemon alone');
  process.kill(next.pid, 'SIGSTOP');
  await page.knows(({ gone }) => gone?.reason?.includes('not answer'));
  process.kill(next.pid, 'SIGCONT');
  await page.knows(({ gone }) => !gone);
  page.close();
});

t.test('nothing is watched while no page is open', async (t) => {
  const home = testHome(t);
  await home.ok(['start', app('http-pid.cjs'), '--name', 'api', '--set-env', 'PORT=0']);
  const { client, serving } = await beginWeb(t, home, ['--read-only']);
  // Its own streams are sockets too.
  const before = unixSockets(Number(serving.child.pid));
  const connections = () => unixSockets(Number(serving.child.pid)) - before;
  const page = await client.stream('/api/events');
  t.equal((await page.next('snapshot')).state.isReadOnly, true);
  t.equal(connections(), 1);
  page.close();
  await until(() => connections() === 0, 'no connection after the page was closed');
  const reply = await client.post('/api/actions', { action: 'stop', target: 'api' });
  t.match(reply, { status: 403 });
});

t.test('its unix socket goes with it', async (t) => {
  const home = testHome(t);
  await home.startDaemon();
  const socket = path.join(home.root, 'web.sock');
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT'])) {
    const serving = home.begin(['web', '--listen', `unix:${socket}`]);
    t.teardown(() => serving.child.kill('SIGKILL'));
    await serving.said(/token=/);
    t.ok(existsSync(socket));
    serving.child.kill(signal);
    const expected = signal === 'SIGINT' ? { code: 130 } : { signal };
    t.match(await serving.ended, expected, signal);
    t.notOk(existsSync(socket), signal);
  }
});

function unixSockets(pid) {
  const known = readFileSync(`/proc/${pid}/net/unix`, 'utf8');
  const inodes = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => inodeOf(`/proc/${pid}/fd/${fd}`));
  return inodes.filter((inode) => known.includes(` ${inode}`)).length;
}

function inodeOf(link) {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1] ?? [];
  } catch {
    return []; // it was closed meanwhile
  }
}
