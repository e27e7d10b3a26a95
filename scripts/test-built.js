/**
 * `npm run test:built [-- <arguments of tap>]`: the tests of the whole program, by default all of them, on the package
 * that is published, as npm installs it. It is outside the project, whose packages it could find otherwise.
 * `npm run test:every-node` names those that depend on the version of Node.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installGlobally } from '../test/support/package/packed.js';

const given = process.argv.slice(2);
const all = given.some((word) => word.startsWith('test/')) ? [] : ['test/e2e/**/*.test.js'];
const directory = mkdtempSync(path.join(tmpdir(), 'nodecluster-built-'));
// As a global prefix: apps of other users run from it.
chmodSync(directory, 0o755);
try {
  const { root } = installGlobally(directory);
  const env = { ...process.env, NODECLUSTER_TEST_PACKAGE: root };
  const { status } = spawnSync('tap', [...all, ...given], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
