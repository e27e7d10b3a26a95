/** The man pages that the build makes: one for each command, and mandoc finds no fault in them. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manPages } from '../../scripts/man-pages.js';
import { commands } from '../../src/cli/commands.js';
import { options } from '../../src/config/options/table.js';
import { ROOT } from '../support/sources.js';

const pages = await manPages();

t.test('a page for each command and each setting', async (t) => {
  const names = commands.map(({ name }) => `nodecluster-${name}.1`);
  t.same(Object.keys(pages).sort(), [...names, 'ecosystem.yml.5', 'nodecluster.1'].sort());
  for (const { name } of commands)
    t.match(pages['nodecluster.1'], `.It Xr nodecluster-${name} 1\n`);
  for (const { key } of options) t.match(pages['ecosystem.yml.5'], `.Ss ${key}\n`);
});

t.test('they have every option, and no directory of the machine', async (t) => {
  const { command } = await commands[0].load();
  const long = command.options.map(({ flags }) => flags.match(/--([\w-]+)/)?.[1]);
  t.ok(long.length > 30);
  for (const name of long) {
    t.match(pages['nodecluster-start.1'], `Fl \\-${name?.replaceAll('-', '\\-')}`);
  }
  for (const [name, text] of Object.entries(pages)) t.notMatch(text, ROOT, name);
});

const mandoc = spawnSync('mandoc', ['-T', 'lint', '/dev/null']);
t.test('mandoc', { skip: mandoc.error && 'mandoc is not installed' }, async (t) => {
  const directory = t.testdir();
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(directory, name), text);
  // It looks for the pages that are referred to in the current directory too.
  const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', ...Object.keys(pages)], {
    cwd: directory,
    encoding: 'utf8',
  });
  t.same({ status, stdout }, { status: 0, stdout: '' });
});
