/** Starting an unmodified server on all cores, and the table that shows it. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, testHome } from '../../support/home.js';
import { pidsThatAnswer } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { availableCores } from '../../../src/daemon/cgroup-limits.js';

const home = testHome(t, { inProcess: true });

const cases = [{ program: 'express-pid.mjs', i: 'max', workers: availableCores() }];

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

t.test('the name of an app comes before a command in PATH', async (t) => {
  const { ok, appNamed } = home;
  await ok(['start', app('http-pid.cjs'), '--name', 'sleep'], { env: { PORT: '0' } });
  await ok(['start', 'sleep', '-i', '2']);
  t.equal((await appNamed('sleep')).workers.length, 2);
});

t.test(
  'start of a program or a file that is stopped takes the variables of this shell',
  async (t) => {
    const file = join(home.root, 'x.yml');
    writeFileSync(file, `script: ${app('http-pid.cjs')}\nname: filed\n`);
    const targets = [
      ['filed', [file]],
      ['typed', [app('http-pid.cjs'), '--name', 'typed']],
    ];
    for (const [name, target] of targets) {
      const PORT = String(await freePort());
      const start = (words, env) => home.ok(['start', ...words], { env: { PORT, ...env } });
      const variables = async () => (await home.ok(['env', name])).stdout;
      await start(target, { DB_HOST: 'old', ONLY_OLD: '1' });
      await home.ok(['stop', name]);
      const again = await start(target, { DB_HOST: 'new' });
      t.match(again.stderr, `${name}: variables of this shell differ from those before: `);
      t.match(again.stderr, /DB_HOST/);
      t.match(again.stderr, /ONLY_OLD/);
      t.notMatch(again.stderr, /PWD|: old|: new/, 'no values, and nothing of the session');
      t.match(await variables(), /^DB_HOST=new$/m);
      t.notMatch(await variables(), /ONLY_OLD/);
      const runs = await start(target, { DB_HOST: 'other' });
      t.match(
        runs.stderr,
        `${name} keeps the variables that it runs with. Different in this shell: DB_HOST`,
      );
      await home.ok(['stop', name]);
      t.match((await start([name], { DB_HOST: 'other' })).stderr, /in this shell: DB_HOST\./);
      t.match(await variables(), /^DB_HOST=new$/m, 'start of a name keeps them');
      const same = await start(target, { DB_HOST: 'new' });
      t.notMatch(same.stderr, /variables/, 'nothing is said if nothing differs');
      await home.ok(['delete', name]);
    }
  },
);
