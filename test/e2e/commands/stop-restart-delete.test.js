/** stop, start, restart, delete and kill, with every kind of selector. */
import t from 'tap';
import { readdirSync } from 'node:fs';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePorts } from '../../support/ports.js';

t.test('kill leaves nothing but data', async (t) => {
  const { home, ok, startApi } = testHome(t);
  await startApi(['-i', '2']);
  await ok(['start', app('http-pid.cjs'), '--name', 'own', '-i', '5'], { env: { PORT: '0' } });
  await ok(['kill']);
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' });
  t.same(
    left.filter((each) => !each.startsWith('versions') && /tmp|sock|~$/.test(each)),
    [],
  );
});

t.test('two apps of one namespace', async (t) => {
  const { ok, run, list, appNamed, pidsOf } = testHome(t);
  const [port, other] = await freePorts(2);
  for (const [name, PORT] of Object.entries({ api: port, web: other })) {
    const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', name];
    await ok([...start, '--namespace', 'shop'], { env: { PORT: String(PORT) } });
  }
  const web = await pidsOf('web');
  await ok(['stop', 'api']);
  t.equal((await appNamed('api')).status, 'stopped');
  await t.rejects(ask(port), { code: 'ECONNREFUSED' });
  t.ok(await ask(other), 'the other app serves on');
  await ok(['start', 'api']);
  t.equal((await appNamed('api')).status, 'online');
  t.ok(await ask(port));

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

  await ok(['del', '/^ap/']);
  t.same(
    (await list()).apps.map(({ name }) => name),
    ['web'],
  );
  await ok(['stop', 'shop']);
  await ok(['start', 'all']);
  await ok(['ping']);
  await ok(['kill']);
  await t.rejects(ask(other), { code: 'ECONNREFUSED' });
  t.equal((await run(['ping'])).code, 8);
});
