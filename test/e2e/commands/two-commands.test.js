/** Two commands for one app at the same time. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

t.test('kill during a reload', async (t) => {
  const { root, ok, begin } = testHome(t);
  const ready = path.join(root, 'READY_0');
  writeFileSync(ready, '');
  const env = { PORT: String(await freePort()), FOLDER: root };
  const script = app('ready-when-file-exists.cjs');
  await ok(['start', script, '--name', 'api', '--wait-ready'], { env });
  rmSync(ready);
  const reload = begin(['reload', 'api']);
  await reload.said(/start/i);
  t.match(await ok(['kill']), { stdout: /api/ });
  const { code, stderr } = await reload.ended;
  t.equal(code, 5, stderr);
  t.match(stderr, /`nodecluster kill` stopped api before the command was done/);
  t.notMatch(stderr, /started again/);
});

t.test('two starts of one program: both succeed, and one app runs', async (t) => {
  const { run, list } = testHome(t);
  const env = { PORT: String(await freePort()) };
  const start = ['start', app('http-pid.cjs'), '--name', 'api'];
  const ended = await Promise.all([run(start, { env }), run(start, { env })]);
  t.match(ended, [{ code: 0 }, { code: 0 }]);
  t.match(await list(), { apps: [{ name: 'api', workers: [{ restarts: 0 }] }] });
});
