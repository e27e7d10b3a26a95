/** The Debian package: lintian finds no error, and on a booted machine of its own it is installed, used, upgraded and purged. */
import t from 'tap';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { plainEnv } from '../../support/spawn-clean.js';
import { ROOT } from '../../support/sources.js';

const has = (/** @type {string} */ program) => !spawnSync(program, ['--version']).error;
const noLintian = !(has('dpkg-deb') && has('lintian')) && 'dpkg-deb or lintian is not installed';

t.test('lintian', { skip: noLintian }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'nc-deb-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const options = { env: plainEnv() };
  await promisify(execFile)(join(ROOT, 'packaging/deb/build.sh'), [directory], options);
  const files = readdirSync(directory).map((name) => join(directory, name));
  t.match(files, [/_all\.deb$/]);
  const { status, stdout } = spawnSync('lintian', ['--fail-on', 'error', ...files], {
    encoding: 'utf8',
  });
  t.equal(status, 0, { stdout });
});

const noNode =
  spawnSync('dpkg-query', ['-W', 'nodejs']).status !== 0 && 'Node is not a package of Debian here';
t.test('on a machine', { skip: noNode }, async (t) => {
  const { status, stdout } = spawnSync(join(ROOT, 'bench/boot/run.sh'), ['deb'], {
    env: plainEnv(),
    encoding: 'utf8',
  });
  const [, reason] = /^skipped: (.*)/.exec(stdout) ?? [];
  if (reason) return t.pass('not here', { skip: reason });
  t.equal(status, 0, { stdout });
});
