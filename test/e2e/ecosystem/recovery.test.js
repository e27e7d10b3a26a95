/** After a reboot the next daemon starts everything again, in the order of `depends_on`. */
import t from 'tap';
import { readFileSync, rmSync } from 'node:fs';
import { writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { killAll } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** Notes its start and, after a while, that it serves or has migrated; exits with CODE then, if that is set. */
const PROGRAM = `
const { appendFileSync, existsSync } = require('node:fs');
const { NAME, CODE } = process.env;
const note = (what) => appendFileSync('notes', NAME + ' ' + what + '\\n');
note('starts');
setTimeout(() => {
  note('is done');
  if (CODE) process.exit(existsSync('broken') ? 3 : Number(CODE));
  process.send('ready');
  setInterval(() => {}, 1000);
}, 500);
`;
const ORDER = ['db starts', 'db is done', 'migrate starts', 'migrate is done', 'web starts'];

t.test('everything is killed, then a daemon starts', async (t) => {
  const { root, ok, startDaemon } = testHome(t);
  const named = (name, rest, env = {}) => ({
    ...{ name, script: 'program.cjs', min_uptime: '100ms', env: { NAME: name, ...env } },
    ...rest,
  });
  const apps = [
    named('web', { depends_on: { migrate: 'exited' }, wait_ready: true }),
    named('migrate', { autorestart: false, depends_on: ['db'] }, { CODE: '0' }),
    named('db', { wait_ready: true }),
  ];
  writeFiles(root, { 'program.cjs': PROGRAM, 'ecosystem.json': JSON.stringify({ apps }) });
  const notesUntil = async (last) => {
    const lines = await until(() => {
      const all = readFileSync(`${root}/notes`, { encoding: 'utf8', flag: 'a+' })
        .trim()
        .split('\n');
      return all.includes(last) && all;
    }, last);
    rmSync(`${root}/notes`);
    return lines;
  };
  const reboot = async () => {
    await killAll(root);
    rmSync(`${root}/notes`, { force: true });
    await startDaemon();
  };

  await ok(['start']);
  t.same(await notesUntil('web is done'), [...ORDER, 'web is done']);
  await reboot();
  t.same(await notesUntil('web is done'), [...ORDER, 'web is done'], 'the migration runs again');

  writeFiles(root, { broken: '' });
  await reboot();
  const lines = await notesUntil('web is done');
  t.same(lines, [...ORDER, 'web is done'], 'one that fails keeps nothing down');
  const log = readFileSync(`${root}/home/daemon.log`, 'utf8');
  const missing = log.split('\n').filter((line) => line.includes('"dependency.missing"'));
  t.match(
    missing.map((line) => JSON.parse(line)),
    [{ app: 'web', dependency: 'migrate', reason: /exited with code 3/ }],
  );
});
