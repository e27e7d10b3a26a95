/** Starting an unmodified server on all cores, and the table that shows it. */
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { pidsThatAnswer } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { availableCores } from '../../../src/daemon/cgroup-limits.js';

const home = testHome(t);

const cases = [
  { program: 'http-pid.cjs', i: '4', workers: 4 },
  { program: 'http-pid.mjs', i: 'max', workers: availableCores() },
  { program: 'express-pid.cjs', i: '0', workers: availableCores() },
  { program: 'express-pid.mjs', i: '2', workers: 2 },
];

for (const { program, i, workers } of cases) {
  t.test(`${program} -i ${i}: every worker answers`, async (t) => {
    const { ok, appNamed } = home;
    const port = await freePort();
    const env = { PORT: String(port) };
    const args = ['start', app(program), '-i', i, '--name', program];
    const { stdout, stderr } = await ok(args, { env });
    t.match(stdout, program, 'the table names the app');
    t.match(stderr, ` online on http://localhost:${port} in `);
    const shown = await appNamed(program);
    const pids = shown.workers.map(({ pid }) => pid).sort((a, b) => a - b);
    t.equal(pids.length, workers);
    t.same(await pidsThatAnswer(port, workers), pids);
    t.ok(shown.workers.every(({ status }) => status === 'online'));
    t.same(shown.workers[0].listening, [{ address: `*:${port}`, protocol: 'http' }]);
  });
}

t.test(
  'without -i there is one worker, without --name the app is named after the file',
  async (t) => {
    const { ok, list } = testHome(t);
    const port = await freePort();
    await ok(['start', app('http-pid.cjs'), '--', 'left', '--right'], { env: { PORT: `${port}` } });
    const { daemon, apps } = await list();
    t.match(daemon, { pid: Number, version: String });
    t.match(apps, [
      {
        name: 'http-pid',
        namespace: 'default',
        status: 'online',
        mode: 'cluster',
        script: app('http-pid.cjs'),
        instances: 1,
        scheduling: 'fair',
        generation: Number,
        primaryPid: Number,
        restarts: 0,
        workers: [
          { id: 0, slot: 0, pid: Number, status: 'online', startedAt: Number, restarts: 0 },
        ],
      },
    ]);
    t.equal(apps.length, 1);
    t.equal(apps[0].workers.length, 1);
  },
);

t.test('an empty home lists nothing, in every output format', async (t) => {
  const { ok } = testHome(t);
  for (const word of ['ls', 'list', 'ps', 'status']) await ok([word]);
  const { stdout } = await ok(['ls', '--json']);
  t.same(JSON.parse(stdout).apps, []);
});

t.test('the name of an app comes before a command in PATH', async (t) => {
  const { ok, appNamed } = testHome(t);
  await ok(['start', app('http-pid.cjs'), '--name', 'sleep'], { env: { PORT: '0' } });
  await ok(['start', 'sleep', '-i', '2']);
  t.equal((await appNamed('sleep')).workers.length, 2);
});
