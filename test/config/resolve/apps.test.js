import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { completeSpec } from '../../../src/config/options/table.js';
import { ecosystemDirectory } from '../ecosystem-directory.js';

t.test('a script alone gets every default', async (t) => {
  const { resolve, directory, shellEnv } = ecosystemDirectory(t, { 'x.yml': 'script: ./app.js\n' });
  const { specs, warnings } = await resolve('x.yml');
  t.same(warnings, []);
  const own = { name: 'app', script: join(directory, 'app.js'), cwd: directory, shellEnv };
  const { execMode } = specs[0];
  t.equal(execMode, 'cluster');
  const given = { script: 'file' };
  t.same(specs, [completeSpec({ ...own, execMode, configFile: join(directory, 'x.yml'), given })]);
  t.ok(Object.isFrozen(specs[0]) && Object.isFrozen(specs[0].env));
  t.same(JSON.parse(JSON.stringify(specs)), specs);
});

const FILES = {
  'x-a: &a {LOG: 1}\n$schema: ./s.json\nscript: app.js\nenv: {<<: *a, B: 2}\n': [
    { name: 'app', env: { LOG: '1', B: '2' } },
  ],
  '{"$schema": "./s.json", "x-a": 1, "script": "app.js"}': [{ name: 'app' }],
  'x-a: &a {LOG: 1}\napps:\n  - script: app.js\n    env: {<<: *a, B: 2}\n': [
    { name: 'app', env: { LOG: '1', B: '2' } },
  ],
  'apps:\n  script: app.js\n': [{ name: 'app' }],
  '- script: app.js\n- script: web.js\n': [{ name: 'app' }, { name: 'web' }],
  '{"pm2": [{"script": "app.js"}], "$schema": "x"}': [{ name: 'app' }],
};

t.test('a list, a single app, a bare list, with x- keys', async (t) => {
  const { resolve, write } = ecosystemDirectory(t);
  for (const [text, specs] of Object.entries(FILES)) {
    write('x.yml', text);
    t.match((await resolve('x.yml')).specs, specs, text);
  }
});

t.test('apps without names that would have the same one', async (t) => {
  const scripts = ['api/index.js', 'web/index.js', 'api/job.js', 'web/job.js'];
  const { resolve, refusal } = ecosystemDirectory(t, {
    ...Object.fromEntries(scripts.map((script) => [script, ''])),
    'two.yml': 'apps: [{script: api/index.js}, {script: web/index.js}]\n',
    'own.yml': 'apps: [{script: app.js}, {script: web/index.js}]\n',
    'stems.yml': 'apps: [{script: api/job.js}, {script: web/job.js}]\n',
    'same.yml': 'apps: [{script: app.js}, {script: app.js, args: b}]\n',
    'written.yml': 'apps: [{script: app.js}, {script: web.js, name: app}]\n',
    'taken.yml': 'apps: [{script: api/index.js}, {script: web/index.js}, {script: web.js}]\n',
    'depends.yml': 'apps: [{script: api/index.js, depends_on: [web]}, {script: web/index.js}]\n',
    'env.yml':
      'apps: [{script: api/index.js, append_env_to_name: true, env_x: {}}, {script: web/index.js, append_env_to_name: true}]\n',
    'twice.yml': 'apps: [{script: app.js, name: a}, {script: web.js, name: a}]\n',
  });
  const namesIn = async (file, options = {}) =>
    (await resolve(file, options)).specs.map(({ name }) => name);
  t.same(await namesIn('two.yml'), ['api', 'web']);
  t.same(await namesIn('own.yml'), ['app', 'web']);
  t.same(await namesIn('stems.yml'), ['api-job', 'web-job']);
  t.same(await namesIn('same.yml'), ['app', 'app-2']);
  t.same(await namesIn('written.yml'), ['app-2', 'app']);
  t.same(await namesIn('taken.yml'), ['api', 'web-2', 'web']);
  t.same(await namesIn('env.yml', { envName: 'x' }), ['api-x', 'web-x']);
  t.same(await namesIn('two.yml', { only: ['web'] }), ['web']);
  const [dependent] = (await resolve('depends.yml')).specs;
  t.same(Object.keys(dependent.dependsOn), ['web']);
  t.match((await refusal('twice.yml')).text, /the name "a" is already used by apps\[0\]/);
});

