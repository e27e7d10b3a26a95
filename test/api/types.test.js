/** The types that are shipped are those that the code has, and that docs/api.md promises. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

t.test('a program in TypeScript', async (t) => {
  const project = fileURLToPath(new URL('../fixtures/types/tsconfig.json', import.meta.url));
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', project], {
    encoding: 'utf8',
  });
  t.equal(stdout, '');
  t.equal(status, 0);
});
