/** A program that does not start: the reason, its last lines on stderr, and exit code 5. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

const home = testHome(t, { inProcess: true });

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
    const steps = [...stderr.matchAll(/^throws-at-load\.cjs:0 (starting|failed)/gm)];
    t.same(
      steps.slice(0, 2).map(([, step]) => step),
      ['starting', 'failed'],
      'progress shows a failure before the next start',
    );
    t.match(stderr, /\| +at .*throws-at-load\.cjs/, 'the stack begins in the program');
    t.notMatch(stderr, /\| +at .*\(node:/);
  });
}

t.test(
  'a program that ends by itself with 0 has done its work, and is started again',
  async (t) => {
    const { ok, appNamed } = home;
    const { stderr } = await ok(['start', app('exits-0.cjs'), '--name', 'job']);
    t.match(stderr, /✔ job: 1 worker started/);
    t.match(
      stderr,
      /job:0: exited with code 0 and is started again.*--no-autorestart.*stop_exit_codes/,
    );
    const hint = ['restart', 'job', '--no-autorestart'];
    t.match((await ok(['describe', 'job'])).stdout, `nodecluster ${hint.join(' ')} `);
    t.match((await ok(hint)).stderr, /^job:0 exited with code 0 and/m);
    t.match(await appNamed('job'), { status: 'exited' });
    await ok(['delete', 'job']);
  },
);

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
    t.match(stderr, `second:0 failed ${reason}\n`);
    t.match(stderr, `  second:0: ${reason}\n`);
    t.match((await appNamed('second')).workers[0].reason, reason);
    if (execMode === 'cluster') await ok(['delete', 'second']);
  }
  t.match((await ok(['ls'])).stdout, `port ${PORT} in use`);
  const described = (await ok(['describe', 'second'])).stdout;
  t.match(described, `the last time it ${reason}, `);
  t.equal(described.split(reason).length, 2, 'said once');
  const errored = ['--since', '1m', '--no-follow', '--type', 'worker.errored'];
  t.match((await ok(['events', 'second', ...errored])).stdout, reason, 'also the event');
  await ok(['delete', 'second']);

  // Express 5 passes the error to the callback of listen(), and the program exits with code 0.
  const express = ['start', app('express-logs-listening.cjs'), '--name', 'second'];
  const restarted = await run([...express, '--max-restarts', '0'], { env });
  t.match(restarted, { code: 5, stderr: `  second:0: ${reason}\n` }, 'Express');
  await ok(['delete', 'second']);
  const { stderr } = await ok([...express, '--no-autorestart'], { env });
  t.match(stderr, `second:0 exited ${reason}; autorestart is off\n`);
  t.match(await appNamed('second'), { status: 'exited', workers: [{ reason: RegExp(reason) }] });
  await ok(['delete', 'second']);
});

t.test(
  'a program that does not listen: the command says what it waits for, and what is so',
  async (t) => {
    const { ok, appNamed } = home;
    const limits = ['--listen-timeout', '4s', '--min-uptime', '1m'];
    const rows = [
      ['never-listens', 'until it has run for 4 s (min_uptime)'],
      ['listens-late-after-making', 'up to 4 s until it listens, as it has made a server'],
    ];
    for (const [name, waitsFor] of rows) {
      const env = { LATE_MS: '600000' };
      const { stderr } = await ok(['start', app(`${name}.cjs`), ...limits], { env });
      t.match(stderr, `\n${name}:0 waiting ${waitsFor}\n`);
      t.match(stderr, `✔ ${name}: 1 worker online`);
      t.match(stderr, `  ${name}:0: runs, but listens on nothing\n`);
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
    return ended;
  };
  await write();
  const { stderr } = await fails(['start', 'late.json']);
  t.match(stderr, 'late:0 waiting until it has run for 9 s (min_uptime)\n');
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