const FAULTS = {
  'x-a: 1\nscript: app.js\nenw: {}\n': /an error:\n {2}x\.yml:3:1 enw: .*did you mean env/,
  'apps:\n  - {script: app.js, x-a: 1}\n  - {script: app.js, name: b, $schema: s}\n':
    /2 errors:\n.* unknown key "x-a"\n.* unknown key "\$schema"/,
  'script: app.js\nenv_form:\n  - {file: db, as: DB}\n':
    'x.yml:2:1 env_form: unknown key "env_form"; did you mean env_from?',
  'script: app.js\nenv_production: [1]\n': 'expected a map of variables, got a list',
  'app:\n  - script: app.js\n': 'x.yml:1:1 app: unknown key "app"; did you mean apps?',
  'apps: []\n': 'x.yml:1:7 apps: expected a list of apps, got an empty list',
  'hello\n': 'x.yml:1:1: expected a list of apps, got "hello"',
  'name: api\n': 'x.yml:1:1 script: expected the path of a program, got nothing',
  'apps:\n  - script: app.js\ndeply: {}\n':
    'x.yml:3:1 deply: unknown key "deply"; did you mean deploy?',
  'script: app.js\ninstances: 5000\n': '5000 is more than 1000',
  'script: app.js\nport: 99999\n':
    'x.yml:2:7 port: expected a whole number (0 to 65535), got 99999',
  'script: app.js\nmerge_logs: true\ncombine_logs: false\n':
    'x.yml:3:1 combine_logs: merge_logs is set twice',
  'script: app.js\nincrement_var: PORT\n': 'got "PORT" (it is not set)',
  'script: app.js\nincrement_var: PORT\nenv: {PORT: http}\n': 'got "PORT" (it is "http")',
  'script: app.js\nenv_file: [.env, .env.local]\n': 'x.yml:2:11 env_file: there is no HERE/.env.l',
  'script: app.js\nenv:\n  A:\n  "B=C": 1\n':
    'x.yml:4:3 env.B=C: expected a name without "=", got "B=C"',
  'script: app.js\ncwd: app.js\n':
    'x.yml:2:6 cwd: expected a directory that exists, got "app.js" (HERE/app.js)',
  'script: app.js\ncwd: /nosuch\n': /got "\/nosuch"$/,
};

t.test('what is wrong in a file', async (t) => {
  const { refusal, write } = ecosystemDirectory(t, { '.env': '' });
  for (const [text, fault] of Object.entries(FAULTS)) {
    write('x.yml', text);
    t.match((await refusal('x.yml')).text, fault, text);
  }
});

t.test('camelCase, dashes and the aliases of PM2', async (t) => {
  const { resolve } = ecosystemDirectory(t, {
    'x.yml': `
cmd: worker.py
killTimeout: 2s
ignore-watch: [tmp]
exec_interpreter: python3
interpreterArgs: -u -O
cron: '@daily'
user:
`,
  });
  t.match((await resolve('x.yml')).specs, [
    {
      script: /worker.py$/,
      killTimeoutMs: 2000,
      ignoreWatch: ['tmp'],
      interpreter: 'python3',
      nodeArgs: ['-u', '-O'],
      cronRestart: '@daily',
      uid: null,
    },
  ]);
});

t.test('keys that only PM2 has are named once, with the closest equivalent', async (t) => {
  const { resolve } = ecosystemDirectory(t, {
    'x.yml': `
apps:
  - script: app.js
    filter_env: [A]
    trace: true
  - script: web.js
    name_prefix: a
    namePrefix: a
static: []
`,
  });
  const { warnings } = await resolve('x.yml');
  t.matchSnapshot(warnings.join('\n'), 'warning');
  const chosen = await resolve('x.yml', { only: ['web'] });
  t.notMatch(chosen.warnings.join(), 'trace', 'of the chosen apps only');
});

t.test('keys of PM2 that change nothing are accepted in silence', async (t) => {
  const { resolve, write } = ecosystemDirectory(t, {
    'x.yml': `
script: app.js
merge_logs: true
combine_logs: true
error_file: 'NULL'
err_file: 'NULL'
out_file: 'NULL'
vizion: false
pmx: false
automation: false
autostart: true
disable_logs: false
trace: false
deep_monitoring: false
windowsHide: true
username: deploy
watch_options: {}
post_update: []
filter_env: false
source_map_support:
`,
  });
  const { specs, warnings } = await resolve('x.yml');
  t.same(warnings, []);
  t.match(specs, [{ outFile: '/dev/null', errorFile: '/dev/null', mergeLogs: true }]);
  for (const line of ['autostart: false', 'filter_env: true']) {
    write('z.yml', `script: app.js\n${line}\n`);
    t.match(
      (await resolve('z.yml')).warnings,
      [/^z\.yml:2:1 \w+: ignored, because only PM2 knows/],
      line,
    );
  }
});

