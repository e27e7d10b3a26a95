/** Many commands at once in an empty home directory. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

t.test('every start succeeds, in one daemon', async (t) => {
  const home = testHome(t);
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const starts = names.map(async (name) => {
    const env = { PORT: String(await freePort()) };
    return home.run(['start', app('http-pid.cjs'), '--name', name], { env });
  });
  const lists = Array.from({ length: 18 }, () => home.run(['ls']));
  for (const { code, stderr } of await Promise.all([...starts, ...lists])) {
    t.equal(code, 0, stderr);
  }
  const { daemon, apps } = await home.list();
  t.strictSame(new Set(apps.map(({ name }) => name)), new Set(names));
  const pids = apps.flatMap(({ primaryPid, workers: [{ pid }] }) => [primaryPid, pid]);
  const expected = new Set([daemon.pid, ...pids]);
  await until(() => processesOf(home.root).length === expected.size, 'other processes to exit');
  t.strictSame(new Set(processesOf(home.root)), expected);
  t.equal(readdirSync(path.join(home.home, 'versions')).length, 1);
});
