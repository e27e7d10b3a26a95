/** A program sees the same process as under plain `node`. */
import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app, NODE, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

const home = testHome(t);

/** What a cluster worker has beyond a plain process, as documented. */
const ADDED = ['NODE_APP_INSTANCE', 'NODECLUSTER_WORKER'];

const options = execFileSync(NODE, ['-p', '[...process.allowedNodeEnvironmentFlags].join()'], {
  encoding: 'utf8',
}).split(',');
const PERMISSIONS = [
  options.includes('--permission') ? '--permission' : '--experimental-permission',
  `--allow-fs-read=${realpathSync(app('.'))}`,
  ...(options.includes('--allow-net') ? ['--allow-net'] : []),
];

for (const [program, nodeArgs] of [
  ['reports-main.cjs', ['--max-http-header-size=20000']],
  ['reports-main.mjs', ['--max-http-header-size=20000']],
  ['reports-main.cjs', PERMISSIONS],
]) {
  t.test(`${program} ${nodeArgs[0]}`, async (t) => {
    const [plainPort, port] = [await freePort(), await freePort()];
    const args = ['one', '--two', 'three four'];

    const plainEnv = { ...home.env, PORT: String(plainPort), OWN: 'a b=c' };
    const plain = spawnClean(NODE, [...nodeArgs, app(program), ...args], {
      cwd: home.root,
      env: plainEnv,
    });
    t.teardown(() => plain.kill('SIGKILL'));
    const expected = await until(() => ask(plainPort), 'the plain program');

    const start = ['start', app(program), '--node-args', nodeArgs.join(' ')];
    await home.ok([...start, '--name', `at-${port}`, '--', ...args], {
      env: { PORT: String(port), OWN: 'a b=c' },
    });
    const seen = await ask(port);

    const environment = Object.fromEntries(
      Object.entries(seen.env).filter(([key]) => !ADDED.includes(key)),
    );
    t.same(environment, { ...expected.env, PORT: String(port) }, 'the same environment');
    t.equal(seen.env.NODE_APP_INSTANCE, '0');
    delete seen.env;
    delete expected.env;
    t.same(seen, expected, 'and all else the same');
  });
}

for (const mode of ['cluster', 'fork']) {
  t.test(`the permission model in NODE_OPTIONS, ${mode} mode`, async (t) => {
    const port = await freePort();
    const file = join(home.root, 'ecosystem.json');
    const env = { PORT: port, NODE_OPTIONS: PERMISSIONS.join(' ') };
    const program = { name: mode, script: app('reports-main.cjs'), exec_mode: mode, env };
    writeFileSync(file, JSON.stringify({ apps: [program] }));
    await home.ok(['start', file]);
    await home.ok(['reload', mode]);
    t.same((await ask(port)).execArgv, []);
    t.match(await home.appNamed(mode), { restarts: 0 });
    await home.ok(['stop', mode]);
  });
}

t.test("a program's own children do not load the agent", async (t) => {
  const port = await freePort();
  await home.ok(['start', app('starts-a-child.cjs')], { env: { PORT: String(port) } });
  const child = await ask(port);
  t.same(
    child.execArgv.filter((arg) => arg.includes('agent')),
    [],
  );
  t.equal(child.env.NODE_OPTIONS, undefined);
});