t.test('append_env_to_name', async (t) => {
  const app = '{script: app.js, append_env_to_name: true, env_production: {A: 1}}';
  const { resolve } = ecosystemDirectory(t, { 'x.yml': `- ${app}\n- script: web.js\n` });
  const names = async (options) => (await resolve('x.yml', options)).specs.map(({ name }) => name);
  t.same(await names({}), ['app', 'web']);
  t.same(await names({ envName: 'production' }), ['app-production', 'web']);
  for (const name of ['app', 'app-production']) {
    t.same(await names({ envName: 'production', only: [name] }), ['app-production'], name);
  }
});

t.test('TypeScript where Node does not run it by itself', async (t) => {
  const { resolve, refusal, write, directory } = ecosystemDirectory(t, {
    'a.ts': '',
    'bin/node18': '',
    'with/a.ts': '',
    'with/node_modules/tsx/package.json': '{}',
  });
  write('x.yml', 'script: a.ts\n');
  if (process.features.typescript) {
    return t.same((await resolve('x.yml')).warnings, []);
  }
  const { text } = await refusal('x.yml');
  t.match(
    text,
    /^ {2}x\.yml:1:9 script: expected a program that can run here, got "a\.ts" \(Node /m,
  );
  t.match(text, /not run TypeScript by itself: run `npm install tsx`, compile the program, or use/);
  for (const mode of ['cluster', 'fork']) {
    write('x.yml', `script: a.ts\ncwd: with\nexec_mode: ${mode}\n`);
    const { specs, warnings } = await resolve('x.yml');
    t.match(specs, [{ nodeArgs: ['--import', 'tsx'] }], mode);
    t.match(warnings, [/runs with --import tsx, because .* does not run TypeScript by itself$/]);
  }
  chmodSync(join(directory, 'bin/node18'), 0o755);
  for (const settings of [
    'interpreter: bin/node18',
    'interpreter: bin/npm',
    'node_args: -r ts-node/register',
    'node_args: [--import, tsx]',
    'env: {NODE_OPTIONS: --experimental-strip-types}',
  ]) {
    write('x.yml', `script: a.ts\n${settings}\n`);
    t.same((await resolve('x.yml')).warnings, [], settings);
  }
  write('x.yml', 'script: a.ts\n');
  t.same((await resolve('x.yml', { runsElsewhere: true })).warnings, [], 'another Node runs it');
  const start = 'NODE_OPTIONS="--import ./hooks.mjs" node a.ts';
  write('package.json', JSON.stringify({ scripts: { start } }));
  write('x.yml', 'script: npm start\n');
  t.match((await resolve('x.yml')).specs, [{ script: /a\.ts$/, nodeArgs: [] }], start);
});

t.test('the interpreter by extension, and what it means for exec_mode', async (t) => {
  const { resolve, write, directory } = ecosystemDirectory(t, { 'x.rb': '', 'x.php': '' });
  const programs = {
    'script: app.js': ['cluster', null],
    'script: app.js\nexec_mode: fork': ['fork', 'node'],
    'script: app.js\ninterpreter: node': ['cluster', null],
    'script: app.js\ninterpreter: ./bin/node22': ['cluster', join(directory, 'bin/node22')],
    'script: worker.py': ['fork', 'python3'],
    'script: job.sh\nexec_mode: fork_mode': ['fork', 'bash'],
    'script: x.rb': ['fork', 'ruby'],
    'script: x.php': ['fork', 'php'],
    'script: ./bin/npm': ['fork', null],
    'script: npm\nargs: run start -w a': ['fork', null],
    'script: app.js\ninterpreter: ./bin/php': ['fork', join(directory, 'bin/php')],
    'script: bin/bash\ninterpreter: none': ['fork', null],
  };
  symlinkSync(join(directory, 'bin/npm'), join(directory, 'bin/node22'));
  for (const [text, [execMode, interpreter]] of Object.entries(programs)) {
    write('x.yml', text);
    t.match((await resolve('x.yml')).specs[0], { execMode, interpreter }, text);
  }
});

t.test('programs that cannot run as requested', async (t) => {
  const { refusal, write } = ecosystemDirectory(t, { 'x.pl': '', 'x.jar': '' });
  const positions = {
    'script: worker.py\nexec_mode: cluster': '2:12 exec_mode',
    'script: bin/npm\nexec_mode: cluster': '2:12 exec_mode',
    'script: x.pl': '1:9 script',
    'script: x.jar': '1:9 script',
    'script: x.jar\ninterpreter: java': '2:14 interpreter',
    'script: npm start && npm stop\nexec_mode: cluster': '2:12 exec_mode',
    'script: nothing --x': '1:9 script',
    'script: bin': '1:9 script',
  };
  for (const [text, position] of Object.entries(positions)) {
    write('x.yml', text);
    const message = (await refusal('x.yml')).text;
    t.ok(message.includes(`x.yml:${position}: `), text);
    t.matchSnapshot(message, text);
  }
});

t.test('script: a directory is the file that Node runs there', async (t) => {
  const { resolve, write, directory } = ecosystemDirectory(t, {
    'src/index.js': '',
    'pkg/package.json': '{"main": "lib/start"}',
    'pkg/lib/start.js': '',
  });
  for (const [script, file] of [
    ['src', 'src/index.js'],
    ['./pkg', 'pkg/lib/start.js'],
  ]) {
    write('x.yml', `script: ${script}`);
    t.match((await resolve('x.yml')).specs, [{ script: join(directory, file) }]);
  }
});

t.test('script: looked up in cwd, then in the directory of the file; links stay', async (t) => {
  const { resolve, write, directory } = ecosystemDirectory(t, { 'releases/1/app.js': '' });
  symlinkSync(join(directory, 'releases/1'), join(directory, 'current'));
  write('x.yml', 'apps:\n  - {script: app.js, cwd: current}\n  - {script: web.js, cwd: current}\n');
  t.match((await resolve('x.yml')).specs, [
    { script: join(directory, 'current/app.js'), cwd: join(directory, 'current') },
    { script: join(directory, 'web.js'), cwd: join(directory, 'current') },
  ]);
});

t.test('the environment: env_file, then env, then env_<name>', async (t) => {
  const { resolve, refusal, write } = ecosystemDirectory(t, {
    '.env': 'A=file\nB=file\nC="a b"\n# no\n',
    'x.yml': `
script: app.js
env_file: .env
env: {B: env, D: 1.10, E: true, F: 007, G: {a: [1]}, H: ''}
env_staging: {D: 2}
env_production: {D: 3}
`,
  });
  const base = {
    A: 'file',
    B: 'env',
    C: 'a b',
    D: '1.10',
    E: 'true',
    F: '007',
    G: '{"a":[1]}',
    H: '',
  };
  t.same((await resolve('x.yml')).specs[0].env, base);
  t.same((await resolve('x.yml', { envName: 'production' })).specs[0].env, { ...base, D: '3' });
  t.same(await refusal('x.yml', { envName: 'prod' }), {
    code: 'E_CONFIG_ENV_UNKNOWN',
    exit: 4,
    text: '--env prod needs env_prod, and no app in x.yml has one; did you mean env_staging or env_production?',
  });
  write('w.yml', '- {script: app.js, env: {A: 1}}\n- script: web.js\n');
  const { specs, warnings } = await resolve('w.yml', { envName: 'production', only: ['app'] });
  t.match(specs, [{ env: { A: '1' } }]);
  t.same(warnings, ['--env production sets nothing: no app in w.yml has env_production']);
  const why = 'Node itself sets NODE_CHANNEL_FD, to reach its workers';
  const rows = [
    ['env: {NODE_CHANNEL_FD: 3}', `r.yml:2:7 env.NODE_CHANNEL_FD: ${why}`],
    ['env_production: {NODE_CHANNEL_FD: 3}', why],
    ['env_from: [{file: a, as: NODE_CHANNEL_FD}]', `r.yml:2:26 env_from[0].as: ${why}`],
    ['instance_var: NODE_CHANNEL_FD', `r.yml:2:15 instance_var: ${why}`],
    ['env_file: reserved.env', `r.yml:2:11 env_file: HERE/reserved.env: ${why}`],
  ];
  write('reserved.env', 'A=1\nNODE_CHANNEL_FD=3\n');
  for (const [line, text] of rows) {
    write('r.yml', `script: app.js\n${line}\n`);
    t.match((await refusal('r.yml', { envName: null })).text, text, line);
  }
});

t.test('a path in watch that does not exist is accepted, with a warning', async (t) => {
  const { resolve } = ecosystemDirectory(t, { 'x.yml': 'script: app.js\nwatch: [bin, srv]\n' });
  t.match((await resolve('x.yml')).warnings, [/^x\.yml:2:1 watch: there is no .*\/srv yet$/]);
});

t.test('${NAME} in env is not expanded, which a warning says', async (t) => {
  const { resolve } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\nenv: {A: "${HOME}", B: "a ${HOME}", C: $HOME}\n',
  });
  const { specs, warnings } = await resolve('x.yml');
  t.match(specs, [{ env: { A: '${HOME}' } }]);
  t.match(warnings, [/^x\.yml:2:7 env\.A: \$\{HOME\} is not expanded$/]);
  t.equal(warnings.length, 1);
});

