import t from 'tap';
import { readdirSync } from 'node:fs';
import { startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

t.test('specs and selectors of requests are checked', async (t) => {
  const daemon = await startedDaemon(t);
  const invalid = { code: 'E_REQUEST_INVALID' };
  const evil = { ...testSpec(), name: '../../evil' };
  await t.rejects(daemon.ask('start', { specs: [evil] }), {
    ...invalid,
    message: /name: expected a name of up to 64 letters/,
  });
  await t.rejects(daemon.ask('apply', { specs: [evil], action: 'start' }), invalid);
  await t.rejects(daemon.ask('stop', { selectors: ['a', 5] }), {
    ...invalid,
    message: /selectors\.1 of stop is not valid/,
  });
  t.strictSame((await daemon.ask('list')).apps, []);

  const shellEnv = { PATH: process.env.PATH, LARGE: 'x'.repeat(900_000) };
  const specs = ['a', 'b', 'c', 'd', 'e'].map((name) => testSpec({ name, shellEnv: undefined }));
  await t.rejects(daemon.ask('apply', { specs, action: 'start', dryRun: true }), invalid);
  const planned = await daemon.ask('apply', { specs, shellEnv, action: 'start', dryRun: true });
  t.equal(planned.plan.length, 5, 'one environment for all of them');
  t.strictSame(readdirSync(daemon.paths.primariesDir), []);
  t.strictSame(readdirSync(daemon.root), ['home']);
});

t.test('as many subscribers as there are places do not keep commands out', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  for (let count = 0; count < 64; count++) {
    const client = await daemon.dial();
    client.request(count % 2 ? 'watch' : 'events', {}).catch(() => {});
  }
  await t.rejects(daemon.ask('events'), { code: 'E_PROTOCOL_CLIENTS' });
  t.match(await daemon.ask('list'), { apps: [{ name: 'web' }] });
  t.match(await daemon.ask('stop', { selectors: ['web'] }), { apps: [{ ok: true }] });
  t.match(await daemon.ask('kill'), { apps: [] });
});
