/** `run` starts apps in the order of `depends_on`, is not ready before the last one is, and stops them in reverse. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { writeFiles } from '../../support/files.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

const SERVICE = `
const { appendFileSync } = require('node:fs');
const note = (what) => appendFileSync('notes', process.env.NAME + ' ' + what + '\\n');
note('starts');
process.on('SIGTERM', () => { note('ends'); process.exit(); });
setInterval(() => {}, 1000);
process.send('ready');
`;
/** Exits once a file says with which code. */
const MIGRATION = `
const { existsSync, readFileSync } = require('node:fs');
setInterval(() => existsSync('code') && process.exit(Number(readFileSync('code', 'utf8'))), 20);
`;

/** @param {import('tap').Test} t */
async function begun(t) {
  const { root, begin, left } = testRun(t);
  const service = (name, depends_on) => {
    return { name, script: 'service.cjs', wait_ready: true, env: { NAME: name }, depends_on };
  };
  const job = { script: 'migration.cjs', autorestart: false, min_uptime: '50ms' };
  const apps = [
    service('web', { migrate: 'exited' }),
    { ...job, name: 'migrate', depends_on: ['db'] },
    service('db'),
  ];
  writeFiles(root, {
    'service.cjs': SERVICE,
    'migration.cjs': MIGRATION,
    'ecosystem.json': JSON.stringify({ apps }),
  });
  const port = await freePort();
  const running = begin([`${root}/ecosystem.json`, '--listen', `127.0.0.1:${port}`]);
  await running.said(/migrate \| \[nodecluster\] 1 worker runs; it listens on nothing/);
  const finish = (code) => writeFiles(root, { code });
  const notes = () => readFileSync(`${root}/notes`, 'utf8').trim().split('\n');
  return { ...running, left, port, finish, notes };
}

t.test('a migration that succeeds', async (t) => {
  const { child, ended, left, port, finish, notes } = await begun(t);
  const probe = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  const ready = await fetch(`http://127.0.0.1:${port}/ready`);
  t.equal(ready.status, 503);
  t.match(await ready.text(), /web: .*worker 0: waiting/);
  t.equal(await probe('/live'), 200);
  t.equal(await probe('/startup'), 503);
  t.same(notes(), ['db starts']);
  finish('0');
  await until(async () => (await probe('/ready')) === 200, 'it to be ready');
  t.equal(await probe('/startup'), 200);
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  t.same(notes(), ['db starts', 'web starts', 'web ends', 'db ends']);
  t.same(left(), NOTHING);
});

t.test('a migration that fails', async (t) => {
  const { ended, left, finish, notes } = await begun(t);
  finish('3');
  const { code, stderr } = await ended;
  t.equal(code, 5);
  t.match(stderr, /migrate \| \[nodecluster\] worker 0 exited with code 3 .*stays errored/);
  t.match(stderr, /run \| \[nodecluster\] migrate cannot run any more; ending/);
  t.same(notes(), ['db starts', 'db ends'], 'what depends on it never starts');
  t.same(left(), NOTHING);
});
