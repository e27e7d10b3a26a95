/** SIGHUP reads the file of `run` again; other commands of the same container find its apps. */
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { until } from '../../support/until.js';

t.test('SIGHUP, and commands', async (t) => {
  const { root, begin, command, left } = testRun(t);
  const port = await freePort();
  const env = { PORT: String(port) };
  const web = { name: 'web', script: app('http-pid.cjs'), env };
  const other = { name: 'other', script: 'other.cjs' };
  /** @param {object[]} apps */
  const writeFile = (...apps) =>
    writeFiles(root, { 'ecosystem.config.mjs': `export default ${JSON.stringify({ apps })};` });
  writeFiles(root, { 'other.cjs': 'setInterval(() => {}, 1000);' });
  writeFile(web, other);
  const { child, ended, said } = begin([]);
  await until(() => ask(port), 'an answer');
  /** @returns {Promise<any[]>} */
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
