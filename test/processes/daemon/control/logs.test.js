/** Log files that are emptied and opened anew, and the daemon's own log, over real processes. */
import t from 'tap';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { app as fixture } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

const chatty = (overrides) =>
  webSpec({ script: fixture('writes-on-demand.cjs'), instances: 1, ...overrides });
const say = (spec, text) => ask(Number(spec.env.PORT), `/${text}`);

t.test('flush, and reload-logs after another program moved the files', async (t) => {
  const spec = await chatty();
  const daemon = await startedDaemon(t, [spec]);
  const out = daemon.paths.logFile('web', 'out');
  const holds = (text) =>
    until(() => readFileSync(out, 'utf8').includes(text), `${text} in ${out}`);

  await say(spec, 'first');
  await holds('first');
  renameSync(out, `${out}.moved`);
  t.match(await daemon.ask('reload-logs', { selectors: ['all'] }), { apps: [{ ok: true }] });
  await say(spec, 'second');
  await holds('second');
  t.notMatch(readFileSync(out, 'utf8'), 'first');

  renameSync(out, `${out}.moved`);
  daemon.child.kill('SIGUSR2');
  await daemon.logged(/"logs.reopened",.*"because":"SIGUSR2","apps":\["web"\]/);
  await say(spec, 'third');
  await holds('third');

  writeFileSync(`${out}.000001`, 'rotated\n');
  t.match(await daemon.ask('flush', { selectors: ['web'] }), { apps: [{ name: 'web', ok: true }] });
  t.equal(statSync(out).size, 0);
  t.notOk(existsSync(`${out}.000001`));
  await say(spec, 'fourth');
  await holds('fourth');

  await daemon.ask('stop', { selectors: ['web'] });
  t.match(await daemon.ask('reload-logs', { selectors: ['web'] }), { apps: [{ ok: true }] });
  t.match(await daemon.ask('flush', { selectors: ['web'] }), { apps: [{ ok: true }] });
  t.equal(statSync(out).size, 0, 'also of a stopped app');
});

t.test('log-files lists the files of apps and workers', async (t) => {
  const daemon = await startedDaemon(t);
  t.same(await daemon.ask('log-files', { selectors: ['all'] }), { apps: [] });
  const apart = testSpec({ name: 'apart', mergeLogs: false, logType: 'json' });
  await daemon.ask('start', { specs: [testSpec(), apart] });
  const { apps } = await daemon.ask('log-files', { selectors: ['web', 'apart:1'] });
  const logs = daemon.paths.logs;
  t.match(apps, [
    {
      name: 'web',
      slots: null,
      workers: [0, 1],
      style: { type: 'text', time: true, dateFormat: null },
      files: [{ slot: null, out: [`${logs}/web-out.log`], error: [`${logs}/web-error.log`] }],
    },
    {
      name: 'apart',
      slots: [1],
      style: { type: 'json' },
      files: [{ slot: 1, out: [`${logs}/apart-1-out.log`], error: [`${logs}/apart-1-error.log`] }],
    },
  ]);
  await t.rejects(daemon.ask('flush', { selectors: ['apart:1'] }), { code: 'E_LOG_OF_APP' });
});
