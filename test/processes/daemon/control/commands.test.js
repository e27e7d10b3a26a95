/** Requests to a daemon: every command, those on logs, and wrong values of every option. */
import {
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import t from 'tap';
import { options } from '../../../../src/config/options/table.js';
import { app as fixture } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { killed, pidsOf, startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

t.test('every command on one app', async (t) => {
  const daemon = await startedDaemon(t);
  const selectors = ['web'];
  const succeeds = async (done, method, params = { selectors }) =>
    t.match(await daemon.ask(method, params), { apps: [{ name: 'web', ok: true, done }] }, method);
  const spec = await webSpec({ env: { PORT: (await webSpec()).env.PORT, API_TOKEN: 'hidden' } });
  const events = [];
  const onNotification = (_method, event) => events.push(event);
  const started = await daemon.ask('start', { specs: [spec] }, { onNotification });
  t.match(started.apps, [{ name: 'web', action: 'start', ok: true, done: [0, 1], failed: [] }]);
  t.ok(events.some(({ app, kind, slot, id }) => app === 'web' && kind === 'online' && id === slot));
  const twins = [testSpec({ name: 'twin' }), testSpec({ name: 'twin' })];
  await t.rejects(daemon.ask('start', { specs: twins }), { code: 'E_NAME_TWICE' });

  const { daemon: self, apps } = await daemon.ask('list', { fields: ['usage'] });
  t.match(self, { pid: Number, version: String });
  t.match(apps, [{ name: 'web', status: 'online', mode: 'cluster', instances: 2, generation: 1 }]);
  for (const worker of apps[0].workers) {
    t.match(worker, { id: worker.slot, pid: Number, status: 'online', cpu: Number });
    t.ok(worker.memory > 1e6 && worker.startedAt <= Date.now());
  }

  const client = await daemon.dial();
  const waits = [];
  const all = ['reload web', 'reload all', 'stop web:1'].map((line) => {
    const [method, selector] = line.split(' ');
    const onWait = (_method, event) => event.kind === 'waiting' && waits.push(event);
    return client.request(method, { selectors: [selector] }, { onNotification: onWait });
  });
  t.match(
    await Promise.all(all),
    [[0, 1], [0, 1], [1]].map((done) => ({ apps: [{ ok: true, done }] })),
  );
  const waiting = { app: 'web', kind: 'waiting', reason: { kind: 'turn', of: 'reload' } };
  t.strictSame(waits, [waiting, waiting]);
  t.match(await daemon.view('web'), {
    generation: 3,
    workers: [{ status: 'online' }, { status: 'stopped', pid: null }],
  });
  await succeeds([1], 'resume', { selectors: ['1'] });
  await succeeds([2], 'scale', { selector: 'web', instances: '+1' });
  await succeeds([1], 'delete', { selectors: ['web:1'] });
  t.match(await daemon.view('web'), { instances: 2, workers: [{ slot: 0 }, { slot: 2, id: 2 }] });
  for (const selector of ['web:0', '2']) {
    const refused = daemon.ask('scale', { selector, instances: '1' });
    await t.rejects(refused, { code: 'E_USAGE' });
  }

  const [{ env }] = (await daemon.ask('env', { selectors })).apps;
  t.match(env, { API_TOKEN: { value: '********', from: 'file' }, PATH: { from: 'shell' } });
  const shown = await daemon.ask('env', { selectors, showSecrets: true });
  t.equal(shown.apps[0].env.API_TOKEN.value, 'hidden');
  const { apps: described } = await daemon.ask('list', { selectors, fields: ['details'] });
  t.match(described, [{ name: 'web', lastReload: { ok: true }, logs: { out: [/web-out\.log$/] } }]);
  t.notMatch(JSON.stringify(described), /hidden/);

  const before = pidsOf(await daemon.view('web'));
  t.match(await daemon.ask('restart', { selectors: ['all'] }), {
    apps: [{ ok: true, done: [0, 2] }],
  });
  t.notOk(pidsOf(await daemon.view('web')).some((pid) => before.includes(pid)));
  await succeeds([0, 2], 'stop');
  t.match(await daemon.view('web'), { status: 'stopped', primaryPid: null });
  await succeeds([0, 2], 'reload');
  t.match(await ask(Number(spec.env.PORT)), { pid: Number });
  await daemon.ask('stop', { selectors });
  const updateEnv = { ...spec.shellEnv, APP_VERSION: 'new' };
  await succeeds([0, 2], 'resume', { selectors, updateEnv });
  t.match(await ask(Number(spec.env.PORT)), { version: 'new' }, 'another environment');
  await succeeds([0, 2], 'delete');
  t.strictSame((await daemon.ask('list')).apps, []);
  await t.rejects(daemon.ask('stop', { selectors }), { code: 'E_APP_UNKNOWN' });
  t.strictSame(await daemon.ask('kill'), { apps: [], remembered: [] });
  await daemon.logged(/"daemon.ended",.*\n$/);
});

t.test('apply takes the smallest actions, and a failed one changes nothing', async (t) => {
  const daemon = await startedDaemon(t);
  const configFile = '/somewhere/ecosystem.yml';
  const web = await webSpec({ configFile, instances: 1 });
  const bad = testSpec({ name: 'bad', instances: 1, configFile, script: fixture('exits-1.cjs') });
  const apply = (specs, order = {}) =>
    daemon.ask('apply', { specs, action: 'apply', file: configFile, ...order });

  t.match(await apply([web, { ...bad, autorestart: false }], { action: 'start' }), {
    apps: [
      { name: 'web', ok: true },
      { name: 'bad', ok: false, failed: [{ slot: 0, lastLines: ['no database'] }] },
    ],
  });
  const mended = { ...bad, script: web.script, env: { PORT: '0' } };
  t.match(await apply([web, mended], { action: 'start' }), {
    apps: [
      { name: 'web', action: 'none' },
      { name: 'bad', action: 'reload', ok: true, done: [1] },
    ],
  });
  const more = { ...web, instances: 2, env: { ...web.env, APP_VERSION: '2' } };
  const changes = [{ key: 'instances' }, { key: 'env.APP_VERSION' }];
  t.match(await apply([more], { dryRun: true }), {
    plan: [{ app: 'web', action: 'reload', changes }],
    unlisted: ['bad'],
    apps: [],
  });
  t.match(await apply([more], { prune: true }), {
    apps: [
      { name: 'web', action: 'reload', ok: true, done: [0, 2] },
      { name: 'bad', action: 'delete' },
    ],
  });
  t.match(await ask(Number(web.env.PORT)), { version: '2' });

  const before = await daemon.view('web');
  const broken = { ...more, instances: 1, script: fixture('throws-at-load.cjs') };
  t.match(await apply([broken]), { apps: [{ name: 'web', ok: false, done: [] }] });
  const after = await daemon.view('web');
  t.match(after, { status: 'online', instances: 2 });
  t.strictSame(pidsOf(after), pidsOf(before));
  t.match(await apply([more], { dryRun: true }), { plan: [{ action: 'none' }] });
  t.notOk(after.changes[0].at > after.lastReload.at, 'the reload that failed is the last word');
  await apply([more]);
  const { changes: ended, lastReload } = await daemon.view('web');
  t.match(ended[0], { action: 'apply', isApplied: true, differences: [] });
  t.ok(ended[0].at > lastReload.at, 'until the file says again what runs');
  for (const updateEnv of [{ PATH: '/bin', NEW: '1' }, { PATH: '/usr/bin' }]) {
    const restarted = await daemon.ask('restart', { selectors: ['web'], updateEnv });
    t.match(restarted, { apps: [{ ok: true }] });
  }
  const { apps } = await daemon.ask('env', { selectors: ['web'] });
  t.match(apps[0].env, { NEW: { from: 'shell' }, APP_VERSION: { value: '2' } });

  const { primaryPid } = after;
  t.match(await apply([{ ...more, scheduling: 'round-robin' }]), {
    apps: [{ action: 'reload', ok: true, done: [0, 2], minReady: 2 }],
  });
  t.not((await daemon.view('web')).primaryPid, primaryPid);
  const spared = { ...more, scheduling: 'round-robin', spares: 1 };
  t.match(await apply([spared], { action: 'reload' }), { apps: [{ ok: true, minReady: 2 }] });
  const fewer = { ...spared, instances: 1, spares: 2, env: web.env };
  t.match(await apply([fewer]), { apps: [{ action: 'reload', ok: true }] });
  t.match(await apply([fewer], { dryRun: true }), { plan: [{ action: 'none' }] }, 'in one step');
});

t.test('an app whose primary cannot start stays in the table with the reason', async (t) => {
  const daemon = await startedDaemon(t);
  const spec = await webSpec({ interpreter: '/no/such/node' });
  t.match(await daemon.ask('start', { specs: [spec] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /could not be started.*ENOENT/ }] }],
  });
  t.match(await daemon.view('web'), { status: 'errored', note: /ENOENT/, primaryPid: null });
  const order = { specs: [{ ...spec, interpreter: process.execPath }], action: 'start' };
  t.match(await daemon.ask('apply', order), { apps: [{ action: 'start', ok: true }] });
  t.match(await daemon.view('web'), { status: 'online', note: null });
});

