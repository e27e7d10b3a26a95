/** The packages for Debian and Fedora: two builds are the same. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { noNfpm } from '../../support/machine.js';
import { ROOT } from '../../support/sources.js';
import { plainEnv } from '../../support/spawn-clean.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

t.test('two builds', { skip: noNfpm }, async (t) => {
  const directory = temporaryDirectory(t);
  const [one, two] = ['one', 'two'].map((name) => {
    const to = join(directory, name);
    execFileSync(join(ROOT, 'packaging/linux/build.sh'), [to], { env: plainEnv() });
    return readdirSync(to).map((file) => ({ file, bytes: readFileSync(join(to, file)) }));
  });
  t.match(one, [{ file: /\.noarch\.rpm$/ }, { file: /_all\.deb$/ }]);
  for (const [index, { file, bytes }] of one.entries()) t.ok(bytes.equals(two[index].bytes), file);
});
