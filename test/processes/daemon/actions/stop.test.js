import t from 'tap';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ask } from '../../../support/http-ask.js';
import { commandOf, isRunning, processesOf } from '../../../support/processes.js';
import { until, within } from '../../../support/until.js';
import { pidsOf, startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

t.test('kill stops an app that is being launched', async (t) => {
  const daemon = await startedDaemon(t);
  const [interpreter, go] = ['slow-node', 'go'].map((name) => path.join(daemon.root, name));
  const wait = `while [ ! -e '${go}' ]; do sleep 0.05; done`;
  writeFileSync(interpreter, `#!/bin/sh\n${wait}\nexec '${process.execPath}' "$@"\n`);
  chmodSync(interpreter, 0o755);

  const starter = await daemon.dial();
  const started = starter.request('start', { specs: [await webSpec({ interpreter })] });
  started.catch(() => {});
  await until(() => lstatSync(daemon.place().record), 'the launch to begin');
  const killer = await daemon.dial();
  const killed = killer.request('kill');
  await until(() => daemon.saved()[0].stopped, 'the kill to begin');
  writeFileSync(go, '');
  t.strictSame(await killed, { apps: ['web'], remembered: ['web'] });
  await until(() => processesOf(daemon.root).length === 0, 'every process to end');
});

t.test('when a hanging primary is killed, so are its workers', async (t) => {
  const short = { instances: 1, drainTimeoutMs: 0, killTimeoutMs: 1 };
  const shell = ['-c', 'sleep 1000 & wait'];
  const forked = { execMode: 'fork', script: '/bin/sh', args: shell };
  const specs = [await webSpec(short), testSpec({ ...short, ...forked, name: 'forked' })];
  const daemon = await startedDaemon(t, specs);
  const { apps } = await daemon.ask('list');
  const pids = apps.flatMap(pidsOf);
  for (const { primaryPid } of apps) process.kill(primaryPid, 'SIGSTOP');
  process.kill(pids[0], 'SIGSTOP'); // as one that computes forever
  t.match(await daemon.ask('delete', { selectors: ['all'] }), { apps: [{ ok: true }, {}] });
  const left = () => processesOf(daemon.root).filter((pid) => pid !== daemonPid);
  const { pid: daemonPid } = await daemon.ask('ping');
  // A process that is exiting has no environment any more, by which it would be found.
  await until(() => left().length === 0 && !pids.some(isRunning), 'the workers to exit');
});

const ANSWERS_WHEN_RELEASED = `
  const { existsSync, writeFileSync } = require('node:fs');
  const { RELEASE, PORT } = process.env;
  require('node:http').createServer((request, response) => {
    writeFileSync(RELEASE + '.asked', '');
    const timer = setInterval(() => {
      if (!existsSync(RELEASE)) return;
      clearInterval(timer);
      response.end('{"ok":true}');
    }, 20);
  }).listen(Number(PORT));`;

t.test('a drain goes on when the daemon exits', async (t) => {
  const daemon = await startedDaemon(t);
  const [script, release] = ['app.cjs', 'release'].map((name) => path.join(daemon.root, name));
  writeFileSync(script, ANSWERS_WHEN_RELEASED);
  const spec = await webSpec({ instances: 1, script, drainTimeoutMs: 600_000 });
  spec.env.RELEASE = release;
  await daemon.ask('start', { specs: [spec] });
  const answer = ask(Number(spec.env.PORT));
  answer.catch(() => {});
  await until(() => existsSync(`${release}.asked`), 'the request to reach the worker');
  const client = await daemon.dial();
  const draining = new Promise((resolve) => {
    const onNotification = (_method, { kind }) => kind === 'draining' && resolve();
    client.request('delete', { selectors: ['web'] }, { onNotification }).catch(() => {});
  });
  await within(draining, 'the drain to begin');
  daemon.child.kill('SIGTERM');
  t.strictSame(await once(daemon.child, 'exit'), [null, 'SIGKILL']);
  writeFileSync(release, '');
  t.strictSame(await answer, { ok: true });
  // On a busy machine the primary may have started the next daemon meanwhile.
  const isDaemon = (pid) => commandOf(pid).includes('nodecluster: daemon');
  await until(() => processesOf(daemon.root).every(isDaemon), 'every other process to end');
});

t.test('before it stops, an app serves for shutdown_delay and is not ready', async (t) => {
  const spec = await webSpec({ instances: 1, shutdownDelayMs: 3000 });
  const daemon = await startedDaemon(t, [spec]);
  t.match(await daemon.view('web'), { busy: null, workers: [{ isReady: true }] });

  const stopped = daemon.ask('stop', { selectors: ['web'] });
  const leaving = await until(async () => {
    const app = await daemon.view('web');
    return app.busy === 'stop' && !app.workers[0].isReady && app;
  }, 'the stop to begin');
  t.match(leaving, { status: 'online', workers: [{ status: 'online' }] });
  t.ok(await ask(Number(spec.env.PORT), '/'), 'it serves');
  t.match(await stopped, { apps: [{ ok: true }] });
  t.match(await daemon.view('web'), { status: 'stopped', busy: null });

  await daemon.ask('resume', { selectors: ['web'] });
  t.match(await daemon.view('web'), { busy: null, workers: [{ isReady: true }] });
});
