/** `run` with several apps: in their order, as jobs, and changed while they run. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { writeFiles } from '../../support/files.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { app } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
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
/** Exits once a file, which is empty for a moment, says with which code. */
const MIGRATION = `
const { existsSync, readFileSync } = require('node:fs');
const end = (code) => code && process.exit(Number(code));
setInterval(() => existsSync('code') && end(readFileSync('code', 'utf8')), 20);
`;

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
  await running.said(/migrate \| \[nodecluster\] 1 worker online/);
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
  t.match(stderr, /migrate \| \[nodecluster\] worker 0 errored: exited with code 3 and autorest/);
  t.match(stderr, /run \| \[nodecluster\] migrate failed for good; shutting down/);
  t.same(notes(), ['db starts', 'db ends'], 'what depends on it never starts');
  t.same(left(), NOTHING);
});

t.test('a job in a container', async (t) => {
  const { root, begin, left } = testRun(t);
  writeFiles(root, {
    'job.cjs': "console.log('it runs')",
    'ecosystem.json': JSON.stringify({
      name: 'report',
      script: 'job.cjs',
      schedule: '*/2 * * * * *',
      min_uptime: '50ms',
    }),
  });
  const port = await freePort();
  const { said, child, ended } = begin([`${root}/ecosystem.json`, '--listen', `127.0.0.1:${port}`]);
  const probe = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  await until(async () => (await probe('/ready')) === 200, 'it to be ready');
  t.same(await Promise.all(['/live', '/startup'].map(probe)), [200, 200]);
  await said(/it runs[\s\S]*it runs/);
  t.equal(await probe('/ready'), 200);
  t.equal(child.exitCode, null, 'it goes on');
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  t.same(left(), NOTHING);
});

t.test('SIGHUP, and commands', async (t) => {
  const { root, begin, command, left } = testRun(t);
  const port = await freePort();
  const env = { PORT: String(port) };
  const web = { name: 'web', script: app('http-pid.cjs'), env };
  const other = { name: 'other', script: 'other.cjs' };
  const writeFile = (...apps) =>
    writeFiles(root, { 'ecosystem.config.mjs': `export default ${JSON.stringify({ apps })};` });
  writeFiles(root, { 'other.cjs': 'setInterval(() => {}, 1000);' });
  writeFile(web, other);
  const { child, ended, said } = begin([]);
  await until(() => ask(port), 'an answer');
  const list = async () => JSON.parse((await command(['ls', '--json'])).stdout).apps;
  await until(async () => (await list()).every(({ status }) => status === 'online'), 'both online');
  const [before] = await list();

  writeFiles(root, { 'ecosystem.config.mjs': 'export default {apps: [{name: 7}]};' });
  child.kill('SIGHUP');
  await said(
    /\[nodecluster\] the reload was refused, nothing has changed: .*ecosystem\.config\.mjs/,
  );
  t.same(
    (await list()).map(({ name }) => name),
    ['web', 'other'],
  );

  writeFile({ ...web, env: { ...env, RELEASE: '2' } });
  child.kill('SIGHUP');
  await said(/web \| \[nodecluster\] 1 worker replaced on .* in/);
  const [after, ...rest] = await until(async () => {
    const apps = await list();
    return apps.length === 1 && apps;
  }, 'the other app to be deleted');
  t.same(rest, []);
  t.equal(after.generation, before.generation + 1);
  t.not(after.workers[0].pid, before.workers[0].pid);

  t.match(await command(['reload', 'web']), { code: 0, stderr: /web: 1 worker replaced/ });
  t.match(await command(['describe', 'web']), { code: 0, stdout: /\/dev\/stdout/ });
  t.match(await command(['logs', 'web', '--no-follow']), {
    stderr: /stdout and stderr of `nodecluster run`/,
  });
  t.match(await command(['update']), { code: 6, stderr: /`nodecluster run`/ });
  t.match(await command(['kill']), { code: 0 });
  t.match(await ended, { code: 0 });
  t.same(left(), NOTHING);
});
