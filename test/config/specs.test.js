import t from 'tap';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { everyOption } from '../../scripts/options-page.js';
import { readSpec } from '../../src/config/check-spec.js';
import { compareSpecs, neededFor } from '../../src/config/compare-specs.js';
import { changeByFlags, fromFlags } from '../../src/config/flags.js';
import { options } from '../../src/config/options/table.js';
import { settingsOf } from '../../src/config/settings-of.js';
import { specWith } from '../support/spec.js';
import { ecosystemDirectory } from './ecosystem-directory.js';

const resolvedFrom = {
  script: '/srv/node_modules/.bin/app',
  args: [],
  nodeArgs: [],
  cwd: '/srv',
  env: { A: '1' },
  binDirectories: [],
  lines: ['node app.js'],
};

t.test('what is complete is read back', async (t) => {
  const spec = specWith({ resolvedFrom, given: { instances: 'scaled' }, modeReason: 'x' });
  t.same(readSpec({ ...spec, quota: 1 }), spec);
});

for (const [part, key] of [
  [{ shellEnv: undefined }, 'shellEnv'],
  [{ shellEnv: { 'A=B': '' } }, 'shellEnv.A=B'],
  [{ shellEnv: { A: 'a\0b' } }, 'shellEnv.A'],
  [{ configFile: 5 }, 'configFile'],
  [{ modeReason: [] }, 'modeReason'],
  [{ onDemand: 'yes' }, 'onDemand'],
  [{ given: null }, 'given'],
  [{ given: { instances: 'constructor' } }, 'given.instances'],
  [{ resolvedFrom: 5 }, 'resolvedFrom'],
  [{ resolvedFrom: { ...resolvedFrom, script: null } }, 'resolvedFrom.script'],
  [{ resolvedFrom: { ...resolvedFrom, args: [1] } }, 'resolvedFrom.args.0'],
  [{ resolvedFrom: { ...resolvedFrom, env: { A: 1 } } }, 'resolvedFrom.env.A'],
])
  t.throws(
    () => readSpec({ ...specWith(), ...part }),
    { message: `${key} is not valid` },
    `${key} ${JSON.stringify(part).slice(0, 60)}`,
  );

const { directory, shellEnv } = ecosystemDirectory(t);
const { spec } = fromFlags({ script: 'app.js' }, { cwd: directory, shellEnv });

t.test('only where a spec came from, and what follows from others, is not compared', async (t) => {
  const compared = new Set(options.map((option) => option.spec));
  const rest = Object.keys(spec).filter((key) => !compared.has(key));
  const origin = ['configFile', 'given', 'modeReason', 'onDemand', 'resolvedFrom', 'shellEnv'];
  t.same(rest.sort(), origin);
  const ofSession = { ...spec.shellEnv, SHELL: 'fish' };
  const other = { ...spec, shellEnv: ofSession, configFile: '/x.yml', given: {} };
  t.same(compareSpecs(spec, other), { needs: 'none', changes: [] });
});

t.test('the largest need of all changes wins', async (t) => {
  const rows = [
    [{ killTimeoutMs: 10_000 }, 'configure', [{ key: 'kill_timeout', from: '5s', to: '10s' }]],
    [{ cronRestart: '@daily' }, 'configure', [{ key: 'cron_restart', from: null, to: '@daily' }]],
    [{ instances: 4 }, 'scale', [{ key: 'instances', from: 1, to: 4 }]],
    [{ args: ['a'] }, 'reload', [{ key: 'args', from: [], to: ['a'] }]],
    [{ execMode: 'fork' }, 'restart', [{ key: 'exec_mode', from: 'cluster', to: 'fork' }]],
    [
      { instances: 4, args: ['a'], killTimeoutMs: 0 },
      'reload',
      [
        { key: 'args', from: [], to: ['a'] },
        { key: 'instances', from: 1, to: 4 },
        { key: 'kill_timeout', from: '5s', to: '0ms' },
      ],
    ],
  ];
  for (const [change, needs, changes] of rows) {
    t.same(compareSpecs(spec, { ...spec, ...change }), { needs, changes });
  }
});

t.test('env by variable, with secrets masked and those of the shell', async (t) => {
  const base = { ...spec, shellEnv: { B: '0', PORT: '1' } };
  const old = { ...base, env: { A: '1', DB_PASSWORD: 'x', OLD_TOKEN: 'y' } };
  const env = { A: '1', B: '2', PORT: '1', DB_PASSWORD: 'z', URL: 'pg://me:pw@db/x' };
  const wanted = { ...base, env };
  t.same(compareSpecs(old, wanted), {
    needs: 'reload',
    changes: [
      { key: 'env.DB_PASSWORD', from: '********', to: '********' },
      { key: 'env.OLD_TOKEN', from: '********', to: null },
      { key: 'env.B', from: '0', to: '2' },
      { key: 'env.URL', from: null, to: '********' },
    ],
  });
});