t.test('port is the PORT of env, which overrides it', async (t) => {
  const { resolve, write } = ecosystemDirectory(t, { '.env': 'PORT=1\n' });
  const rows = [
    ['port: 3000', '3000'],
    ['port: "3000"\nenv: {PORT: 3000}', '3000'],
    ['port: 3000\nenv_file: .env', '3000'],
    ['port: 3000\nenv_production: {PORT: 80}', '80'],
    ['port: 3000\nenv: {PORT: 4000}\nenv_production: {PORT: 80}', '80'],
    ['port: 3000\nenv: {PORT: 4000}', '4000', /^x\.yml:2:1 port: env sets PORT to 4000.*not 3000/],
  ];
  for (const [lines, PORT, ...expected] of rows) {
    write('x.yml', `script: app.js\n${lines}\nincrement_var: PORT\n`);
    const { specs, warnings } = await resolve('x.yml', {
      envName: String(lines).includes('env_production') ? 'production' : null,
    });
    t.match([specs[0].env, warnings], [{ PORT }, expected], lines);
    t.equal(warnings.length, expected.length, lines);
  }
});

t.test('an env file as people write it, the same on every Node', async (t) => {
  const lines = [
    '\ufeff# made by hand',
    'export   A=1',
    "export B='single $C'",
    '\tC="two\nlines"  # comment',
    '  # no = here',
    '',
    'D=`back "tick"`',
    'E="tab\\n"',
    "F={'a': 1}",
    'G=',
    'H=a=b#c',
    'A=last',
  ];
  const { resolve } = ecosystemDirectory(t, {
    '.env': lines.join('\r\n'),
    'x.yml': 'script: app.js\nenv_file: .env\n',
  });
  t.same((await resolve('x.yml')).specs[0].env, {
    A: 'last',
    B: 'single $C',
    C: 'two\nlines',
    D: 'back "tick"',
    E: 'tab\n',
    F: "{'a': 1}",
    G: '',
    H: 'a=b',
  });
});

