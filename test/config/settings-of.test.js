import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { settingsOf } from '../../src/config/settings-of.js';
import { changeByFlags } from '../../src/config/flags.js';
import { ecosystemDirectory } from './ecosystem-directory.js';

const isRoot = process.getuid?.() === 0;
const example = readFileSync(new URL('../../ecosystem.example.yml', import.meta.url), 'utf8');
const wholeExample = example
  .replace(/^( *)# ([a-z_]+: .*)$/gm, '$1$2')
  .replace(/^ *[ug]id:.*/gm, (line) => (isRoot ? line : ''));

const rows = [
  'script: app.js\ninstances: max',
  'script: app.js\ninstances: -1',
  'script: app.js\ninstances: {min: 2, max: max, elu: 0.7, cooldown: 90s}',
  'script: app.js\ninstances: 2..-1',
  'script: npm\nargs: [exec, "x y"]',
  'script: run.sh\ninterpreter: none',
  'script: job.sh\nlog_rotate: false\nenv: {A: "1", B: ""}',
  'script: app.js\nexec_mode: fork\nincrement_var: PORT\nenv: {PORT: 3000}',
  'script: plain\ninterpreter: node\nwatch: [a]\nkill_timeout: 1500',
  'script: app.js\ninterpreter: ./node22\nexec_mode: fork',
  'script: nodecluster:serve\nargs: [., "8080"]',
  'script: nodecluster:serve\nexec_mode: fork\nnode_args: [--no-warnings]',
  'script: npm run serve\ninstances: 2',
  'script: npm run build',
  'script: npm run serve\nexec_mode: fork\ninstances: 2',
  'script: cc x.c; ./a.out > log\nargs: [x]',
  'script: own-cluster.js',
  'script: own-cluster.js\ninstances: 2\nexec_mode: cluster',
  'script: serves-long-polling.js',
  'script: serves-long-polling.js\nscheduling: fair',
];

t.test('settings yield the spec that they are made from', async (t) => {
  const { resolve, write, directory } = ecosystemDirectory(t, {
    'server.js': '',
    'thumbnails.py': '',
    '.env': 'A=1',
    '.env.local': '',
    'run.sh': '',
    plain: '',
    'package.json': '{"scripts": {"serve": "A=1 node -r x app.js --x", "build": "a && b"}}',
    'own-cluster.js':
      "require('cluster').fork; const cluster = require('cluster'); cluster.fork();",
    'serves-long-polling.js': "require('socket.io')(3000)",
    'whole.yml': wholeExample,
  });
  mkdirSync(join(directory, 'current'));
  chmodSync(join(directory, 'run.sh'), 0o755);
  symlinkSync(process.execPath, join(directory, 'node22'));
  rows.forEach((row, index) => write(`${index}.yml`, row));
  const files = ['whole.yml', ...rows.map((_, index) => `${index}.yml`)];
  for (const file of files) {
    const { specs } = await resolve(file);
    write('again/x.json', JSON.stringify({ apps: specs.map(settingsOf) }));
    const again = (await resolve('again/x.json')).specs;
    const own = { configFile: null, given: null };
    t.same(
      again.map((spec) => ({ ...spec, ...own })),
      specs.map((spec) => ({ ...spec, ...own })),
      file,
    );
  }
});

t.test('flags change what they name, and nothing else', async (t) => {
  const { resolve, directory } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\nname: api\nkill_timeout: 3s\nargs: [a]\nenv: {A: 1}\n',
  });
  const [spec] = (await resolve('x.yml')).specs;
  const change = (/** @type {object} */ flags) => changeByFlags(spec, flags, '/').spec;
  const flags = { instances: '4', max_memory_restart: '300M', env: { B: '2' } };
  t.same(change(flags), {
    ...spec,
    instances: 4,
    maxMemoryRestartBytes: 300 * 1024 ** 2,
    env: { A: '1', B: '2' },
    given: { ...spec.given, instances: 'flag', maxMemoryRestartBytes: 'flag', 'env.B': 'flag' },
  });
  t.same(change({ env: { A: null } }).env, {}, '--set-env A-');
  const ofShell = () => changeByFlags({ ...spec, shellEnv: { A: '0' } }, { env: { A: null } }, '/');
  t.throws(ofShell, { code: 'E_FLAG_INVALID', message: /^--set-env: A comes from the shell/ });
  t.same(change({ args: ['-x'] }), {
    ...spec,
    args: ['-x'],
    given: { ...spec.given, args: 'flag' },
  });
  t.match(change({ exec_mode: 'fork' }), { execMode: 'fork', interpreter: 'node' });
  t.equal(change({ cwd: directory }).cwd, directory);
  t.throws(() => change({ instances: '0x' }), { code: 'E_FLAG_INVALID', message: /^--instances/ });
});
