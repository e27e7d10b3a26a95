/** Files that another user may have written: reading them for root must take no longer than others. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readShim } from '../../../src/config/command/command-line.js';
import { loadEnvFile } from '../../../src/config/resolve/environment.js';
import { readPackageJson } from '../../../src/shared/files/small-file.js';

t.test('text on which a pattern could spend minutes', async (t) => {
  const options = ' --a'.repeat(4000);
  t.equal(readShim(`#!/bin/sh\nbasedir=$(dirname "$0")\nexec node${options} !\n`, '/x'), null);
  const directory = t.testdir({});
  const size = 250_000;
  for (const text of [' ', 'a', 'export ', 'A= ', 'A="', '\n', '# \n']) {
    writeFileSync(join(directory, '.env'), text.repeat(size));
    t.ok(loadEnvFile(join(directory, '.env')), text);
  }
});

t.test('pipes and devices', async (t) => {
  const directory = t.testdir({ '.env': t.fixture('symlink', '/dev/zero') });
  t.match(loadEnvFile(join(directory, '.env')), { fault: /not a regular file/ });
  const files = [join(directory, 'pipe'), join(directory, 'package.json')];
  execFileSync('mkfifo', files);
  t.match(loadEnvFile(files[0]), { fault: /not a regular file/ });
  t.equal(readPackageJson(directory), null);
});