t.test('a wrong line of an env file is named, and nothing of its content', async (t) => {
  const { refusal, write } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\nenv_file: z.env\n',
  });
  const rows = [
    ['A=1\n\nFOO bar', '3: expected NAME=value'],
    ['FOO bar\n=3\nexport X=1', '1: expected NAME=value'],
    ['A="1\n2"\n\n # b\n=3\nexport X=1', '5: expected NAME=value'],
    ['export A', '1: expected NAME=value'],
    ['A=1\nB=\0', '2: expected NAME=value'],
    ['A\0=1', '1: expected NAME=value'],
    ['FOO bar=1', '1: expected NAME=value'],
    ['A=1\r\nB= "unclosed\r\nC=2', '2: the quote is not closed'],
    [`A="it's`, '1: the quote is not closed'],
  ];
  for (const [text, fault] of rows) {
    write('z.env', text);
    t.match((await refusal('x.yml')).text, `env_file: HERE/z.env:${fault}`, text);
  }
});

t.test('a variable has the text of the file, also through aliases and merges', async (t) => {
  const exact = { VERSION: '1.10', ID: '1234567890123456789', ZIP: '00501', SHA: '12e4567' };
  const anchors = `
x-version: &version 1.10
x-common: &common {VERSION: *version, ID: 1234567890123456789, ZIP: 00501, SHA: 12e4567}
x-nested: &nested {<<: *common, ID: 7.0}
x-other: &other {VERSION: 2.0, EXTRA: 3.0}
apps:
  - script: app.js
    env: `;
  const rows = [
    ['{<<: *common}', exact],
    ['*common', exact],
    ['*nested', { ...exact, ID: '7.0' }],
    ['{<<: *nested, ZIP: 0x10}', { ...exact, ID: '7.0', ZIP: '0x10' }],
    ['{<<: [*common, *other]}', { ...exact, EXTRA: '3.0' }],
    [
      '{<<: [*other, {A: 4.0}, *nested]}',
      { ...exact, VERSION: '2.0', EXTRA: '3.0', A: '4.0', ID: '7.0' },
    ],
    ['{<<: *other, VERSION: *version}', { VERSION: '1.10', EXTRA: '3.0' }],
    ['{A: 5.0, <<: {A: 6.0, B: 8.0}}', { A: '5.0', B: '8.0' }],
    ['{"<<": 9.0, <<: *other}', { '<<': '9.0', VERSION: '2.0', EXTRA: '3.0' }],
  ];
  const { resolve, write } = ecosystemDirectory(t);
  for (const [env, expected] of rows) {
    write('x.yml', anchors + env);
    t.same((await resolve('x.yml')).specs[0].env, expected, env);
  }
  write('y.yml', 'x-app: &app {script: app.js, env: {A: 1.10}}\napps:\n  - <<: *app\n');
  t.same((await resolve('y.yml')).specs[0].env, { A: '1.10' }, 'env itself is merged');
  write(
    'x.json',
    '{"script": "app.js", "env": {"A": 1.10, "B": 1234567890123456789, "C": "x", "D": true}}',
  );
  t.same((await resolve('x.json')).specs[0].env, {
    A: '1.10',
    B: '1234567890123456789',
    C: 'x',
    D: 'true',
  });
});

