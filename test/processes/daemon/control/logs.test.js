/** Log files that are emptied and opened anew, and the daemon's own log, over real processes. */
import t from 'tap';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { app as fixture } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { killNow, startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

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

t.test('daemon.log holds what the daemon decided and why', async (t) => {
  const spec = await chatty({ env: { SECRET: 'hush', PORT: (await chatty()).env.PORT } });
  const daemon = await startedDaemon(t, [spec]);
  const [{ pid }] = (await daemon.view('web')).workers;
  killNow(pid);
  const ended =
    '"worker.exited",.*"app":"web","slot":0,.*"signal":"SIGKILL".*"then":"(backoff|started)';
  await daemon.logged(new RegExp(ended));
  await daemon.logged(/"worker.online",.*"restarts":1/);
  await daemon.ask('reload', { selectors: ['web'] });
  await t.rejects(daemon.ask('stop', { selectors: ['nobody'] }));
  const { primaryPid } = await daemon.view('web');
  killNow(primaryPid);
  await daemon.logged(/"primary.restarting",.*"app":"web"/);
  await daemon.online();
  daemon.child.kill('SIGTERM');
  await once(daemon.child, 'exit');
  daemon.spawnDaemon();
  await daemon.view('web');

  const records = daemon
    .log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const isIn =
    (record) =>
    ([key, value]) =>
      JSON.stringify(record[key]) === JSON.stringify(value);
  const has = (pattern) => {
    const isIt = (record) => Object.entries(pattern).every(isIn(record));
    t.ok(records.some(isIt), JSON.stringify(pattern));
  };
  has({ level: 'info', event: 'daemon.started' });
  has({ event: 'command', method: 'start', from: 'test 0', apps: ['web'] });
  has({ event: 'primary.started', app: 'web', generation: 1 });
  has({ event: 'action.step', app: 'web', action: 'reload', kind: 'draining', slot: 0 });
  has({ level: 'info', event: 'action.ended', app: 'web', action: 'reload', ok: true });
  has({ level: 'warn', event: 'command.refused', method: 'stop', code: 'E_APP_UNKNOWN' });
  has({ event: 'primary.lost', app: 'web', primary: primaryPid });
  has({ event: 'daemon.ending', because: 'SIGTERM', goesOn: ['web'] });
  has({ event: 'primary.adopted', app: 'web' });
  has({ event: 'worker.started', app: 'web', slot: 0, pid, generation: 1 });
  has({ event: 'worker.started', app: 'web', slot: 0, why: 'was killed by SIGKILL' });
  const starts = records.filter(({ event }) => event === 'worker.started').map(({ pid }) => pid);
  t.equal(new Set(starts).size, starts.length, 'each start once, also by the next daemon');
  t.notOk(
    records.some(({ method }) => method === 'list'),
    'who only looks is not written down',
  );
  t.notMatch(daemon.log(), 'hush');
});
