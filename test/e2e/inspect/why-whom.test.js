/** `why`: of whom it can be asked, and while something else looks into the same worker. */
import net from 'node:net';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { listening } from '../../support/listening.js';
import { listeningPortsOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

t.test('all workers, a job, a worker that waits, and one that does not exist', async (t) => {
  const { ok, run, root, appNamed, startApi } = testHome(t);
  await startApi(['-i', '2']);
  const task = join(root, 'task.cjs');
  const port = await listening(t, net.createServer(), { port: 0 });
  writeFileSync(task, `require('node:net').connect(${port})`);
  await ok(['start', task, '--name', 'task', '--schedule', '0 0 1 1 *']);
  const crashes = ['start', app('exits-1.cjs'), '--name', 'crashes', '--restart-delay', '10m'];
  t.equal((await run([...crashes, '--exec-mode', 'fork'])).code, 5);
  await until(async () => (await appNamed('crashes')).workers[0].pid === undefined, 'it to wait');
  const all = await run(['why', 'all']);
  t.equal(all.code, 0, all.stderr);
  t.match(all.stdout, /^api:0 no problem.*\napi:1 no problem/m);
  t.match(all.stdout, /^task:0 does not run$/m);
  t.match(all.stdout, /^crashes:0 backoff /m);
  const troubled = await run(['why']);
  t.equal(troubled.code, 0, troubled.stderr);
  t.match(troubled.stdout, /^crashes:0 backoff .*\n[^]*^2 other apps: no problem$/m);
  t.notMatch(troubled.stdout, /^(api|task):/m);
  t.match(await run(['why', 'task']), { code: 5, stdout: /task:0 does not run/ });
  t.match(await run(['why', 'api:7']), { code: 4, stderr: /api:7/ });
  t.match(await run(['why', 'nobody']), { code: 4, stderr: /nobody/ });
  t.match(await run(['profile', 'task', '--cpu', '1s']), { code: 5, stderr: /it does not run/ });

  await ok(['run-now', 'task', '--no-wait']);
  const isConnected = new RegExp(
    `^task:0 no problem.* connected to localhost:${port}( of pid ${process.pid} .*)?$`,
    'm',
  );
  await until(async () => isConnected.test((await run(['why', 'task'])).stdout), 'it to connect');
});

t.test('twice at once, and during a profile', async (t) => {
  const { run, begin, root, pidsOf, startApi } = testHome(t);
  const port = await startApi([], { program: 'spins-three-deep.cjs' });
  const [pid] = await pidsOf('api');
  const profile = begin(['profile', 'api:0', '--cpu', '1h', '--output', 'a.cpuprofile']);
  await profile.said(/^Recording api:0/m);
  const file = join(root, 'free');
  await ask(port, `/spin?${file}`);
  for (const { code, stdout } of await Promise.all([run(['why', 'api']), run(['why', 'api'])])) {
    t.equal(code, 0, stdout);
    t.match(stdout, /^api:0 is blocked in (inner|middle|outer) /);
  }
  writeFileSync(file, '');
  t.equal((await ask(port)).pid, pid);
  profile.child.kill('SIGINT');
  t.equal((await profile.ended).code, 0, 'which it does not disturb');
  t.match(readFileSync(join(root, 'a.cpuprofile'), 'utf8'), '"functionName":"middle"');
  const inspectors = () => listeningPortsOf(pid).filter((each) => each !== port);
  await until(() => inspectors().length === 0, 'the inspector to be closed');
});
