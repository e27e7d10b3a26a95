/** The workflows run what exists, and those who check workflows find nothing, if they are installed. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, projectFiles, read } from '../support/sources.js';

const workflows = projectFiles().filter((path) => path.startsWith('.github/workflows/'));
const RELEASE = '.github/workflows/release.yml';

/** By program: how it is called, and what it must find. */
const LINTERS = {
  'check-jsonschema': {
    args: ['--builtin-schema', 'vendor.github-workflows'],
    change: ['runs-on:', 'run-on:'],
    finds: /'run-on'/,
  },
  zizmor: {
    args: ['--offline', '--no-progress'],
    change: [/@[0-9a-f]{40}/, '@v6'],
    finds: /unpinned-uses/,
  },
};

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

t.test('each script that a workflow runs exists', async (t) => {
  const { scripts } = JSON.parse(read('package.json'));
  const text = workflows.map(read).join('\n');
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  const started = [...text.matchAll(/(?:node |CI=true )([\w./-]+)/g)].map(([, path]) => path);
  t.ok(named.length > 5 && started.length > 2, `${named.join(' ')} ${started.join(' ')}`);
  const wrong = named.filter((name) => !(name in scripts));
  t.same(wrong, []);
  const found = started.filter((path) => !projectFiles().includes(path));
  t.same(found, []);
});

for (const [program, { args, change, finds }] of Object.entries(LINTERS)) {
  const isThere = spawnSync(program, ['--version']).status === 0;
  t.test(program, { skip: isThere ? false : `${program} is not installed` }, async (t) => {
    t.match(run(program, [...args, ...workflows]), { status: 0 });
    const [from, to] = change;
    const directory = t.testdir({ 'wrong.yml': read(RELEASE).replace(from, to) });
    const { status, output } = run(program, [...args, join(directory, 'wrong.yml')]);
    t.not(status, 0, 'it finds a fault');
    t.match(output, finds);
  });
}
