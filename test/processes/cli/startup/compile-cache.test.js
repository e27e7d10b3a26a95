/** Compiled code of the command is kept in a home directory that nobody else can enter. */
import t from 'tap';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { NODE, testHome } from '../../../support/home.js';

// @ts-expect-error -- unknown to the types of Node 20
const skip = !module.enableCompileCache && NODE === process.execPath && 'needs Node 22.1 or newer';

t.test('in a private home, and only there', { skip }, async (t) => {
  const { home, ok, run } = testHome(t);
  const cache = path.join(home, 'compiled');
  await ok(['ls', '--json']);
  t.notOk(existsSync(home), 'it makes no home directory');
  mkdirSync(home, { mode: 0o700 });
  await ok(['ls', '--json']);
  t.ok(existsSync(cache));
  const open = path.join(home, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  await run(['ls', '--json'], { env: { NODECLUSTER_HOME: open } });
  t.notOk(existsSync(path.join(open, 'compiled')), 'others may read this one');
});

t.test('where nothing can be written there is none', { skip }, async (t) => {
  const { home, ok } = testHome(t);
  mkdirSync(path.join(home, 'compiled'), { recursive: true, mode: 0o500 });
  chmodSync(home, 0o700);
  t.equal((await ok(['ls', '--json'])).stderr, '');
});