t.test('what is needed is known even if the other spec is not whole', async (t) => {
  const other = { ...spec, killTimeoutMs: 'x', maxMemoryRestartBytes: undefined };
  t.equal(neededFor(other, { ...spec, maxMemoryRestartBytes: 1024 }), 'configure');
  t.equal(neededFor(spec, spec), 'none');
});

const isRoot = process.getuid?.() === 0;

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
  'script: own/cluster.js',
  'script: own/cluster.js\ninstances: 2\nexec_mode: cluster',
  'script: polled/server.js',
  'script: polled/server.js\nscheduling: fair',
];

t.test('settings yield the spec that they are made from', async (t) => {
  const { resolve, resolveText, write, directory } = ecosystemDirectory(t, {
    'server.js': '',
    'thumbnails.py': '',
    '.env': 'A=1',
    '.env.local': '',
    'run.sh': '',
    plain: '',
    'package.json': '{"scripts": {"serve": "A=1 node -r x app.js --x", "build": "a && b"}}',
    'own/package.json': '{"dependencies": {"throng": "5"}}',
    'own/cluster.js': '',
    'polled/package.json': '{"dependencies": {"socket.io": "4"}}',
    'polled/server.js': '',
  });
  mkdirSync(join(directory, 'current'));
  chmodSync(join(directory, 'run.sh'), 0o755);
  symlinkSync(process.execPath, join(directory, 'node22'));
  const whole = isRoot ? everyOption : everyOption.replace(/^ *[ug]id:.*/gm, '');
  for (const text of [whole, ...rows]) {
    const { specs } = await resolveText(text);
    write('again/x.json', JSON.stringify({ apps: specs.map(settingsOf) }));
    const again = (await resolve('again/x.json')).specs;
    const bare = (spec) => ({ ...spec, configFile: null, given: null });
    t.same(again.map(bare), specs.map(bare), text);
  }
});

t.test('flags change what they name, and nothing else', async (t) => {
  const { resolveText, directory } = ecosystemDirectory(t);
  const text = 'script: app.js\nname: api\nkill_timeout: 3s\nargs: [a]\nenv: {A: 1}\n';
  const [spec] = (await resolveText(text)).specs;
  const change = (flags) => changeByFlags(spec, flags, '/').spec;
  const flags = { instances: '4', max_memory_restart: '300M', env: { B: '2' } };
  t.same(change(flags), {
    ...spec,
    instances: 4,
    maxMemoryRestartBytes: 300 * 1024 ** 2,
    env: { A: '1', B: '2' },
    given: { ...spec.given, instances: 'flag', maxMemoryRestartBytes: 'flag', 'env.B': 'flag' },
  });
  t.same(change({ env: { A: null } }).env, {}, '--set-env A-');
  const given = { ...spec.given, args: 'flag' };
  t.same(change({ args: ['-x'] }), { ...spec, args: ['-x'], given });
  t.match(change({ exec_mode: 'fork' }), { execMode: 'fork', interpreter: 'node' });
  t.equal(change({ cwd: directory }).cwd, directory);
  t.throws(() => change({ instances: '0x' }), { code: 'E_FLAG_INVALID', message: /^--instances/ });
});

t.test('log files are relative to cwd, in directories to be made; disable_logs', async (t) => {
  const { resolveText, directory } = ecosystemDirectory(t);
  const deep = join(directory, 'bin/logs/deep/o.log');
  for (const [settings, files] of [
    ['cwd: bin\nout: logs/deep/o.log\nlog: /dev/null', [deep, null, '/dev/null']],
    ['disable_logs: true\nout_file: o.log', ['/dev/null', '/dev/null', null]],
  ]) {
    const [spec] = (await resolveText(`script: app.js\n${settings}\n`)).specs;
    t.same([spec.outFile, spec.errorFile, spec.logFile], files, settings);
  }
});

t.test('a path that cannot be a log file is rejected with its position', async (t) => {
  const { text } = await ecosystemDirectory(t).refusalOf(
    'script: app.js\nout_file: bin\nerror_file: app.js/e.log\nlog_file: logs/\n',
  );
  t.match(text, /x\.yml:2:11 out_file: expected a file that can be written.*bin is a directory/);
  t.match(text, /x\.yml:3:13 .*app\.js is not a directory/);
  t.match(text, /x\.yml:4:11 .*ends with a slash/);
});

t.test('a pid file must not replace another file', async (t) => {
  const { resolveText, refusalOf, directory } = ecosystemDirectory(t, {
    'app.js': 'serve();\n',
    'old.pid': '4711\n',
  });
  const withPid = (file) => `script: app.js\npid_file: ${file}\n`;
  for (const file of ['run/app.pid', 'old.pid'])
    t.match((await resolveText(withPid(file))).specs, [{ pidFile: join(directory, file) }]);
  for (const [file, fault] of [
    ['app.js', /x\.yml:2:11 pid_file: .*app\.js contains something else/],
    ['/dev/null', 'x.yml:2:11 pid_file'],
    ['.', 'x.yml:2:11 pid_file'],
  ])
    t.match((await refusalOf(withPid(file))).text, fault, file);
});