t.test('--only selects apps, and errors in the others do not matter', async (t) => {
  const { resolve, refusal, write } = ecosystemDirectory(t, {
    'x.yml': '- {script: app.js, env_a: {X: 1}}\n- script: web.js\n- {script: app.js, name: b}\n',
    'y.yml': '- script: app.js\n- script: nothing.js\n',
  });
  const names = ({ specs }) => specs.map(({ name }) => name);
  t.same(names(await resolve('x.yml', { only: ['b', 'app'] })), ['app', 'b']);
  t.same(names(await resolve('x.yml', { only: null })), ['app', 'web', 'b']);
  t.same(names(await resolve('x.yml', { only: [] })), [], 'an empty list is nothing');
  t.same(names(await resolve('x.yml', { only: [], envName: 'a' })), []);
  t.same(await refusal('x.yml', { only: ['web', 'api'] }), {
    code: 'E_CONFIG_APP_UNKNOWN',
    exit: 4,
    text: 'x.yml has no app named api. Its apps are: app, web, b.',
  });
  t.same(names(await resolve('x.yml', { only: ['web'], envName: 'a' })), ['web']);
  t.match(await refusal('x.yml', { only: ['app'], envName: 'b' }), {
    code: 'E_CONFIG_ENV_UNKNOWN',
  });
  t.same(names(await resolve('y.yml', { only: ['app'] })), ['app']);
  t.match(await refusal('y.yml', { only: ['x'] }), { code: 'E_CONFIG_APP_UNKNOWN' });
  write('z.yml', '- script: app.js\n- {env: {A: 1}}\n');
  t.match(await refusal('z.yml', { only: ['nameless'] }), { code: 'E_CONFIG_INVALID' });
  write(
    'z.yml',
    '- script: app.js\n- {script: web.js, name: web}\n- {script: app.js, name: web}\n',
  );
  t.equal((await resolve('z.yml', { only: ['app'] })).specs.length, 1, 'the same name twice');
  t.match(await refusal('z.yml', { only: ['web'] }), { code: 'E_CONFIG_INVALID' });
});

t.test('increment_var may start from a number of the shell', async (t) => {
  const { resolve, shellEnv } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\nincrement_var: PORT\n',
  });
  const { specs } = await resolve('x.yml', { shellEnv: { ...shellEnv, PORT: '3000' } });
  t.equal(specs[0].incrementVar, 'PORT');
});

t.test(
  'a program whose clients may use long-polling is sticky, unless the user chooses',
  async (t) => {
    const rows = [
      ['socket.io', 'socket.io', '', 'sticky'],
      ['NestJS', '@nestjs/platform-socket.io', '', 'sticky'],
      ['only a client', 'socket.io-client', '', 'fair'],
      ['the user chose', 'socket.io', 'scheduling: fair\n', 'fair'],
      ['each has its port', 'socket.io', 'increment_var: PORT\nenv: {PORT: 1}\n', 'fair'],
    ];
    const { resolve, write } = ecosystemDirectory(t, {
      'dist/app.mjs': '',
      'dist/package.json': '{"type": "module"}',
      'node_modules/web/app.mjs': '',
    });
    for (const [name, dependency, settings, scheduling] of rows) {
      write('package.json', JSON.stringify({ dependencies: { [dependency]: '1' } }));
      write('x.yml', `script: ./dist/app.mjs\ninstances: 2\n${settings}`);
      const { specs, warnings } = await resolve('x.yml');
      t.equal(specs[0].scheduling, scheduling, name);
      const said =
        scheduling === 'sticky' ? [/^x.yml:1:1 script: uses \S+, so scheduling is sticky: /] : [];
      t.match(warnings, said, name);
      t.equal(warnings.length, said.length, name);
    }
    write('package.json', '{"dependencies": {"socket.io": "4"}}');
    write('x.yml', 'script: ./dist/app.mjs\n');
    const { specs, warnings } = await resolve('x.yml');
    t.equal(specs[0].scheduling, 'sticky', 'one worker, which may become several');
    t.same(warnings, []);
    write('x.yml', 'script: ./node_modules/web/app.mjs\n');
    t.match((await resolve('x.yml')).specs, [{ scheduling: 'fair' }], 'a program of a package');
  },
);