/** Kills the one worker of `web`. @returns it, when it is back */
const killAndWait = async (daemon) => {
  const [pid] = pidsOf(await daemon.view('web'));
  process.kill(pid, 'SIGKILL');
  const { workers } = await daemon.online('web', (app) => pidsOf(app)[0] !== pid);
  return workers[0];
};

t.test('reset clears the counters; an errored worker stays errored', async (t) => {
  const once = { instances: 1, maxRestarts: 1, restartWindowMs: 600_000 };
  const bad = testSpec({ name: 'bad', script: fixture('exits-1.cjs'), ...once });
  const daemon = await startedDaemon(t, [await webSpec(once), bad]);
  t.match(await killAndWait(daemon), { restarts: 1 });
  const described = async () => (await daemon.ask('list', { fields: ['details'] })).apps;
  await until(async () => {
    const [, { status, workers }] = await described();
    return status === 'errored' && workers[0].lastExit.lastLines.length > 0;
  }, 'bad to be errored, and its last lines');

  const reason = /^failed 2 times within 10m/;
  t.match(await daemon.ask('reset', { selectors: ['all'] }), {
    apps: [
      { name: 'web', action: 'reset', ok: true, done: [0], failed: [] },
      {
        name: 'bad',
        action: 'reset',
        ok: true,
        done: [1],
        failed: [{ id: 1, slot: 0, stays: 'errored', reason }],
      },
    ],
  });
  t.match(await daemon.view('web'), { restarts: 0 });
  t.match(await daemon.view('bad'), { restarts: 0, status: 'errored' });
  t.match(await killAndWait(daemon), { restarts: 1 });

  const killed = { code: null, signal: 'SIGKILL', uptimeMs: Number, at: Number };
  const exited = { code: 1, signal: null, reason: 'exited with code 1' };
  const lastLines = ['no database'];
  const exitsOf = (lastExit, earlier) => ({
    workers: [{ lastExit, earlierExits: [{ ...earlier, lastLines: [] }] }],
  });
  t.match(await described(), [exitsOf(killed, killed), exitsOf({ ...exited, lastLines }, exited)]);

  const events = [];
  const onNotification = (kind, event) => kind === 'event' && events.push(event);
  const ended = daemon.ask('events', { selectors: ['bad'], since: 0 }, { onNotification });
  ended.catch(() => {});
  const exits = () => events.filter(({ type }) => type === 'worker.exited');
  await until(() => exits().length > 0, 'the events');
  for (const event of exits()) t.match(event, { reason: exited.reason, cause: 'no database' });

  await daemon.ask('stop', { selectors: ['web'] });
  t.match(await daemon.ask('reset', { selectors: ['web'] }), { apps: [{ ok: true, done: [] }] });
});

