/** The other commands accept the files that `init` writes. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
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
