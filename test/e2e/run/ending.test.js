/** What `run` writes, for readers that are quick, slow or gone, and how it ends: its exit code says why, and nothing is left. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { app } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { listening } from '../../support/listening.js';
import { freePort } from '../../support/ports.js';
import { isRunning, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

t.test('a program that exits with 0 and is not started again', async (t) => {
  const { begin, left } = testRun(t);
  // The other one exits before the daemon is connected to its primary.
  const jobs = [
    [app('exits-0.cjs')],
    ['/bin/true', '--exec-mode', 'fork', '--interpreter', 'none'],
  ];
  for (const job of jobs) {
    t.match(await begin([...job, '--no-autorestart', '--name', 'job']).ended, {
      code: 0,
      stderr: /job \| \[nodecluster\] worker 0 exited with code 0 .*\(uptime/,
    });
    t.same(left(), NOTHING);
  }
});

t.test('a program that handles that its port is in use, and exits with 0', async (t) => {
  const { root, begin, left } = testRun(t);
  const port = await listening(t, createServer(), { port: 0 });
  const listens = `require('node:net').createServer().on('error', () => {}).listen(${port})`;
  writeFiles(root, {
    'itself.cjs': listens,
    'its-worker.cjs': `const cluster = require('node:cluster');
      if (cluster.isPrimary) cluster.fork();
      else ${listens}.on('error', () => process.exit());`,
  });
  for (const execMode of ['fork', 'cluster']) {
    for (const file of ['itself.cjs', 'its-worker.cjs']) {
      const args = [join(root, file), '--no-autorestart', '--exec-mode', execMode];
      const { code, stderr } = await begin(args).ended;
      t.equal(code, 0, `${file} in ${execMode} mode`);
      t.match(stderr, `could not listen on port ${port}: in use by pid ${process.pid}`);
      t.match(stderr, 'every app has exited');
    }
  }
  t.same(left(), NOTHING);
});

t.test('an app that has failed for good ends the others, which drain', async (t) => {
  const { root, begin, left } = testRun(t);
  const port = await freePort();
  const file = join(root, 'ecosystem.json');
  const web = { name: 'web', script: app('slow-20ms.mjs'), env: { PORT: String(port) } };
  const bad = { name: 'bad', script: app('exits-1.cjs'), max_restarts: 1 };
  writeFiles(root, { 'ecosystem.json': JSON.stringify({ apps: [web, bad] }) });
  const { code, stderr } = await begin([file]).ended;
  t.equal(code, 5);
  t.match(stderr, /bad \| \[nodecluster\] worker 0 errored: failed .*it exited with code 1/);
  t.match(stderr, /run \| \[nodecluster\] bad failed for good; shutting down/);
  t.same(left(), NOTHING);
});

t.test('what cannot be started', async (t) => {
  const { root, begin, left } = testRun(t);
  t.match(await begin([join(root, 'missing.yml')]).ended, { code: 3 });
  t.match(await begin([app('talks.cjs'), '--instances', 'many']).ended, { code: 2 });
  t.match(await begin([]).ended, { code: 2, stderr: /ecosystem/ });
  t.same(left(), NOTHING);
});

t.test('a second SIGTERM ends the drain, and a third one the program', async (t) => {
  const { root, begin, left } = testRun(t);
  const port = await freePort();
  writeFiles(root, {
    'deaf.cjs': `process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
      const server = require('node:http').createServer(() => console.log('asked'));
      server.listen(${port}, () => console.log('listening'));`,
  });
  const { child, ended, said } = begin([join(root, 'deaf.cjs'), '--kill-timeout', '1m']);
  await said(/listening/);
  const closed = ask(port).catch((error) => error.code);
  await said(/asked/);
  child.kill('SIGTERM');
  const again = setInterval(() => child.kill('SIGTERM'), 300);
  const { code, stderr } = await ended;
  clearInterval(again);
  t.equal(code, 0);
  t.equal(await closed, 'ECONNRESET');
  t.match(stderr, /SIGTERM: stopping\n[^]*again: stopping without waiting[^]*again: killing/);
  t.same(left(), NOTHING);
});

t.test('its apps end when it is killed, and the next one removes what is left', async (t) => {
  const { root, begin, left } = testRun(t);
  const port = await freePort();
  const { child, ended } = begin([app('slow-20ms.mjs'), '-i', '2'], {
    env: { PORT: String(port) },
  });
  await until(() => ask(port), 'an answer');
  const client = connect(port, '127.0.0.1');
  t.teardown(() => client.destroy());
  await once(client, 'connect');
  await new Promise((resolve) => client.write(REQUEST, resolve));
  const pids = processesOf(root).filter((pid) => pid !== child.pid);
  t.ok(pids.length >= 3, 'a primary and two workers');
  const answer = once(client, 'data');
  child.kill('SIGKILL');
  t.match(await ended, { signal: 'SIGKILL' });
  t.match(String(await answer), /^HTTP\/1\.1 200 /, 'a request in flight is answered');
  await until(() => !pids.some(isRunning), 'every process to end');
  t.equal(left().homes.length, 1);
});

const WRITES = `console.log('to stdout'); console.error('to stderr');`;

t.test('text, raw and JSON', async (t) => {
  const { root, begin, left } = testRun(t);
  writeFiles(root, { 'once.cjs': WRITES });
  const file = join(root, 'out.log');
  const run = (...flags) => begin([join(root, 'once.cjs'), '--no-autorestart', ...flags]).ended;

  const text = await run();
  t.match(text, { code: 0, stdout: 'once:0 | to stdout\n' });
  t.match(text.stderr, /^once:0 \| to stderr$/m);
  t.match(text.stderr, /^once \| \[nodecluster\] worker 0 exited with code 0 .*\(uptime .*\)$/m);

  const raw = await run('--raw');
  t.equal(raw.stdout, 'to stdout\n');
  t.match(raw.stderr, /^to stderr$/m);
  t.match(raw.stderr, /^\[nodecluster\] worker 0 exited with code 0/m);

  const json = await run('--json', '--output', file);
  const lines = json.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ofApp = { app: 'once', worker: 0, stream: 'out', message: 'to stdout' };
  t.match(JSON.parse(json.stdout), ofApp);
  t.match(lines[0], { app: 'once', worker: 0, stream: 'error', message: 'to stderr' });
  t.match(lines.at(-2), { app: 'run', worker: null, message: /every app has exited/ });
  t.match(lines.at(-1), { app: 'run', message: '[nodecluster] stopped' });
  t.equal(readFileSync(file, 'utf8'), json.stdout, 'a file that is named gets the lines too');
  t.same(left(), NOTHING);
});

t.test('a reader of stdout that stops, and one that is gone', async (t) => {
  const { root, begin, left } = testRun(t);
  const port = await freePort();
  writeFiles(root, {
    'floods.cjs': `let lines = 0;
      const flood = () => {
        for (let count = 0; count < 1000; count++) console.log('x'.repeat(99), lines++);
        setTimeout(flood, 5);
      };
      flood();
      const answer = (_request, response) => response.end(String(lines));
      require('node:http').createServer(answer).listen(${port});`,
  });
  const { child, ended, said } = begin([join(root, 'floods.cjs')]);
  const written = async () => Number(await ask(port));
  await until(written, 'an answer');
  child.stdout?.pause();
  const before = await written();
  await until(async () => (await written()) > before + 50_000, 'the program to write 5 MB more');
  child.stdout?.resume();
  await said(/\[nodecluster\] \d+ lines \(\d+ bytes\) were lost here \(its reader was too slow\)/);
  child.stdout?.destroy();
  const then = await written();
  await until(
    async () => (await written()) > then + 50_000,
    'the program to go on without a reader',
  );
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  t.same(left(), NOTHING);
});
