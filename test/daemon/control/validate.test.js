import t from 'tap';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadDesired } from '../../../src/daemon/apps/store.js';
import { daemonUnderTest, testSpec } from '../daemon-under-test.js';

const desired = (spec) => ({
  spec,
  generation: 1,
  stopped: true,
  slots: [0],
  stoppedSlots: [],
  ids: { 0: 0 },
  attempt: null,
});

t.test('specs and selectors of requests are checked', async (t) => {
  const daemon = daemonUnderTest(t);
  await daemon.start();
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
  for (const method of ['stop', 'resume', 'delete', 'describe', 'env']) {
    await t.rejects(daemon.ask(method, { selectors: 5 }), invalid, method);
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
  t.strictSame((await daemon.ask('list')).apps, []);

  const shellEnv = { PATH: process.env.PATH, LARGE: 'x'.repeat(900_000) };
  const specs = ['a', 'b', 'c', 'd', 'e'].map((name) => testSpec({ name, shellEnv: undefined }));
  await t.rejects(daemon.ask('apply', { specs, action: 'start', dryRun: true }), invalid);
  const planned = await daemon.ask('apply', { specs, shellEnv, action: 'start', dryRun: true });
  t.equal(planned.plan.length, 5, 'one environment for all of them');
  t.strictSame(readdirSync(daemon.paths.appsDir), []);
  t.strictSame(readdirSync(daemon.root), ['home']);
});

t.test('invalid parts of desired.json do not affect the rest', async (t) => {
  const file = path.join(t.testdir(), 'desired.json');
  const said = [];
  const log = { error: (_event, { reason }) => said.push(reason) };
  const load = (content) => {
    writeFileSync(file, JSON.stringify(content));
    return loadDesired(file, log).apps;
  };
  const older = testSpec();
  delete older.watchDelayMs;
  const [app, ...others] = load({
    format: 1,
    apps: [{}, desired(older), { spec: { name: '..' } }],
  });
  t.strictSame(others, []);
  t.match(app, { spec: { name: 'web', watchDelayMs: 200 } }, 'with the default of a later option');
  t.match(JSON.parse(readFileSync(`${file}.unreadable`, 'utf8')), { apps: [{}, {}, {}] });
  t.strictSame(load({ format: 1, apps: {} }), []);
  t.notOk(existsSync(file), 'moved away');
  t.equal(said.length, 3);
  t.throws(() => load({ format: 2, apps: [] }), { code: 'E_HOME_READ' }, 'of a newer version');
  t.ok(existsSync(file));
  const ids = { 0: 'x' };
  t.strictSame(load({ format: 1, nextId: 'x', apps: [{ ...desired(older), ids }] })[0].ids, {});
  t.equal(loadDesired(file, log).nextId, 0, 'a damaged counter does not spread to the ids');
});
