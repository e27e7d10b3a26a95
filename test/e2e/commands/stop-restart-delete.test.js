/** stop, restart, delete and kill, with every kind of selector. */
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { loggedText } from '../../support/log-messages.js';
import { freePort } from '../../support/ports.js';

/** @param {any} t */
async function twoApps(t) {
  const home = testHome(t);
  const ports = { api: await freePort(), web: await freePort() };
  for (const [name, port] of Object.entries(ports)) {
    const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', name];
    await home.ok([...start, '--namespace', 'shop'], { env: { PORT: String(port) } });
  }
  return { ...home, ports };
}

t.test('stop and start again', async (t) => {
  const { ok, appNamed, ports } = await twoApps(t);
  await ok(['stop', 'api']);
  t.equal((await appNamed('api')).status, 'stopped');
  await t.rejects(ask(ports.api), { code: 'ECONNREFUSED' });
  t.ok(await ask(ports.web), 'the other app serves on');
  await ok(['start', 'api']);
  t.equal((await appNamed('api')).status, 'online');
  t.ok(await ask(ports.api));
});

t.test('restart: all workers by name, one worker by id or slot', async (t) => {
  const { ok, appNamed, pidsOf } = await twoApps(t);
  const [api, web] = [await pidsOf('api'), await pidsOf('web')];
  await ok(['restart', 'api']);
  const after = await pidsOf('api');
  t.notOk(after.some((pid) => api.includes(pid)));

  const slotPids = async () => (await appNamed('api')).workers.map(({ pid }) => pid);
  const [zero, one] = await slotPids();
  const { id } = (await appNamed('api')).workers[1];
  await ok(['restart', String(id)]);
  const [sameZero, newOne] = await slotPids();
  t.equal(sameZero, zero);
  t.not(newOne, one);

  await ok(['restart', 'api:0']);
  const [newZero, sameOne] = await slotPids();
  t.not(newZero, zero);
  t.equal(sameOne, newOne);
  t.same(await pidsOf('web'), web, 'the other app was left alone');
});

t.test('delete: by pattern, by namespace, all', async (t) => {
  const { ok, list } = await twoApps(t);
  const names = async () => (await list()).apps.map(({ name }) => name).sort();
  await ok(['del', '/^ap/']);
  t.same(await names(), ['web']);
  await ok(['stop', 'shop']);
  await ok(['delete', 'all']);
  t.same(await names(), []);
});

t.test('kill stops every app and the daemon; ping succeeds before and fails after', async (t) => {
  const { ok, run, ports } = await twoApps(t);
  await ok(['ping']);
  await ok(['kill']);
  await t.rejects(ask(ports.api), { code: 'ECONNREFUSED' });
  t.equal((await run(['ping'])).code, 8);
});

t.test('stop runs the shutdown handler of the program', async (t) => {
  const { ok, home } = testHome(t);
  const env = { PORT: String(await freePort()) };
  await ok(['start', app('own-sigterm-handler.cjs'), '--name', 'api'], { env });
  await ok(['stop', 'api']);
  t.equal(loggedText(`${home}/logs/api-out.log`), 'shutting down\nclosed\n');
});

t.test('a program that ignores the stop signal is killed after kill_timeout', async (t) => {
  const { ok, appNamed } = testHome(t);
  const env = { PORT: String(await freePort()) };
  const start = ['start', app('ignores-sigterm.cjs'), '--name', 'api', '--kill-timeout', '300'];
  await ok(start, { env });
  await ok(['stop', 'api']);
  t.equal((await appNamed('api')).status, 'stopped');
});
