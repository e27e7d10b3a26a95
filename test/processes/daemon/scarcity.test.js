/** Daemons on a full disk, at their limit of file descriptors, and with a small heap. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import t from 'tap';
import { spawnDetached } from '../../../src/shared/processes/launch.js';
import { commandOf, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { daemonUnderTest, startedDaemon, webSpec } from '../daemon-under-test.js';

t.test('changes that cannot be saved are rolled back, except stops', async (t) => {
  const web = await webSpec({ instances: 1 });
  const daemon = await startedDaemon(t, [web, await webSpec({ name: 'off', instances: 1 })]);
  await daemon.ask('stop', { selectors: ['off'] });
  const before = await daemon.view('web');
  // No file can take the place of a folder, as on a full disk.
  const fill = () => {
    rmSync(daemon.paths.desired);
    mkdirSync(daemon.paths.desired);
  };
  fill();
  const unwritten = { ok: false, failed: [{ slot: null, reason: /could not write.*desired/i }] };
  const orders = [
    ['start', { specs: [{ ...web, name: 'new' }] }],
    ['scale', { selector: 'web', instances: '3' }],
    ['resume', { selectors: ['off'] }],
    ['reload', { selectors: ['all'] }],
    ['apply', { specs: [{ ...web, maxRestarts: 3 }], action: 'reload' }],
  ];
  for (const [method, params] of orders) {
    for (const outcome of (await daemon.ask(method, params)).apps) {
      t.match(outcome, unwritten, method);
    }
  }
  const { apps } = await daemon.ask('list', { selectors: ['all'], fields: ['details'] });
  t.equal(apps.length, 2);
  t.match(apps, [
    {
      ...{ name: 'web', instances: 1, generation: 1, status: 'online' },
      spec: { maxRestarts: web.maxRestarts },
      workers: [{ pid: before.workers[0].pid }],
    },
    { name: 'off', status: 'stopped' },
  ]);
  t.match(await daemon.ask('stop', { selectors: ['web'] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /could not be saved to .*desired/ }] }],
  });
  t.match(await daemon.view('web'), { status: 'stopped', primaryPid: null });
  t.match(await daemon.ask('delete', { selectors: ['off'] }), {
    apps: [
      { ok: false, failed: [{ slot: null, reason: /delete is done, but could not be saved/ }] },
    ],
  });
  t.match(await daemon.view('off'), { status: 'stopped' });
  rmdirSync(daemon.paths.desired);
  const saved = () => daemon.saved().find(({ spec }) => spec.name === 'web');
  await until(() => saved().stopped, 'the daemon to save the stop by itself');
  fill();
  await t.rejects(daemon.ask('kill'), { code: 'E_END_UNWRITTEN', data: { during: 'kill' } });
  await until(() => processesOf(daemon.root).length === 0, 'the daemon to end');
});

t.test('the daemon of an init system starts without its file', async (t) => {
  const daemon = daemonUnderTest(t);
  mkdirSync(daemon.home, { mode: 0o700 });
  mkdirSync(daemon.paths.service);
  daemon.spawnDaemon({ NODECLUSTER_SERVICE: 'test' });
  t.match(await daemon.ask('list'), { apps: [] });
  t.match(daemon.log(), /service\.unrecorded/);
});

const skip = process.platform !== 'linux' && 'prlimit(1) and /proc are part of Linux';

t.test('an app whose primary could not be started is started later', { skip }, async (t) => {
  const daemon = await startedDaemon(t);
  const { pid } = daemon.child;
  const limitTo = (count) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${count}:`]);
  limitTo(readdirSync(`/proc/${pid}/fd`).length + 2);
  const { apps } = await daemon.ask('start', { specs: [await webSpec({ instances: 1 })] });
  t.match(apps, [{ ok: false, failed: [{ reason: /could not be started: .*EMFILE/ }] }]);
  t.match(await daemon.view('web'), { status: 'errored', primaryPid: null });
  limitTo(1000);
  await daemon.online();
  t.equal((await daemon.ask('ping')).pid, pid);
});

t.test('a process that outlives its parent has a small heap', async (t) => {
  const command = [process.execPath, '-p', 'process.execArgv[0]'];
  const child = spawnDetached(command, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = await once(child.stdout, 'data');
  t.equal(String(text).trim(), '--optimize-for-size');
});

t.test('no worker inherits that', { skip }, async (t) => {
  const fork = { execMode: 'fork', interpreter: process.execPath, instances: 1 };
  const specs = [await webSpec(), await webSpec({ name: 'lone', ...fork })];
  const daemon = await startedDaemon(t, specs);
  const { apps } = await daemon.ask('list');
  for (const { pid } of apps.flatMap(({ workers }) => workers)) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    t.match(commandOf(pid), /node /);
    t.notMatch(`${commandOf(pid)} ${environment}`, /optimize-for-size|MALLOC_/);
  }
});