t.test('options without effect are reported', async (t) => {
  const { resolve } = ecosystemDirectory(t, {
    'x.yml': 'script: npm\nscheduling: round-robin\nhang_timeout: 30s\nnode_args: [-x]\n',
  });
  const { warnings } = await resolve('x.yml');
  t.match(warnings, [
    /^x\.yml:1:1 script: runs in fork mode: what npm runs is not known/,
    /^x\.yml:2:1 scheduling: has no effect/,
    /^x\.yml:3:1 hang_timeout: has no effect/,
    /^x\.yml:4:1 node_args: has no effect/,
  ]);
  t.matchSnapshot(warnings.join('\n'), 'warnings');
});

t.test('with another user, the default group is that of the user', async (t) => {
  const { getuid } = process;
  t.teardown(() => (process.getuid = getuid));
  process.getuid = () => 0;
  const { username } = os.userInfo();
  const { resolve } = ecosystemDirectory(t, {
    'own.yml': `script: app.js\nuid: ${username}\n`,
    'x.yml': `script: app.js\nuid: nobody\n`,
    'y.yml': 'script: app.js\nuid: nobody\ngid: 7\n',
    'z.yml': 'script: app.js\nuid: 2000000000\n',
  });
  const groupOf = (user) => Number(execFileSync('id', ['-g', user]));
  t.match((await resolve('own.yml')).specs, [{ gid: groupOf(username) }]);
  t.match((await resolve('x.yml')).specs, [{ gid: groupOf('nobody') }]);
  t.match((await resolve('y.yml')).specs, [{ gid: 7 }]);
  await t.rejects(resolve('z.yml'), {
    code: 'E_CONFIG_INVALID',
    message: /a user of this machine/,
  });
});

t.test('only root may set another account', async (t) => {
  const { resolve, refusal } = ecosystemDirectory(t, {
    'own.yml': `script: app.js\nuid: ${process.getuid?.()}\ngid: ${process.getgid?.()}\n`,
    'other.yml': 'script: app.js\nuid: 4242\n',
  });
  t.match((await resolve('own.yml')).specs, [{ uid: process.getuid?.(), gid: process.getgid?.() }]);
  t.teardown(() => (process.getuid = getuid));
  const { getuid } = process;
  process.getuid = () => 1000;
  t.match(
    (await refusal('other.yml')).text,
    'other.yml:2:6 uid: expected your own account, got 4242 (you are not root)',
  );
});

t.test('names made from scripts', async (t) => {
  const rows = [
    ['my app.prod.js', 'my-app.prod'],
    ['7.js', 'app-7'],
    ['all.js', 'app-all'],
    ['商店.js', 'app'],
    ['npm', 'app'],
    ['bare/商店.js', 'bare'],
    ['bare/src/server.js', 'bare'],
    ['bare/main.py', 'bare'],
    ['scoped/lib/index.js', 'shop'],
    ['nameless/app.js', 'nameless'],
    ['nameless/worker.js', 'worker'],
    ['broken/app.js', 'broken'],
    ['scoped/.output/server/index.mjs', 'shop'],
    ['scoped/dist/index.js', 'shop'],
    ['bare/.next/standalone/server.js', 'bare'],
    ['build/own/server.js', 'own'],
  ];
  const scripts = rows.map(([script]) => [script, '']).filter(([script]) => script !== 'npm');
  const { resolve, write } = ecosystemDirectory(t, {
    ...Object.fromEntries(scripts),
    'package.json': 'null',
    'scoped/package.json': '{"name": "@acme/shop"}',
    'nameless/package.json': '{"private": true}',
    'broken/package.json': '{',
    'scoped/.output/server/package.json': '{"name": "traced-node-modules"}',
    'scoped/dist/package.json': '{"type": "module"}',
    'bare/.next/standalone/package.json': '{"name": "standalone"}',
    'build/own/package.json': '{"name": "own"}',
  });
  for (const [script, name] of rows) {
    if (!script.includes('/')) write('package.json', '{"name": "app"}');
    else write('package.json', 'null');
    write('x.yml', JSON.stringify({ script }));
    t.equal((await resolve('x.yml')).specs[0].name, name, script);
  }
});

