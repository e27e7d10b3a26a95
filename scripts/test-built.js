/**
 * `npm run test:built [-- <arguments of tap>]`: the tests of the whole program on the package that is published, as
 * npm installs it. It is outside the project, whose packages it could find otherwise.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installGlobally } from '../test/support/package/packed.js';

const directory = mkdtempSync(path.join(tmpdir(), 'nodecluster-built-'));
try {
  const { root } = installGlobally(directory);
  const files = process.argv.slice(2).some((word) => word.endsWith('.test.js'));
  const tests = files ? [] : ['test/e2e/**/*.test.js'];
  const { status } = spawnSync('tap', [...tests, ...process.argv.slice(2)], {
    env: { ...process.env, NODECLUSTER_TEST_PACKAGE: root },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
