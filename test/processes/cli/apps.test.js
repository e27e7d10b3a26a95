/** Commands on apps: alone, two at once, by cron, to another host, and the table that shows them. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path, { join } from 'node:path';
import t from 'tap';
import { availableCores } from '../../../src/daemon/cgroups.js';
import { app, testHome } from '../../support/home.js';
import { ask, pidsThatAnswer } from '../../support/http-ask.js';
import { freePort, freePorts } from '../../support/ports.js';
import { until } from '../../support/until.js';

// stop, start, restart, delete and kill, with every kind of selector.

t.test('two apps of one namespace, until kill leaves nothing but data', async (t) => {
  const { home, ok, run, list, pidsOf } = testHome(t, { inProcess: true });
  const [port, other] = await freePorts(2);
  for (const [name, PORT] of Object.entries({ api: port, web: other })) {
    const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', name];
    await ok([...start, '--namespace', 'shop'], { env: { PORT: String(PORT) } });
  }
  const web = await pidsOf('web');
  await ok(['stop', 'api']);
  await t.rejects(ask(port), { code: 'ECONNREFUSED' });
  await ok(['start', 'api']);
  t.ok(await ask(port));
  t.same(await pidsOf('web'), web, 'the other app was left alone');
  await ok(['del', '/^ap/']);
  t.match((await list()).apps, [{ name: 'web' }]);
  await ok(['stop', 'shop']);
  await ok(['start', 'all']);
  await ok(['kill']);
  await t.rejects(ask(other), { code: 'ECONNREFUSED' });
  t.equal((await run(['ping'])).code, 8);
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' });
  t.same(
    left.filter((each) => !each.startsWith('versions') && /tmp|sock|~$/.test(each)),
    [],
  );
});

t.test('kill during a reload', async (t) => {
  const { root, ok, begin } = testHome(t, { inProcess: true });
  const ready = path.join(root, 'READY_0');
  writeFileSync(ready, '');
  const env = { PORT: String(await freePort()), FOLDER: root };
  const script = app('ready-when-file-exists.cjs');
  await ok(['start', script, '--name', 'api', '--wait-ready'], { env });
  rmSync(ready);
  const reload = begin(['reload', 'api']);
  await reload.said(/start/i);
  t.match(await ok(['kill']), { stdout: /api/ });
  const { code, stderr } = await reload.ended;
  t.equal(code, 5, stderr);
  t.match(stderr, /`nodecluster kill` stopped api before the command was done/);
  t.notMatch(stderr, /started again/);
});

t.test('cron_restart does not start an app again whose stop waits for its turn', async (t) => {
  const { ok, begin, list } = testHome(t, { inProcess: true });
  const env = { PORT: String(await freePort()), LATE_MS: '1500' };
  const cron = ['--cron-restart', '* * * * * *'];
  await ok(['start', app('listens-late.cjs'), '--name', 'api', ...cron], { env });
  const restart = begin(['restart', 'api']);
  await restart.said(/api:0/);
  await ok(['stop', 'api']);
  await ok(['reset', 'api']); // waits for what is in the queue
  t.equal((await list()).apps[0].status, 'stopped');
  await restart.ended;
});

t.test('an app listens on another address after a restart', async (t) => {
  const { ok, run, appNamed } = testHome(t, { inProcess: true });
  const port = String(await freePort());
  const start = ['start', app('listens-on-host.cjs'), '--name', 'api', '-i', '2'];
  await ok(start, { env: { PORT: port } });
  for (const HOST of ['127.0.0.1', '0.0.0.0']) {
    // The first worker may die of the daemon's copy of the old socket.
    await run(['restart', 'api', '--update-env'], { env: { PORT: port, HOST } });
    const { workers } = await until(async () => {
      const shown = await appNamed('api');
      return shown.workers.every(({ status }) => status === 'online') && shown;
    }, `both to be online on ${HOST}`);
    const { pid } = await ask(Number(port));
    t.ok(workers.some((worker) => worker.pid === pid));
  }
});

const home = testHome(t, { inProcess: true });

t.test('-i max: every worker answers', async (t) => {
  const { ok, appNamed } = home;
  const port = await freePort();
  const args = ['start', app('express-pid.mjs'), '-i', 'max', '--name', 'express'];
  const { stdout, stderr } = await ok(args, { env: { PORT: String(port) } });
  t.match(stdout, 'express', 'the table names the app');
  t.match(stderr, ` online on http://localhost:${port} in `);
  const { workers } = await appNamed('express');
  const pids = workers.map(({ pid }) => pid).sort((a, b) => a - b);
  t.equal(pids.length, availableCores());
  t.same(await pidsThatAnswer(port, pids.length), pids);
  t.ok(workers.every(({ status }) => status === 'online'));
  t.same(workers[0].listening, [{ address: `*:${port}`, protocol: 'http' }]);
});

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
      await start(target, { DB_HOST: 'new' });
      t.match(await variables(), /^DB_HOST=new$/m);
      t.notMatch(await variables(), /ONLY_OLD/);
      const runs = await start(target, { DB_HOST: 'other' });
      t.match(runs.stderr, `It keeps its variables. Different in this shell: DB_HOST`);
      await home.ok(['stop', name]);
      t.match((await start([name], { DB_HOST: 'other' })).stderr, /in this shell: DB_HOST\./);
      t.match(await variables(), /^DB_HOST=new$/m, 'start of a name keeps them');
      const same = await start(target, { DB_HOST: 'new' });
      t.notMatch(same.stderr, /variables/, 'nothing is said if nothing differs');
      await home.ok(['delete', name]);
    }
  },
);

const cases = [
  { program: 'throws-at-load.cjs', says: /the configuration is missing/ },
  {
    program: 'hangs-at-import.mjs',
    says: /waiting for something/,
    more: ['--wait-ready', '--listen-timeout', '700'],
  },
];

for (const { program, says, more = [] } of cases) {
  t.test(program, async (t) => {
    const { run, appNamed } = home;
    const args = ['start', app(program), '-i', '2', '--name', program];
    const { code, stderr } = await run([...args, ...more, '--max-restarts', '2'], {
      env: { PORT: String(await freePort()) },
    });
    t.equal(code, 5);
    t.match(stderr, says);
    t.notMatch(stderr, /src\/(cli|daemon|primary)/, 'no stack of ours');
    t.not((await appNamed(program)).status, 'online');
    if (program !== 'throws-at-load.cjs') return;
    t.match(stderr, /\| +at .*throws-at-load\.cjs/, 'the stack begins in the program');
    t.notMatch(stderr, /\| +at .*\(node:/);
  });
}

t.test('a program that ends by itself with 0 is told to be left so', async (t) => {
  const { ok, run, appNamed } = home;
  const { code, stderr } = await run(['start', app('exits-0.cjs'), '--name', 'job']);
  t.equal(code, 5);
  const hint = ['restart', 'job', '--no-autorestart'];
  t.match(stderr, `nodecluster ${hint.join(' ')}`);
  t.match((await ok(['describe', 'job'])).stdout, `nodecluster ${hint.join(' ')} `);
  t.match((await ok(hint)).stderr, /^job:0 exited with code 0 and/m);
  t.match(await appNamed('job'), { status: 'exited' });
  await ok(['delete', 'job']);
});

t.test('a port that is in use: the reason is who has it', async (t) => {
  const { ok, run, appNamed } = home;
  const PORT = String(await freePort());
  const env = { PORT };
  const reason = `could not listen on port ${PORT}: in use by first`;
  await ok(['start', app('http-pid.cjs'), '--name', 'first'], { env });
  const second = ['start', app('http-pid.cjs'), '--name', 'second', '--max-restarts', '0'];
  for (const execMode of ['cluster', 'fork']) {
    const { code, stderr } = await run([...second, '--exec-mode', execMode], { env });
    t.equal(code, 5, execMode);
    t.match(stderr, `  second:0: ${reason}\n`);
    const [worker] = (await appNamed('second')).workers;
    t.match(worker.reason, { kind: 'listen', holder: 'first' });
    if (execMode === 'cluster') await ok(['delete', 'second']);
  }
  t.match((await ok(['ls'])).stderr, `port ${PORT} in use`);
  const described = (await ok(['describe', 'second'])).stdout;
  t.match(described, new RegExp(`port ${PORT} in use by .*`));
  const told = (await ok(['events', 'second', '--since', '1m'])).stdout;
  t.match(told, new RegExp(`second start failed by \\S+: .* it ${reason}\\n`), 'also the event');
  await ok(['delete', 'second']);

  // Express 5 passes the error to the callback of listen(), and the program exits with code 0.
  const express = ['start', app('express-logs-listening.cjs'), '--name', 'second'];
  const restarted = await run([...express, '--max-restarts', '0'], { env });
  t.match(restarted, { code: 5, stderr: `  second:0: ${reason}\n` }, 'Express');
  await ok(['delete', 'second']);
  const { stderr } = await ok([...express, '--no-autorestart'], { env });
  t.match(stderr, `second:0 exited ${reason}; autorestart is off\n`);
  const final = { kind: 'listen', errno: 'EADDRINUSE', final: 'autorestart' };
  t.match(await appNamed('second'), { status: 'exited', workers: [{ reason: final }] });
  await ok(['delete', 'second']);
});

t.test(
  'a program that does not listen is online at last, and the command says what is so',
  async (t) => {
    const { ok, appNamed } = home;
    const limits = ['--listen-timeout', '4s', '--min-uptime', '1m'];
    for (const name of ['never-listens', 'listens-late-after-making']) {
      const env = { LATE_MS: '600000' };
      const { stderr } = await ok(['start', app(`${name}.cjs`), ...limits], { env });
      t.match(stderr, `✔ ${name}: 1 worker online`);
      t.match(stderr, `  ${name}:0: runs, but listens on no TCP port\n`);
      t.equal((await appNamed(name)).status, 'online');
    }
  },
);

t.test('a program that dies after it listens was not started', async (t) => {
  const { run, ok, root } = home;
  const script = app('dies-after-listen.cjs');
  // On a busy machine its end may come late.
  const file = { name: 'late', script, min_uptime: '9s', max_restarts: 99 };
  const write = async (change) => {
    const env = { PORT: await freePort(), LIVES_MS: 300 };
    const text = JSON.stringify({ apps: [{ ...file, env, ...change }] });
    writeFileSync(path.join(root, 'late.json'), text);
  };
  const fails = async (words, id = 0) => {
    const ended = await run(words);
    t.equal(ended.code, 5, words.join(' '));
    t.match(
      ended.stderr,
      RegExp(`^  late:${id}: exited with code 1\n.*died after listening`, 'ms'),
    );
  };
  await write();
  await fails(['start', 'late.json']);
  await fails(['restart', 'late']);
  await fails(['start', 'late']);
  await ok(['stop', 'late']);
  await fails(['apply', 'late.json']);
  await ok(['delete', 'late']);

  await write({ min_uptime: '4s', env: { PORT: '0', LIVES_MS: '50', FAIL_SLOT: '1' } });
  await ok(['start', 'late.json']);
  t.match(await run(['scale', 'late', '2', '--json']), { code: 5 });
  await ok(['delete', 'late']);
});