t.test('one environment may be sent for several apps', async (t) => {
  const daemon = await startedDaemon(t);
  const shellEnv = { PATH: process.env.PATH, LARGE: 'x'.repeat(900_000) };
  const specs = ['a', 'b', 'c', 'd', 'e'].map((name) => testSpec({ name, shellEnv: undefined }));
  const order = { specs, action: 'start', dryRun: true };
  await t.rejects(daemon.ask('apply', order), { code: 'E_REQUEST_INVALID' });
  t.equal((await daemon.ask('apply', { ...order, shellEnv })).plan.length, 5);
  t.strictSame(readdirSync(daemon.paths.primariesDir), []);
  t.strictSame(readdirSync(daemon.root), ['home']);
});

/** None of them is the value of any option, unless the row below says so. */
const WRONG = {
  'a huge number': 1e300,
  'a negative number': -5,
  'a fraction': 0.5,
  true: true,
  'an empty string': '',
  'a NUL': 'a\0b',
  'a long string': 'x'.repeat(200_000),
  'a number in a list': [1],
  'a list in a list': [['a']],
  'null in a list': [null],
  'a map': { a: { b: 1 } },
  'a map with toString': { toString: 1, constructor: 2 },
  'a map with __proto__': JSON.parse('{"__proto__": {"polluted": true}}'),
  'a deep list': JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`),
};
/** Long strings are paths, words and variables that a program may have. */
const ALLOWED = {
  'a long string': [
    ...['script', 'cwd', 'interpreter', 'pidFile', 'outFile', 'errorFile', 'logFile'],
    ...['instanceVar', 'incrementVar'],
  ],
  'a number in a list': ['stopExitCodes'],
  'a negative number': ['instances'],
};
const BOOLEANS = options.filter(({ type }) => type.schema.type === 'boolean').map((o) => o.spec);
const isSwitch = (key) => BOOLEANS.includes(key) || key === 'watch';

t.test('no wrong value of an option is used or saved', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ name: '__proto__', instances: 1 })]);
  const saved = daemon.saved();
  const client = await daemon.dial();
  const accepted = [];
  for (const { spec: key } of options) {
    if (key === null) continue;
    for (const [kind, value] of Object.entries(WRONG)) {
      const isValid = ALLOWED[kind]?.includes(key) || (value === true && isSwitch(key));
      if (isValid) continue;
      const spec = { ...testSpec({ name: 'bad' }), [key]: value };
      for (const request of [
        ['start', { specs: [spec] }],
        ['apply', { specs: [spec], action: 'start' }],
      ]) {
        const code = await client.request(...request).catch((error) => error.code);
        if (code !== 'E_REQUEST_INVALID') accepted.push(`${request[0]} ${key}: ${kind}`);
      }
    }
  }
  t.strictSame(accepted, []);
  const evil = { ...testSpec(), name: '../../evil' };
  const message = /name: expected a name of up to 64 letters/;
  await t.rejects(daemon.ask('start', { specs: [evil] }), { code: 'E_REQUEST_INVALID', message });
  await t.rejects(client.request('stop', { selectors: ['a', 5] }), {
    ...{ code: 'E_REQUEST_INVALID', message: /selectors\.1 of stop is not valid/ },
  });
  const selectors = ['__proto__'];
  const scale = { selector: '__proto__', instances: '1001' };
  await t.rejects(client.request('scale', scale), { code: 'E_SCALE_COUNT' });
  t.same(daemon.saved(), saved);
  await client.request('send', { selectors, message: { password: 'hunter2' } });
  t.match(daemon.log(), /"method":"send"/);
  t.notMatch(daemon.log(), 'hunter2', 'messages to programs are not logged');
  t.equal({}.polluted, undefined);
  t.strictSame((await client.request('list', {})).apps.length, 1);

  await killed(daemon.child.pid);
  t.match(await daemon.view('__proto__'), { status: 'online' }, 'the next daemon starts');
});

const chatty = (overrides) =>
  webSpec({ script: fixture('writes-on-demand.cjs'), instances: 1, ...overrides });
const say = (spec, text) => ask(Number(spec.env.PORT), `/${text}`);

t.test('flush, and files that another program has moved', async (t) => {
  const spec = await chatty();
  const daemon = await startedDaemon(t, [spec]);
  const out = daemon.paths.logFile('web', 'out');
  const holds = (text) =>
    until(() => readFileSync(out, 'utf8').includes(text), `${text} in ${out}`);

  await say(spec, 'first');
  await holds('first');
  renameSync(out, `${out}.moved`);
  daemon.child.kill('SIGUSR2');
  await say(spec, 'second');
  await holds('second');
  t.notMatch(readFileSync(out, 'utf8'), 'first');

  writeFileSync(`${out}.000001`, 'rotated\n');
  t.match(await daemon.ask('flush', { selectors: ['web'] }), { apps: [{ name: 'web', ok: true }] });
  t.equal(statSync(out).size, 0);
  t.notOk(existsSync(`${out}.000001`));
  await say(spec, 'third');
  await holds('third');

  await daemon.ask('stop', { selectors: ['web'] });
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
  await t.rejects(daemon.ask('flush', { selectors: ['apart:1'] }), { code: 'E_USAGE' });
});
