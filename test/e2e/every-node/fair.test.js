/** `scheduling: fair`: no connection is lost when workers come and go, or waits for a blocked one. */
import { rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask, pidsThatAnswer } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { eventOf, until } from '../../support/until.js';

/** @param {any} t @param {string} script @param {number} count of workers */
async function served(t, script, count) {
  const home = testHome(t);
  const port = await freePort();
  const flags = ['--name', 'api', '-i', String(count)];
  const start = ['start', app(script), ...flags, '--min-uptime', '300ms'];
  await home.ok(start, { env: { PORT: String(port) } });
  return { ...home, port };
}

t.test('reloads and changes of the number of workers lose nothing', async (t) => {
  const { ok, port } = await served(t, 'http-pid.cjs', 2);
  const load = startLoad({ port, keepAlive: false, clients: 8 });
  await load.answers(20);
  for (const command of [
    ['reload', 'api'],
    ['scale', 'api', '6'],
    ['scale', 'api', '1'],
    ['scale', 'api', '2'],
    ['reload', 'api'],
  ]) {
    await ok(command);
    await load.answers(20);
  }
  t.match(await load.stop(), { failed: 0, failures: [] });
  t.equal((await pidsThatAnswer(port, 2)).length, 2);
});

t.test('nobody waits behind a worker that is blocked, or has crashed', async (t) => {
  const { root, port, pidsOf } = await served(t, 'blocks-on-demand.cjs', 4);
  const end = join(root, 'end');
  t.teardown(() => writeFileSync(end, ''));
  const blocked = [];
  for (let count = 0; count < 3; count++) blocked.push((await ask(port, `/block?${end}`)).pid);
  for (let asked = 0; asked < 30; asked++) t.notOk(blocked.includes((await ask(port)).pid));
  writeFileSync(end, '');
  await pidsThatAnswer(port, 4);

  const [crashed] = await pidsOf('api');
  process.kill(crashed, 'SIGKILL');
  const load = startLoad({ port, keepAlive: false, anyAnswer: true, clients: 4 });
  await load.answers(50);
  await until(async () => !(await pidsOf('api')).includes(crashed), 'the next worker');
  const { codes } = await load.stop();
  delete codes.ECONNRESET;
  t.same(codes, {}, 'only what the crashed worker had accepted is lost');
});

t.test('an unhealthy worker gets none, also from its own socket', async (t) => {
  const { ok, root, appNamed } = testHome(t);
  const port = await freePort();
  const api = {
    ...{ name: 'api', script: app('health.cjs'), instances: 4 },
    ...{ min_uptime: '100ms', health: { http: '/health', interval: '100ms', failures: 2 } },
    env: { PORT: String(port), HEALTH_DIR: root, SERVES_ALWAYS: 'yes' },
  };
  const file = join(root, 'ecosystem.json');
  writeFileSync(file, JSON.stringify({ apps: [api] }));
  await ok(['start', file]);
  const load = startLoad({ port, keepAlive: false, clients: 8 });
  t.teardown(() => load.stop());
  await load.answers(50);
  // Its successors fail too, so it stays.
  writeFileSync(join(root, 'slot-1'), '503 out of order');
  const isUnhealthy = async () => (await appNamed('api')).workers[1].health.status === 'unhealthy';
  await until(isUnhealthy, 'the failure');
  const slots = async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(port)));
    return answers.map(({ slot }) => slot);
  };
  // The worker is notified a moment later.
  await until(async () => !(await slots()).includes(1), 'others to get its connections');
  for (let round = 0; round < 3; round++) t.notOk((await slots()).includes(1));
  await load.answers(50);
  rmSync(join(root, 'slot-1'));
  await until(async () => (await slots()).includes(1), 'it to get connections again');
  t.match(await load.stop(), { failed: 0, failures: [] });
});

t.test('a killed primary loses no connection that waits', async (t) => {
  const { port, appNamed } = await served(t, 'http-pid.cjs', 2);
  const { primaryPid } = await appNamed('api');
  const load = startLoad({ port, keepAlive: false, clients: 4 });
  await load.answers(20);
  process.kill(primaryPid, 'SIGKILL');
  await until(async () => {
    const shown = await appNamed('api');
    return shown.primaryPid !== primaryPid && shown.status === 'online';
  }, 'the app to be back');
  await load.answers(50);
  t.match(await load.stop(), { failed: 0, failures: [] });
});

t.test('a port that another program has is not shared with it', async (t) => {
  const other = net.createServer();
  const port = await freePort();
  other.listen({ port, reusePort: process.versions.node.split('.').map(Number)[0] >= 24 });
  await eventOf(other, 'listening');
  t.teardown(() => other.close());
  const { run } = testHome(t);
  const start = ['start', app('http-pid.cjs'), '--name', 'api'];
  const { code, stderr } = await run(start, { env: { PORT: String(port) } });
  t.not(code, 0);
  t.match(stderr, /EADDRINUSE|in use/);
});
