/** The scripts for shells: bash completes with them here for real. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { commands } from '../../../src/cli/commands.js';
import { commandWith } from '../../cli/fake-context.js';

const BIN = fileURLToPath(new URL('../../../bin/nodecluster.js', import.meta.url));

async function scriptOf(shell) {
  const { printed, run } = await commandWith(`completion ${shell}`);
  await run();
  return printed[0];
}

/** @param apps that are written down in the home */
async function bashIn(t, apps) {
  const home = join(t.testdir(), 'home');
  mkdirSync(home, { mode: 0o700 });
  const desired = { format: 1, apps: apps.map((name) => ({ spec: { name } })) };
  writeFileSync(join(home, 'desired.json'), JSON.stringify(desired));
  const script = await scriptOf('bash');
  /** @param words the last is the one that is being typed */
  return (...words) => {
    const program = `
      nodecluster() { '${process.execPath}' '${BIN}' "$@"; }
      ${script}
      COMP_WORDS=(nodecluster "$@"); COMP_CWORD=$#
      _nodecluster
      printf '%s\n' "\${COMPREPLY[@]}"
      complete -p nodecluster >/dev/null`;
    const env = { PATH: process.env.PATH, NODECLUSTER_HOME: home };
    const args = ['--norc', '-c', program, 'bash', ...words];
    const { status, stdout, stderr } = spawnSync('bash', args, { env, encoding: 'utf8' });
    if (status !== 0 || stderr !== '') throw new Error(`${status}: ${stderr}`);
    return stdout.split('\n').filter(Boolean);
  };
}

t.test('bash completes commands, options and the names of apps', async (t) => {
  const complete = await bashIn(t, ['api', 'api-2', 'web']);
  t.same(complete('resta'), ['restart']);
  t.ok(complete('').includes('metrics'));
  t.same(complete('reload', 'a'), ['api', 'api-2']);
  t.same(complete('reload', '--on'), ['--only', '--on-failure']);
  t.same(complete('del', 'web', '--js'), ['--json']);
  t.same(complete('completion', 'z'), ['zsh']);
  t.same(complete('help', 'resta'), ['restart']);
  t.same(complete('start', 'app.js', '--exec-mode', ''), ['cluster', 'fork']);
  t.same(complete('start', '--exec-mode', '=', 'f', 'app.js'), [], 'what is typed is app.js');
  t.same(complete('start', '--exec-mode', '='), ['cluster', 'fork']);
  t.same(complete('start', '-k', ''), [], 'apps are no value of an option');
  t.same(complete('start', 'app.js', '--', 'a'), [], 'what goes to the program is its own');
});

t.test('every command and every option is known', async (t) => {
  const words = async (...typed) => {
    const { printed, run } = await commandWith(['completion', 'words', '--', ...typed].join(' '));
    await run();
    return (printed[0] ?? '').split('\n').map((line) => line.split('\t')[0]);
  };
  const missing = [];
  const first = await words('');
  for (const { name, aliases, load } of commands) {
    const { command } = await load();
    missing.push(...[name, ...aliases].filter((word) => !first.includes(word)));
    const flags = await words(name, '-');
    const options = command.options.map(({ flags }) => /--[\w-]+/.exec(flags)[0]);
    missing.push(...options.filter((long) => !flags.includes(long)).map((long) => name + long));
  }
  t.same(missing, []);
});

for (const shell of ['bash', 'zsh', 'fish']) {
  t.test(`${shell} accepts the script`, async (t) => {
    const found = spawnSync(shell, ['--version'], { encoding: 'utf8' });
    if (found.status !== 0) return t.skip(`no ${shell} here`);
    const file = join(t.testdir(), 'script');
    writeFileSync(file, await scriptOf(shell));
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    t.same({ status, stderr }, { status: 0, stderr: '' });
  });
}

t.test('another shell', async (t) => {
  const { run } = await commandWith('completion install');
  await t.rejects(run(), {
    code: 'E_USAGE',
    message: /"install" is not one of bash, zsh, fish/,
    hint: /eval "\$\(nodecluster completion bash\)".*~\/\.bashrc/,
  });
});
