/** A shared primary with bugs, and its replacement by one without. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { freePorts } from '../../support/ports.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';

const HANGS = 'await new Promise(() => {});';
const THROWS = 'setImmediate(() => { throw new Error("a bug in " + app.name); });';
const BUGS = {
  'src/primary/methods.js': [
    [
      'reset: (params) => reset(app, params)',
      `reset: (params) => { ${THROWS} return reset(app, params); }`,
    ],
    [
      'shutdown: ({ areSocketsHeld = false }, ctx) => {',
      `shutdown: async ({ areSocketsHeld = false }, ctx) => { if (app.name === "b") ${HANGS}`,
    ],
  ],
};

t.test('a bug in the path of one app, and update --apps of all', async (t) => {
  const { ok, list, root, home } = testHome(t);
  const bin = await makeOtherVersion(join(root, 'older'), {
    ...{ version: '0.0.9', protocol: 2, oldest: 1, edits: BUGS },
  });
  const ports = await freePorts(4);
  const apps = ['a', 'b', 'c', 'd'].map((name, index) => ({
    ...{ name, script: app('http-pid.cjs'), exec_mode: 'fork', env: { PORT: `${ports[index]}` } },
    ...{ min_uptime: 100, kill_timeout: 200, drain_timeout: 100 },
  }));
  const file = join(root, 'ecosystem.json');
  writeFileSync(file, JSON.stringify({ apps }));
  await ok(['start', file], { bin });
  const before = await appsOf(list);
  t.equal(new Set(before.map(primaryOf)).size, 1);

  await ok(['reset', 'a'], { bin });
  const log = join(home, 'primary.log');
  await until(() => existsSync(log) && /a bug in a/.test(readFileSync(log, 'utf8')), 'a line');
  t.strictSame(await appsOf(list), before, 'the process and every worker go on');

  await ok(['delete', 'b'], { bin });
  const [, b] = before;
  await until(() => !b.workers.some(isRunning), 'the workers of b to end');
  const others = before.filter(({ name }) => name !== 'b');
  t.strictSame(await appsOf(list), others, 'that one app hangs concerns no other');

  await ok(['update', '--apps']);
  const after = await appsOf(list);
  t.strictSame(
    after.map(({ name, status }) => `${name} ${status}`),
    ['a online', 'c online', 'd online'],
  );
  t.equal(new Set(after.map(primaryOf)).size, 1, 'all in one new process');
  t.not(primaryOf(after[0]), primaryOf(b));
  await until(() => !isRunning(primaryOf(b)), 'the old process to exit');
});

t.test('update --apps leaves a job that runs alone', async (t) => {
  const { ok, run, begin, root, appNamed } = testHome(t);
  const bin = await makeOtherVersion(join(root, 'older'), {
    version: '0.0.9',
    protocol: 2,
    oldest: 1,
  });
  const end = join(root, 'end');
  const task = join(root, 'task.cjs');
  writeFileSync(
    task,
    `const timer = setInterval(() => {
      if (require('node:fs').existsSync(${JSON.stringify(end)})) clearInterval(timer);
    }, 20);`,
  );
  await ok(['start', task, '--name', 'task', '--schedule', '0 0 1 1 *'], { bin });
  const running = begin(['run-now', 'task'], { bin });
  await running.said(/online/);
  const { primaryPid, workers } = await appNamed('task');
  const refused = await run(['update', '--apps']);
  t.match(refused, { code: 5, stderr: /Job task was not touched: its last run has not ended/ });
  t.ok(isRunning(workers[0].pid));
  t.equal((await appNamed('task')).primaryPid, primaryPid);
  writeFileSync(end, '');
  await until(async () => (await appNamed('task')).status === 'waiting', 'the run to end');
  t.match((await appNamed('task')).job, { lastRun: { ok: true } }, 'the next daemon has seen it');
  await ok(['update', '--apps']);
  t.not((await appNamed('task')).primaryPid, primaryPid);
  await running.ended;
});

async function appsOf(list) {
  const { apps } = await list();
  return apps.map(({ name, status, primaryPid, workers }) => ({
    ...{ name, status, primaryPid },
    workers: workers.map(({ pid }) => pid),
  }));
}

function primaryOf({ primaryPid }) {
  return primaryPid;
}
