import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import t from 'tap';
import { flagsToEntries, fromFlags, settingOptions } from '../../src/config/flags.js';
import { ecosystemDirectory } from './ecosystem-directory.js';

function parse(argv) {
  const command = new Command().exitOverride();
  for (const { flags, summary, repeatable } of settingOptions()) {
    const collect = (one, all = []) => [...all, one];
    if (repeatable) command.option(flags, summary, collect);
    else command.option(flags, summary);
  }
  return command.parse(argv, { from: 'user' }).opts();
}

const { directory, resolveText, shellEnv } = ecosystemDirectory(t);
const madeFrom = (wanted) => fromFlags(wanted, { cwd: directory, shellEnv });

t.test('flags make the same spec as a file', async (t) => {
  const [fromFile] = (
    await resolveText(`
name: api
script: app.js
args: [a b, '', '"']
instances: 2
autorestart: false
wait_ready: true
kill_timeout: 3s
stop_exit_codes: [0, 2]
node_args: [--no-warnings, -r, ./web.js]
ignore_watch: [a, b]
env: {A: '1=2', B: ''}
`)
  ).specs;
  const line =
    '--name api -i 2 --no-autorestart --wait-ready -k 3s --stop-exit-codes 0,2 ' +
    '--ignore-watch a --ignore-watch b --set-env A=1=2 --set-env B=';
  const opts = parse([...line.split(' '), '--node-args', '--no-warnings -r ./web.js']);
  const args = ['a b', '', '"'];
  const { spec, warnings } = madeFrom({ script: 'app.js', args, ...flagsToEntries(opts) });
  t.same(warnings, []);
  t.same({ ...spec, given: null }, { ...fromFile, configFile: null, given: null });
  t.match(spec.given, { killTimeoutMs: 'flag', nodeArgs: 'flag', restartDelayMs: undefined });
  t.match(fromFile.given, { killTimeoutMs: 'file', nodeArgs: 'file', restartDelayMs: undefined });
});

t.test('--node-args=null removes them, as in PM2; no option, no entry', async (t) => {
  t.same(flagsToEntries(parse(['--node-args=null'])).node_args, []);
  t.same(flagsToEntries(parse(['--node-args', '-r null'])).node_args, '-r null');
  t.same(flagsToEntries({ json: true, env: 'production', maxSurge: '2' }), { max_surge: '2' });
});

t.test('a negative number of instances', async (t) => {
  for (const [argv, instances] of [
    [['-i', '-3'], -3],
    [['--instances', '-1'], -1],
    [['-i-9'], -9],
    [['-i', 'max'], 0],
  ]) {
    const flags = flagsToEntries(parse(argv));
    const { spec } = madeFrom({ script: 'app.js', ...flags });
    t.equal(spec.instances, instances, String(argv));
  }
});

t.test('all wrong flags at once, by their names', async (t) => {
  const flags = flagsToEntries({ killTimeout: 'ten', execMode: 'x', json: true });
  t.throws(() => madeFrom({ script: './no.js', ...flags }), {
    code: 'E_FLAG_INVALID',
    exitCode: 2,
    message: [
      '--exec-mode: expected cluster or fork, got "x"',
      '--kill-timeout: expected a duration such as 10s, 1m or 500 (milliseconds), got "ten"',
      `script: expected a file that exists or a command in PATH, got "./no.js" (there is no ${directory}/no.js)`,
    ].join('\n'),
  });
  t.throws(() => madeFrom({ script: './no.js --x' }), {
    code: 'E_CANNOT_RUN',
    exitCode: 4,
    message: /\(\.\/no\.js is neither a file nor a command\)\.$/,
  });
  t.throws(() => flagsToEntries({ setEnv: ['A=1', 'B'] }), {
    code: 'E_FLAG_INVALID',
    message: '--set-env: expected NAME=value, or NAME- to remove it, got "B"',
  });
});

t.test('a symbolic link in PWD stays in the paths', async (t) => {
  const { directory, shellEnv } = ecosystemDirectory(t, { 'releases/1/app.js': '' });
  const current = join(directory, 'current');
  symlinkSync(join(directory, 'releases/1'), current);
  const cwd = join(directory, 'releases/1');
  const startIn = (PWD) =>
    fromFlags({ script: 'app.js' }, { cwd, shellEnv: { ...shellEnv, PWD } }).spec;
  t.match(startIn(current), { cwd: current, script: join(current, 'app.js') });
  t.equal(startIn(directory).cwd, cwd);
});

t.test('every flag has a description and a unique name', async (t) => {
  const names = settingOptions().flatMap(({ flags }) =>
    flags.split(/[ ,]+/).filter((w) => w[0] === '-'),
  );
  t.equal(new Set(names).size, names.length);
  for (const { flags, summary } of settingOptions()) t.match(summary, /^[A-Z][^`]*\.$/, flags);
});

t.test('flags without effect are reported', async (t) => {
  const { warnings } = madeFrom({ script: 'worker.py', scheduling: 'round-robin' });
  t.match(warnings, [/^--scheduling has no effect in fork mode/]);
});
