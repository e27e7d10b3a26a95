/** What the project may weigh: each number only goes down, so that what grows is paid for elsewhere. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { projectFiles, read, ROOT, withoutComments } from '../support/sources.js';

/** Files that are named. */
const SHOWN = 10;
const files = projectFiles();

const linesIn = (text) => text.split('\n').length - 1;
const wordsIn = (text) => text.split(/\s+/).filter(Boolean).length;

const matching = (what) => files.filter((path) => what.test(path));

/** What a process loads as it starts. */
function loadedFrom(...entries) {
  const found = new Set(entries);
  for (const path of found) {
    const code = withoutComments(read(path));
    const imports = code.matchAll(/(?:(?<![-\w])from\s*|^import\s+|\brequire\()'(\.[^']+)'/gm);
    for (const [, to] of imports) found.add(posix.join(posix.dirname(path), to));
  }
  return [...found];
}

/** @type {[what: string, most: number, paths: string[]][]} lines, of docs words */
const BUDGET = [
  ['src: the kernel', 38_616, matching(/^src\/(?!features|clients)/)],
  ['src: features', 7_283, matching(/^src\/features\//)],
  ['src: clients', 10_259, matching(/^src\/clients\//)],
  ['loaded by the agent', 2_513, loadedFrom('src/agent/main.cjs')],
  ['loaded by a primary', 15_807, loadedFrom('src/primary/main.js')],
  ['loaded by the daemon', 17_746, loadedFrom('src/daemon/main.js')],
  ['loaded by ls', 3_561, loadedFrom('src/cli/main.js', 'src/cli/commands/ls.js')],
  ['loaded by reload', 11_341, loadedFrom('src/cli/main.js', 'src/cli/commands/reload.js')],
  ['test', 46_587, matching(/^test\//)],
  ['bench', 10_750, matching(/^bench\//)],
  ['docs', 47_287, matching(/^docs\/.*\.md$/)],
];

for (const [what, most, paths] of BUDGET) {
  t.test(what, async (t) => {
    const count = what === 'docs' ? wordsIn : linesIn;
    const size = paths.reduce((sum, path) => sum + count(read(path)), 0);
    t.ok(size <= most, `${size} of at most ${most}${size > most ? grownIn(paths) : ''}`);
  });
}

/** @returns which of them have grown most since main */
function grownIn(paths) {
  const args = ['diff', '--numstat', 'main', '--', ...paths];
  const { stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const grown = stdout
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([added, removed, path]) => ({ path, by: Number(added) - Number(removed) }))
    .filter(({ by }) => by > 0)
    .sort((one, other) => other.by - one.by);
  return grown
    .slice(0, SHOWN)
    .map(({ path, by }) => `\n  ${path}: +${by}`)
    .join('');
}
