/** Files that the shell of a command has open reach no process that the command leaves behind. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { BIN, NODE, testHome, watched } from '../../support/home.js';
import { descriptorsOf, processesOf } from '../../support/processes.js';
import { testRun } from '../../support/foreground/run.js';
import { spawnClean } from '../../support/spawn-clean.js';

const skip =
  process.platform === 'linux' ? false : 'only Linux tells which descriptors are inherited';

/** @param secret a file that the shell opens with a high descriptor */
function fromShell({ root, env }, secret, args) {
  const script = 'exec 200<>"$1"; shift; exec "$@"';
  const command = ['-c', script, 'bash', secret, NODE, BIN, ...args];
  return watched(spawnClean('bash', command, { cwd: root, env }), args.join(' '));
}

/** @returns pids of processes of root */
function holdersOf(root, file) {
  return processesOf(root).filter((pid) => {
    try {
      return descriptorsOf(pid).includes(file);
    } catch {
      return false; // It has exited meanwhile.
    }
  });
}

function prepare(root) {
  const [program, secret] = ['program.cjs', 'secret'].map((name) => join(root, name));
  writeFileSync(program, `console.log('It runs.');\nsetInterval(() => {}, 1000);\n`);
  writeFileSync(secret, 'secret');
  return { program, secret };
}

t.test('start, in cluster and in fork mode', { skip }, async (t) => {
  const home = testHome(t);
  const { program: script, secret } = prepare(home.root);
  const file = join(home.root, 'ecosystem.json');
  const apps = ['cluster', 'fork'].map((mode) => ({ name: mode, script, exec_mode: mode }));
  writeFileSync(file, JSON.stringify({ apps }));
  const { code, stderr } = await fromShell(home, secret, ['start', file]).ended;
  t.equal(code, 0, stderr);
  const pids = processesOf(home.root);
  for (const { name } of apps) t.ok(pids.includes((await home.pidsOf(name))[0]));
  t.same(holdersOf(home.root, secret), [], 'no daemon, primary or worker has it');
});

t.test('run', { skip }, async (t) => {
  const { root, env } = testRun(t);
  const { program, secret } = prepare(root);
  const begun = fromShell({ root, env }, secret, ['run', program]);
  await begun.said(/It runs/);
  t.same(holdersOf(root, secret), []);
  begun.child.kill('SIGTERM');
  t.equal((await begun.ended).code, 0);
});
