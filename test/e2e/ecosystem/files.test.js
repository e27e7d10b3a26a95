/** Files that `init` writes, files with errors, and the environment that a file gives. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome, app } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

t.test('init finds the program and writes a file that starts it', async (t) => {
  const { root, ok, run } = testHome(t);
  const port = await freePort();
  copyApp('http-pid.cjs', `${root}/lib/server.cjs`);
  writeFiles(root, { 'package.json': { name: 'shop', main: './lib/server.cjs' } });
  await ok(['init']);
  const written = readFileSync(`${root}/ecosystem.yml`, 'utf8');
  t.match(written, /lib\/server\.cjs/);
  await ok(['start'], { env: { PORT: String(port) } });
  t.match(await ask(port), { pid: Number });
  t.equal((await run(['init'])).code, 6, 'an existing file is refused');
  t.equal(readFileSync(`${root}/ecosystem.yml`, 'utf8'), written, 'and left as it is');
});

const unknownKey = `apps:\n  - name: api\n    script: ${app('http-pid.cjs')}\n    instnaces: 2\n`;
const endless = 'await new Promise(() => {});\nexport const apps = [];\n';

t.test('an unknown key, and a module that never ends', async (t) => {
  const { root, run, list } = testHome(t);
  for (const [file, text, says] of [
    ['ecosystem.yml', unknownKey, /ecosystem\.yml:4:\d+.*instnaces.*instances/is],
    ['ecosystem.config.mjs', endless, /await never ends/],
  ]) {
    writeFiles(root, { [file]: text });
    const { code, stdout, stderr } = await run(['start', file]);
    t.equal(code, 3, stderr);
    t.match(stderr, says);
    t.notMatch(stderr, /^\s+at .*:\d+:\d+\)?$/m, 'no stack');
    t.equal(stdout, '');
  }
  t.same((await list()).apps, [], 'nothing was started');
});

t.test('the file overrides the shell; --update-env rereads the shell', async (t) => {
  const { root, ok } = testHome(t);
  const port = await freePort();
  copyApp('reports-main.cjs', `${root}/server.cjs`);
  const write = (env) =>
    writeFiles(root, {
      'ecosystem.yml': { name: 'api', script: './server.cjs', env: { PORT: port, ...env } },
    });
  const seen = async () => {
    const { env } = await ask(port);
    return [env.SHELL_ONE, env.FILE_ONE, env.BOTH];
  };

  write({ FILE_ONE: 'file', BOTH: 'file' });
  await ok(['start'], { env: { SHELL_ONE: 'shell', BOTH: 'shell' } });
  t.same(await seen(), ['shell', 'file', 'file']);

  await ok(['reload', 'api'], { env: { SHELL_ONE: 'other' } });
  t.same(await seen(), ['shell', 'file', 'file'], 'a reload keeps it');

  await ok(['reload', 'api', '--update-env'], { env: { SHELL_ONE: 'other' } });
  t.same(await seen(), ['other', 'file', 'file'], 'unless --update-env is given');

  write({ BOTH: 'file' });
  await ok(['reload', 'ecosystem.yml']);
  t.same(await seen(), ['other', undefined, 'file'], 'a variable removed from the file is removed');
});
