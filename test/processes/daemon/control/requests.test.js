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
  for (const specs of [5, [null], [{}], [{ ...testSpec(), args: [1] }]]) {
    await t.rejects(daemon.ask('start', { specs }), invalid, JSON.stringify(specs));
  }
  const unprintable = { toString: 1 };
  for (const selectors of [5, [unprintable]]) {
    for (const method of ['stop', 'resume', 'delete', 'list', 'env']) {
      await t.rejects(daemon.ask(method, { selectors }), invalid, method);
    }
  }
  for (const [method, params] of [
    ['apply', { specs: [], action: 'apply', only: unprintable }],
    ['scale', { selector: 'web', instances: unprintable }],
    ['signal', { selectors: ['web'], signal: unprintable }],
  ]) {
    await t.rejects(daemon.ask(method, params), invalid, method);
  }
  await t.rejects(daemon.ask('scale', { selector: {}, instances: '2' }), invalid);
  for (const method of ['resume', 'restart', 'reload']) {
    const params = { selectors: ['all'], updateEnv: { PORT: 80 } };
    await t.rejects(
      daemon.ask(method, params),
      invalid,
      `${method} with a number in the environment`,
    );
  }
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

t.test('after a kill, selectors are checked too', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec()]);
  await daemon.ask('kill');
  await daemon.start();
  const selectors = [{ toString: 1 }];
  await t.rejects(daemon.ask('resume', { selectors }), { code: 'E_REQUEST_INVALID' });
});
