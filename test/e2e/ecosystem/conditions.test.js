/** `depends_on` with conditions: a migration that must have exited, a process that must only exist; and after a power cut. */
import t from 'tap';
import { readFileSync, rmSync } from 'node:fs';
import { writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { killAll } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** Notes its start and its end. If READY_AFTER is set, it says 'ready' once that has been noted. */
const SERVICE = `
const { appendFileSync, readFileSync } = require('node:fs');
const { NAME, PORT, READY_AFTER } = process.env;
const note = (what) => appendFileSync('notes', NAME + ' ' + what + '\\n');
note('starts');
require('node:http').createServer().listen(PORT);
process.on('SIGTERM', () => { note('ends'); process.exit(); });
const check = () => {
  if (readFileSync('notes', 'utf8').includes(READY_AFTER)) process.send('ready');
  else setTimeout(check, 20);
};
if (READY_AFTER) check();
`;
/** Runs for longer than min_uptime and until there is a file, then exits with the code in it. */
const MIGRATION = `
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
appendFileSync('notes', 'migrate starts\\n');
const end = () => {
  if (!existsSync('code') || !readFileSync('code', 'utf8')) return setTimeout(end, 20);
  appendFileSync('notes', 'migrate ends\\n');
  process.exit(Number(readFileSync('code', 'utf8')));
};
setTimeout(end, 500);
`;

t.test('conditions', async (t) => {
  const { root, begin, ok, run, pidsOf, list, startDaemon } = testHome(t);
  const service = async (name, rest, env = {}) => ({
    name,
    script: 'service.cjs',
    min_uptime: '100ms',
    env: { NAME: name, PORT: String(await freePort()), ...env },
    ...rest,
  });
  const migrate = { name: 'migrate', script: 'migrate.cjs', min_uptime: '100ms' };
  const apps = [
    await service('web', { depends_on: { migrate: 'exited' } }),
    await service('log', { depends_on: { db: 'started' } }),
    { ...migrate, autorestart: false, depends_on: ['db'] },
    await service('db', { wait_ready: true }, { READY_AFTER: 'log starts' }),
  ];
  const change = (code) => writeFiles(root, { code });
  writeFiles(root, {
    'service.cjs': SERVICE,
    'migrate.cjs': MIGRATION,
    'ecosystem.json': JSON.stringify({ apps }),
  });
  const notes = () => {
    const lines = readFileSync(`${root}/notes`, 'utf8').trim().split('\n');
    rmSync(`${root}/notes`);
    return lines;
  };
  /** The process of db only has to exist when log starts, so its program may run later. */
  const allStarted = () => {
    const [first, second, ...others] = notes();
    t.same([first, second].sort(), ['db starts', 'log starts']);
    t.same(others, ['migrate starts', 'migrate ends', 'web starts']);
  };
  const begins = (text, ...steps) => {
    const places = steps.map((step) => text.indexOf(step));
    t.same(
      places,
      places.toSorted((a, b) => a - b),
      `${steps.join(', ')}\n${text}`,
    );
    t.notOk(places.includes(-1), text);
  };

  const plan = await ok(['apply', '--dry-run']);
  t.match(plan.stdout, /web +start 1 worker .*service.cjs, after migrate has exited\n/);
  const starting = begin(['start']);
  await starting.said(/web waiting until migrate has exited/);
  change('0');
  const { code, stderr } = await starting.ended;
  t.equal(code, 0, stderr);
  allStarted();
  begins(stderr, 'db:0 online', 'migrate starting', 'web waiting', 'web:0 online');
  t.match(stderr, /✔ migrate: 1 worker started/);

  const before = await pidsOf('web');
  const { plan: none } = JSON.parse((await ok(['apply', '--json'])).stdout);
  t.same(new Set(none.map(({ action }) => action)), new Set(['none']), 'its work is done');
  await ok(['reload']);
  const lines = notes().filter((line) => /^migrate|^web starts/.test(line));
  t.same(lines, ['migrate starts', 'migrate ends', 'web starts'], 'the migration runs again');
  const reloaded = await pidsOf('web');
  t.not(String(reloaded), String(before));

  change('3');
  const failed = await run(['reload']);
  t.match(failed, {
    code: 5,
    stderr: /web: migrate failed \(exited with code 3\), and web depends/,
  });
  t.match(failed.stderr, /✖ migrate: reload failed/);
  t.same(await pidsOf('web'), reloaded, 'the old version serves on');
  notes();

  t.match(await run(['start', 'web']), { code: 0, stderr: /✔ web: already running/ });
  begins((await ok(['stop', 'all'])).stderr, 'web:0 stopped', 'db:0 stopped');
  await ok(['start', 'web']);
  const online = (await list()).apps.filter(({ status }) => status === 'online');
  t.match(online, [{ name: 'web' }], 'only that one is started');

  change('0');
  await ok(['start', 'all']);
  notes();
  await ok(['kill']);
  const ends = notes().filter((line) => line.endsWith('ends'));
  t.ok(ends.indexOf('web ends') < ends.indexOf('db ends'), String(ends));
  t.ok(ends.indexOf('log ends') < ends.indexOf('db ends'), String(ends));
  await ok(['resurrect']);
  allStarted();

  // A power cut, and then the daemon.
  const reboot = async () => {
    await killAll(root);
    rmSync(`${root}/notes`, { force: true });
    await startDaemon();
    await until(() => readFileSync(`${root}/notes`, 'utf8').includes('web starts'), 'all to start');
  };
  await reboot();
  allStarted();
  change('3');
  await reboot();
  allStarted(); // a migration that fails keeps nothing down
});
