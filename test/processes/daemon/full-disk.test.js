import t from 'tap';
import { mkdirSync, rmSync, rmdirSync } from 'node:fs';
import { processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { daemonUnderTest, startedDaemon, webSpec } from '../daemon-under-test.js';

t.test('changes that cannot be saved are rolled back, except stops', async (t) => {
  const daemon = await startedDaemon(t);
  const web = await webSpec({ instances: 1 });
  const off = await webSpec({ name: 'off', instances: 1 });
  const started = await daemon.ask('start', { specs: [web, off] });
  t.match(started, { apps: [{ ok: true }, { ok: true }] });
  await daemon.ask('stop', { selectors: ['off'] });
  const before = await daemon.view('web');
  // No file can take the place of a folder, as on a full disk.
  rmSync(daemon.paths.desired);
  mkdirSync(daemon.paths.desired);

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
  t.match(apps, [{ name: 'web', instances: 1, generation: 1, status: 'online' }, { name: 'off' }]);
  t.equal(apps.length, 2);
  t.equal(apps[0].spec.maxRestarts, web.maxRestarts);
  t.equal(apps[1].status, 'stopped');
  t.equal(apps[0].workers[0].pid, before.workers[0].pid);

  const unsaved = /could not be saved to .*desired/;
  t.match(await daemon.ask('stop', { selectors: ['web'] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: unsaved }] }],
  });
  t.match(await daemon.view('web'), { status: 'stopped', primaryPid: null });
  t.match(await daemon.ask('delete', { selectors: ['off'] }), {
    apps: [
      { ok: false, failed: [{ slot: null, reason: /delete is done, but could not be saved/ }] },
    ],
  });
  t.match(await daemon.view('off'), { status: 'stopped' });
  rmdirSync(daemon.paths.desired);
  const saved = () => JSON.parse(daemon.desired()).apps.find(({ spec }) => spec.name === 'web');
  await until(() => saved().stopped, 'the daemon to save the stop by itself');

  rmSync(daemon.paths.desired);
  mkdirSync(daemon.paths.desired);
  await t.rejects(daemon.ask('kill'), { code: 'E_END_UNWRITTEN', data: { during: 'kill' } });
  await until(() => processesOf(daemon.root).length === 0, 'the daemon to end');
});

t.test('the daemon of an init system starts', async (t) => {
  const daemon = daemonUnderTest(t);
  mkdirSync(daemon.home, { mode: 0o700 });
  mkdirSync(daemon.paths.service);
  daemon.spawnDaemon({ NODECLUSTER_SERVICE: 'test' });
  t.match(await daemon.ask('list'), { apps: [] });
  t.match(daemon.log(), /service\.unrecorded/);
});