t.test('depends_on names apps of the same file', async (t) => {
  const app = (name, ...lines) => [`  - name: ${name}`, '    script: ./app.js', ...lines];
  const file = (...apps) => ['apps:', ...apps.flat(), ''].join('\n');
  const { resolve } = ecosystemDirectory(t, {
    'good.yml': file(
      app('web', '    depends_on: [db, cache]'),
      app('cache', '    dependsOn: db'),
      app('db', '    append_env_to_name: true', '    env_staging: {A: 1}'),
    ),
    'bad.yml': file(
      app('web', '    depends_on: [dbs, cache]'),
      app('cache', '    depends_on: db'),
      app('db', '    depends_on:', '      - web'),
      app('self', '    depends_on: self'),
    ),
  });
  const { specs } = await resolve('good.yml', { envName: 'staging' });
  t.same(
    specs.map(({ name, dependsOn }) => [name, dependsOn]),
    [
      ['web', { 'db-staging': 'ready', cache: 'ready' }],
      ['cache', { 'db-staging': 'ready' }],
      ['db-staging', {}],
    ],
  );
  const error = await resolve('bad.yml').catch((thrown) => thrown);
  t.matchSnapshot(error.message, 'each error with its position');
});

t.test('depends_on with conditions', async (t) => {
  const { resolve } = ecosystemDirectory(t, {
    'good.yml': JSON.stringify({
      apps: [
        { name: 'web', script: './app.js', depends_on: { db: 'started', migrate: 'exited' } },
        { name: 'db', script: './app.js' },
        { name: 'migrate', script: './app.js', autorestart: false },
      ],
    }),
    'bad.yml': [
      'apps:',
      '  - name: web',
      '    script: ./app.js',
      '    depends_on:',
      '      dbs: ready',
      '      db: healthy',
      '      migrate: exited',
      '  - name: migrate',
      '    script: ./app.js',
      '    depends_on:',
      '      web: started',
      '  - name: db',
      '    script: ./app.js',
      '    depends_on: 7',
      '',
    ].join('\n'),
  });
  const { specs } = await resolve('good.yml');
  t.same(specs[0].dependsOn, { db: 'started', migrate: 'exited' });
  const error = await resolve('bad.yml').catch((thrown) => thrown);
  t.matchSnapshot(error.message, 'each error with its position');
});

t.test('several instances of a command that cannot be a cluster are refused', async (t) => {
  const { resolve, refusal, write } = ecosystemDirectory(t, {
    'package.json': '{"name": "shop", "scripts": {"start": "build && node app.js"}}',
  });
  for (const instances of ['2', 'max']) {
    write('x.yml', `script: npm start\ninstances: ${instances}\n`);
    const { code, text } = await refusal('x.yml');
    t.equal(code, 'E_CONFIG_INVALID');
    t.match(text, /x\.yml:2:12 instances: must be 1, because the script "start" .* needs a shell/);
  }
  const env = 'increment_var: PORT\nenv: {PORT: 3000}\n';
  for (const line of ['exec_mode: fork\n', env, 'interpreter: none\n']) {
    write('x.yml', `script: npm start\ninstances: 2\n${line}`);
    t.match(
      (await resolve('x.yml')).specs,
      [{ script: 'npm', execMode: 'fork', name: 'shop' }],
      line,
    );
  }
  write('x.yml', 'script: npm start\nexec_mode: cluster\n');
  t.match((await refusal('x.yml')).text, /exec_mode: expected fork.*needs a shell/);
});

t.test('variables of the shell that an app of another user does not get are named', async (t) => {
  const { getuid } = process;
  t.teardown(() => (process.getuid = getuid));
  process.getuid = () => 0;
  const { resolve, directory } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\nuid: 1234\ngid: 1234\nenv: {OWN: 1}\n',
    'own.yml': 'script: app.js\nuid: 0\n',
  });
  const ofSession = { PATH: join(directory, 'bin'), SSH_CLIENT: '1', NODE_ENV: 'a', OWN: '2' };
  const shellEnv = { ...ofSession, PORT: '3000', API_KEY: 'hunter2' };
  const { warnings } = await resolve('x.yml', { shellEnv });
  t.equal(warnings.length, 1);
  t.match(
    warnings[0],
    /uid: drops variables of this shell: PORT, API_KEY; to pass one: set it in env/,
  );
  t.notMatch(warnings[0], /hunter2/);
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`V${index}`, '1']));
  t.match((await resolve('x.yml', { shellEnv: many })).warnings[0], /V7 and 3 more;/);
  t.same((await resolve('x.yml', { shellEnv: ofSession })).warnings, []);
  t.same((await resolve('own.yml', { shellEnv })).warnings, []);
});
