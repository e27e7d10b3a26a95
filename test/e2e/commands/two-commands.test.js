/** Two commands for one app at the same time. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort, freePorts } from '../../support/ports.js';

/** @import { Test } from 'tap' */

/** Starts an app whose next worker is not ready before `letReady` is called. @param {Test} t */
async function startedApp(t) {
  const home = testHome(t);
  const file = path.join(home.root, 'READY_0');
  const letReady = () => writeFileSync(file, '');
  letReady();
  const env = { PORT: String(await freePort()), FOLDER: home.root };
  const script = app('ready-when-file-exists.cjs');
  await home.ok(['start', script, '--name', 'api', '--wait-ready'], { env });
  rmSync(file);
  return { ...home, letReady };
}

t.test('a second reload, of all apps, waits for the first', async (t) => {
  const { begin, list, letReady } = await startedApp(t);
  const first = begin(['reload', 'api']);
  await first.said(/start/i);
  const second = begin(['reload', 'all']);
  await second.said(/until its reload is done/);
  letReady();
  t.match(await Promise.all([first.ended, second.ended]), [{ code: 0 }, { code: 0 }]);
  t.match(await list(), { apps: [{ generation: 3 }] });
});

t.test('kill during a reload', async (t) => {
  const { ok, begin } = await startedApp(t);
  const reload = begin(['reload', 'api']);
  await reload.said(/start/i);
  t.match(await ok(['kill']), { stdout: /api/ });
  const { code, stderr } = await reload.ended;
  t.equal(code, 5, stderr);
  t.match(stderr, /`nodecluster kill` stopped api before the command was done/);
  t.notMatch(stderr, /started again/);
});

t.test('two starts with one name: one succeeds, the other fails', async (t) => {
  const { run, list } = testHome(t);
  const env = { PORT: String(await freePort()) };
  const start = ['start', app('http-pid.cjs'), '--name', 'api'];
  const ended = await Promise.all([run(start, { env }), run(start, { env })]);
  t.same(ended.map(({ code }) => code).sort(), [0, 6]);
  t.equal((await list()).apps.length, 1);
});

t.test('four commands at once in an empty home start one daemon', async (t) => {
  const { run, list } = testHome(t);
  const ports = await freePorts(4);
  const ended = await Promise.all(
    ports.map((port) =>
      run(['start', app('http-pid.cjs'), '--name', `api${port}`], { env: { PORT: `${port}` } }),
    ),
  );
  for (const { code, stderr } of ended) t.equal(code, 0, stderr);
  const { apps } = await list();
  t.same(
    apps.map(({ name }) => name).sort(),
    ports.map((port) => `api${port}`),
  );
  for (const port of ports) t.ok(await ask(port));
});
