/** A file with three apps: started, changed, pruned, under load without a failed request. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startBothLoads } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';

const python = spawnSync('python3', ['--version']).status === 0;
const skip = python ? false : 'there is no python3 here';

t.test('start, change, dry run, prune', { skip }, async (t) => {
  const { root, ok, run, list, pidsOf } = testHome(t);
  for (const name of ['http-pid.cjs', 'greets.py', 'worker.sh']) copyApp(name, `${root}/${name}`);
  const [port, pythonPort] = [await freePort(), await freePort()];
  const api = { name: 'api', script: './http-pid.cjs', instances: 2 };
  const greets = { name: 'greets', script: './greets.py' };
  const ticks = { name: 'ticks', script: './worker.sh', args: ['a', 'b'], min_uptime: '100ms' };
  const write = (apps) => writeFiles(root, { 'ecosystem.yml': { apps } });
  const apiEnv = { PORT: port, APP_VERSION: 'one' };

  write([{ ...api, env: apiEnv }, { ...greets, env: { PORT: pythonPort } }, ticks]);
  await ok(['start']);
  const { apps } = await list();
  t.same(
    apps.map(({ name, mode, status, workers }) => [name, mode, status, workers.length]).sort(),
    [
      ['api', 'cluster', 'online', 2],
      ['greets', 'fork', 'online', 1],
      ['ticks', 'fork', 'online', 1],
    ],
  );
  t.match(await ask(pythonPort), { hello: 'world', slot: '0' });

  const load = startBothLoads(t, { port, clients: 4 });
  await load.answers(10);

  const before = { api: await pidsOf('api'), greets: await pidsOf('greets') };
  await ok(['start', 'ecosystem.yml']);
  t.same(await pidsOf('api'), before.api, 'the same file again changes nothing');

  write([
    { ...api, instances: 3, args: ['--new'], env: { ...apiEnv, APP_VERSION: 'two' } },
    { ...greets, env: { PORT: pythonPort } },
  ]);
  const dry = await ok(['apply', '--dry-run']);
  t.match(dry.stdout, /instances/);
  t.match(dry.stdout, /APP_VERSION/);
  t.match(dry.stdout, /ticks/);
  t.same(await pidsOf('api'), before.api, 'a dry run does nothing');

  const kept = await ok(['apply', 'ecosystem.yml']);
  t.match(kept.stderr + kept.stdout, /ticks/, 'the app that is no longer in the file is named');
  t.equal((await pidsOf('ticks')).length, 1, 'and stays');
  t.match(await ask(port), { version: 'two', args: ['--new'] });
  t.equal((await pidsOf('api')).length, 3);
  t.same(await pidsOf('greets'), before.greets, 'what did not change was left alone');

  const refused = await run(['reload', '--prune']);
  t.match(refused, { code: 2, stderr: /`nodecluster apply --prune`/ });
  await ok(['apply', '--prune']);
  t.same((await list()).apps.map(({ name }) => name).sort(), ['api', 'greets']);

  write([{ ...api, instances: 1, args: ['--new'], env: { ...apiEnv, APP_VERSION: 'two' } }]);
  const survivors = await pidsOf('api');
  await ok(['apply', '--only', 'api']);
  const [left] = await pidsOf('api');
  t.ok(survivors.includes(left), 'fewer instances need no new worker');

  const rolled = await ok(['reload']);
  t.match(
    rolled.stderr,
    /✔ api: 1 worker replaced/,
    'nothing changed in the file, but in the code',
  );
  t.notOk((await pidsOf('api')).includes(left));
  write([{ ...api, instances: 2, args: ['--new'], env: { ...apiEnv, APP_VERSION: 'three' } }]);
  const grown = await ok(['startOrReload', 'ecosystem.yml']);
  t.match(grown.stderr, /✔ api: 1 worker replaced, 1 added/);

  await load.answers(10);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  t.equal((await run(['stop', 'ecosystem.yml'])).code, 0);
  t.equal((await run(['delete', 'ecosystem.yml'])).code, 0);
  t.same(
    (await list()).apps.map(({ name }) => name),
    ['greets'],
  );
});
