/** A new version that does not start: the old one keeps serving, and the command reports it. */
import t from 'tap';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';

t.test('reload of a broken version', async (t) => {
  const { root, ok, run, pidsOf } = testHome(t);
  const port = await freePort();
  const script = `${root}/server.cjs`;
  copyApp('http-pid.cjs', script);
  await ok(['start', script, '-i', '2', '--name', 'api'], { env: { PORT: String(port) } });
  const before = await pidsOf('api');
  const load = startLoad({ port, clients: 4 });
  t.teardown(() => load.stop());

  copyApp('throws-at-load.cjs', script);
  const { code, stderr } = await run(['reload', 'api']);
  t.equal(code, 5);
  t.match(stderr, /the configuration is missing/);
  t.same(await pidsOf('api'), before, 'the same workers');
  await load.answers(20);

  copyApp('http-pid.cjs', script);
  await ok(['reload', 'api']);
  t.notOk(
    (await pidsOf('api')).some((pid) => before.includes(pid)),
    'and the next one works',
  );
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
});

t.test('when one app of a file fails, the others start', async (t) => {
  const { root, run, appNamed } = testHome(t);
  const port = await freePort();
  copyApp('http-pid.cjs', `${root}/good.cjs`);
  copyApp('exits-1.cjs', `${root}/bad.cjs`);
  writeFiles(root, {
    'ecosystem.yml': {
      apps: [
        { name: 'bad', script: './bad.cjs', max_restarts: 1 },
        { name: 'good', script: './good.cjs', env: { PORT: port } },
      ],
    },
  });
  const { code, stderr } = await run(['start']);
  t.equal(code, 5);
  t.match(stderr, /no database/);
  t.equal((await appNamed('good')).status, 'online');
  t.ok(await ask(port));
});
