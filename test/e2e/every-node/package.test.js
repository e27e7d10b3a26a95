/** What a program, a shell and a container use of the package: its interface, its links in a `bin`, its other command. */
import t from 'tap';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { NODE, PACKAGE, app, testHome, watched } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { writeFiles } from '../../support/files.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

t.test('beside a program, and in a directory of PATH', async (t) => {
  const { root, env, run } = testHome(t);
  const PORT = String(await freePort());
  for (const name of ['bin', 'node_modules']) mkdirSync(join(root, name));
  symlinkSync(PACKAGE, join(root, 'node_modules/nodecluster'));
  symlinkSync(join(PACKAGE, 'bin/nodecluster.js'), join(root, 'bin/nodecluster'));
  symlinkSync(join(PACKAGE, 'bin/nodecluster-runtime'), join(root, 'bin/nodecluster-runtime'));
  const options = { cwd: root, env: { ...env, PORT, XDG_RUNTIME_DIR: root } };
  const begin = (command, ...args) => watched(spawnClean(command, args, options), command);
  const command = join(root, 'bin/nodecluster');
  t.match(await begin(command, 'start', app('http-pid.cjs'), '--name', 'shop').ended, { code: 0 });

  const program = (load) =>
    `${load} const api = await connect(); console.log((await api.list())[0].name); api.close();`;
  const loads = {
    'imports.mjs': program(`import { connect } from 'nodecluster';`),
    'requires.cjs': `(async () => { ${program(`const { connect } = require('nodecluster');`)} })()`,
  };
  writeFiles(root, loads);
  for (const file of Object.keys(loads)) {
    t.match(await begin(NODE, file).ended, { code: 0, stdout: 'shop\n' }, file);
  }
  t.match(await run(['kill']), { code: 0 });

  const { child, ended } = begin(`${command}-runtime`, 'start', app('http-pid.cjs'));
  t.match(await until(() => ask(Number(PORT)), 'an answer'), { pid: Number });
  child.kill('SIGTERM');
  t.match(await ended, { code: 0, stderr: /SIGTERM: stopping/ });
});
