/** How `run` ends: its exit code says why, and nothing is left. */
import t from 'tap';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { writeFiles } from '../../support/files.js';
import { app } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { listening } from '../../support/listening.js';
import { freePort } from '../../support/ports.js';
import { isRunning, processesOf } from '../../support/processes.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
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
      stderr: /job \| \[nodecluster\] worker 0 exited with code 0 .*it stays exited/,
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
      t.match(stderr, 'it stays exited');
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
  t.match(
    stderr,
    /bad \| \[nodecluster\] worker 0 failed .*it exited with code 1; it stays errored/,
  );
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
