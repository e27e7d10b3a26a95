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
  t.same(JSON.parse(JSON.stringify(specs)), specs);
});

const namesOf = (specs) => specs.map(({ name }) => name);

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
  const { resolveText } = ecosystemDirectory(t);
  for (const [text, specs] of Object.entries(FILES))
    t.match((await resolveText(text)).specs, specs, text);
});

t.test('apps without names that would have the same one', async (t) => {
  const scripts = ['api/index.js', 'web/index.js', 'api/job.js', 'web/job.js'];
  const files = Object.fromEntries(scripts.map((script) => [script, '']));
  const { resolveText } = ecosystemDirectory(t, files);
  const two = '[{script: api/index.js}, {script: web/index.js}]';
  for (const [text, names, options] of [
    [two, ['api', 'web']],
    [two, ['web'], { only: ['web'] }],
    ['[{script: app.js}, {script: web/index.js}]', ['app', 'web']],
    ['[{script: api/job.js}, {script: web/job.js}]', ['api-job', 'web-job']],
    ['[{script: app.js}, {script: app.js, args: b}]', ['app', 'app-2']],
    ['[{script: app.js}, {script: web.js, name: app}]', ['app-2', 'app']],
    ['[{script: api/index.js}, {script: web/index.js}, {script: web.js}]', ['api', 'web-2', 'web']],
  ]) {
    const { specs } = await resolveText(text, options);
    t.same(namesOf(specs), names, `${text} ${JSON.stringify(options)}`);
  }
  const dependent = '[{script: api/index.js, depends_on: [web]}, {script: web/index.js}]';
  t.same((await resolveText(dependent)).specs[0].dependsOn, { web: 'ready' });
});

const FAULTS = {
  'x-a: 1\nscript: app.js\nenw: {}\n': /an error:\n {2}x\.yml:3:1 enw: .*did you mean env/,
  'apps:\n  - {script: app.js, x-a: 1}\n  - {script: app.js, name: b, $schema: s}\n':
    /2 errors:\n.* apps\[0\]\.x-a: unknown key\n.* apps\[1\]\.\$schema: unknown key/,
  'script: app.js\nenv_production: [1]\n': 'expected a map of variables, got a list',
  'apps: []\n': 'x.yml:1:7 apps: expected a list of apps, got an empty list',
  'app:\n  - script: app.js\n': /an error:\n {2}x\.yml:1:1 app: unknown key; did you mean apps\?$/,
  'hello\n': 'x.yml:1:1: expected a list of apps, got "hello"',
  'name: api\n': 'x.yml:1:1 script: expected the path of a program, got nothing',
  'script: app.js\nenviroment: {}\n': 'x.yml:2:1 enviroment: unknown key; did you mean env?',
  'apps:\n  - script: app.js\ndeply: {}\n': 'x.yml:3:1 deply: unknown key; did you mean deploy?',
  '- {script: app.js, depends_on: [{b: ready}]}\n- {script: app.js, name: b}\n':
    /has an error:\n.*depends_on\[0\]: expected a string, got a map$/,
  'script: app.js\nport: 99999\n':
    'x.yml:2:7 port: expected a whole number (0 to 65535), got 99999',
  'script: app.js\nmerge_logs: true\ncombine_logs: false\n':
    'x.yml:3:1 combine_logs: merge_logs is set twice',
  'script: app.js\nincrement_var: PORT\n': 'got "PORT" (it is not set)',
  'script: app.js\nincrement_var: PORT\nenv: {PORT: http}\n': 'got "PORT" (it is "http")',
  'script: app.js\nenv_file: [.env, .env.local]\n':
    /x\.yml:2:11 env_file: could not read HERE\/\.env\.local: ENOENT: no such file or directory$/,
  'script: app.js\nenv:\n  A:\n  "B=C": 1\n':
    'x.yml:4:3 env.B=C: expected a name without "=", got "B=C"',
  'script: app.js\ncwd: app.js\n':
    'x.yml:2:6 cwd: expected a directory that exists, got "app.js" (HERE/app.js)',
  'script: app.js\ncwd: /nosuch\n': /got "\/nosuch"$/,
};

t.test('what is wrong in a file', async (t) => {
  const { refusalOf } = ecosystemDirectory(t, { '.env': '' });
  for (const [text, fault] of Object.entries(FAULTS))
    t.match((await refusalOf(text)).text, fault, text);
});

t.test('camelCase, dashes and the aliases of PM2', async (t) => {
  const { specs } = await ecosystemDirectory(t).resolveText(`
cmd: worker.py
killTimeout: 2s
ignore-watch: [tmp]
exec_interpreter: python3
interpreterArgs: -u -O
cron: '@daily'
user:
`);
  t.match(specs[0], {
    script: /worker.py$/,
    killTimeoutMs: 2000,
    ignoreWatch: ['tmp'],
    interpreter: 'python3',
    nodeArgs: ['-u', '-O'],
    cronRestart: '@daily',
    uid: null,
  });
});

t.test('keys that only PM2 has are named, with the closest equivalent', async (t) => {
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
  const { resolveText } = ecosystemDirectory(t);
  const { specs, warnings } = await resolveText(`
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
`);
  t.same(warnings, []);
  t.match(specs, [{ outFile: '/dev/null', errorFile: '/dev/null', mergeLogs: true }]);
  for (const line of ['autostart: false', 'filter_env: true']) {
    const ignored = await resolveText(`script: app.js\n${line}\n`);
    t.match(ignored.warnings, [/^x\.yml:2:1 \w+: ignored, because only PM2 knows/], line);
  }
});

t.test('TypeScript where Node does not run it by itself', async (t) => {
  const { resolveText, refusalOf, write, directory } = ecosystemDirectory(t, {
    'a.ts': '',
    'bin/node18': '',
    'with/a.ts': '',
    'with/node_modules/tsx/package.json': '{}',
  });
  const warningsOf = async (text, options) => (await resolveText(text, options)).warnings;
  if (process.features.typescript) return t.same(await warningsOf('script: a.ts\n'), []);
  const { text } = await refusalOf('script: a.ts\n');
  t.match(text, /^ {2}x\.yml:1:9 script: Node \S+ does not run TypeScript/m);
  t.match(text, /not run TypeScript by itself: run `npm install tsx`, compile the program, or use/);
  for (const mode of ['cluster', 'fork']) {
    const { specs, warnings } = await resolveText(`script: a.ts\ncwd: with\nexec_mode: ${mode}\n`);
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
  ])
    t.same(await warningsOf(`script: a.ts\n${settings}\n`), [], settings);
  t.same(await warningsOf('script: a.ts\n', { runsElsewhere: true }), [], 'another Node runs it');
  const start = 'NODE_OPTIONS="--import ./hooks.mjs" node a.ts';
  write('package.json', JSON.stringify({ scripts: { start } }));
  const { specs } = await resolveText('script: npm start\n');
  t.match(specs, [{ script: /a\.ts$/, nodeArgs: [] }], start);
});

t.test('the interpreter by extension, and what it means for exec_mode', async (t) => {
  const { resolveText, directory } = ecosystemDirectory(t, { 'x.rb': '', 'x.php': '' });
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
  for (const [text, [execMode, interpreter]] of Object.entries(programs))
    t.match((await resolveText(text)).specs[0], { execMode, interpreter }, text);
});

t.test('programs that cannot run as requested', async (t) => {
  const { refusalOf } = ecosystemDirectory(t, { 'x.pl': '', 'x.jar': '' });
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
    const message = (await refusalOf(text)).text;
    t.ok(message.includes(`x.yml:${position}: `), text);
    t.matchSnapshot(message, text);
  }
});

t.test('script: a directory; looked up in cwd, then beside the file; links stay', async (t) => {
  const { resolveText, directory } = ecosystemDirectory(t, {
    'releases/1/app.js': '',
    'src/index.js': '',
    'pkg/package.json': '{"main": "lib/start"}',
    'pkg/lib/start.js': '',
  });
  symlinkSync(join(directory, 'releases/1'), join(directory, 'current'));
  for (const [settings, script, cwd = ''] of [
    ['script: src', 'src/index.js'],
    ['script: ./pkg', 'pkg/lib/start.js'],
    ['{script: app.js, cwd: current}', 'current/app.js', 'current'],
    ['{script: web.js, cwd: current}', 'web.js', 'current'],
  ]) {
    const [spec] = (await resolveText(settings)).specs;
    t.match(spec, { script: join(directory, script), cwd: join(directory, cwd) }, settings);
  }
});

t.test('the environment: env_file, then env, then env_<name>', async (t) => {
  const { resolve, refusal, refusalOf, resolveText } = ecosystemDirectory(t, {
    'reserved.env': 'A=1\nNODE_CHANNEL_FD=3\n',
    '.env': 'A=file\nB=file\nC="a b"\n# no\n',
    'x.yml': `
script: app.js
env_file: .env
env: {B: env, D: 1.10, E: true, F: 007, G: {a: [1]}, H: ''}
env_staging: {D: 2}
env_production: {D: 3}
`,
  });
  const ofFile = { A: 'file', C: 'a b' };
  const base = { ...ofFile, B: 'env', D: '1.10', E: 'true', F: '007', G: '{"a":[1]}', H: '' };
  t.same((await resolve('x.yml')).specs[0].env, base);
  t.same((await resolve('x.yml', { envName: 'production' })).specs[0].env, { ...base, D: '3' });
  t.same(await refusal('x.yml', { envName: 'prod' }), {
    code: 'E_CONFIG_ENV_UNKNOWN',
    exit: 4,
    text: '--env prod needs env_prod, and no app in x.yml has one; did you mean env_staging or env_production?',
  });
  const named = 'script: app.js\nappend_env_to_name: true\nenv_x: {A: 1}\n';
  const { text } = await refusalOf(named, { envName: 'x' });
  t.match(text, /x\.yml:2:1 append_env_to_name: only PM2 has it, so --env x would change/);
  t.match((await resolveText(named)).warnings, [/only PM2 knows append_env_to_name/]);
  const { specs, warnings } = await resolveText(
    '- {script: app.js, env: {A: 1}}\n- script: web.js\n',
    { envName: 'production', only: ['app'] },
  );
  t.match(specs, [{ env: { A: '1' } }]);
  t.same(warnings, ['--env production sets nothing: no app in x.yml has env_production']);
  const why = 'Node itself sets NODE_CHANNEL_FD, to reach its workers';
  const rows = [
    ['env: {NODE_CHANNEL_FD: 3}', `x.yml:2:7 env.NODE_CHANNEL_FD: ${why}`],
    ['env_production: {NODE_CHANNEL_FD: 3}', why],
    ['env_from: [{file: a, as: NODE_CHANNEL_FD}]', `x.yml:2:26 env_from[0].as: ${why}`],
    ['instance_var: NODE_CHANNEL_FD', `x.yml:2:15 instance_var: ${why}`],
    ['env_file: reserved.env', `x.yml:2:11 env_file: HERE/reserved.env: ${why}`],
  ];
  for (const [line, text] of rows)
    t.match((await refusalOf(`script: app.js\n${line}\n`)).text, text, line);
});

t.test('what settings of an app do to its variables', async (t) => {
  const { resolveText, shellEnv } = ecosystemDirectory(t, { '.env': 'PORT=1\n' });
  const port = 'increment_var: PORT\nport: 3000\n';
  const rows = [
    ['env: {A: "${HOME}"}', { A: '${HOME}' }],
    [port, { PORT: '3000' }],
    ['increment_var: PORT\nport: "3000"\nenv: {PORT: 3000}', { PORT: '3000' }],
    [`${port}env_file: .env`, { PORT: '3000' }],
    [`${port}env_production: {PORT: 80}`, { PORT: '80' }],
    [`${port}env: {PORT: 4000}\nenv_production: {PORT: 80}`, { PORT: '80' }],
    [`${port}env: {PORT: 4000}`, { PORT: '4000' }],
  ];
  for (const [lines, env] of rows) {
    const envName = lines.includes('env_production') ? 'production' : null;
    const { specs, warnings } = await resolveText(`script: app.js\n${lines}\n`, { envName });
    t.match(specs[0].env, env, lines);
    t.same(warnings, [], lines);
  }
  const ofShell = { shellEnv: { ...shellEnv, PORT: '3000' } };
  const { specs } = await resolveText('script: app.js\nincrement_var: PORT\n', ofShell);
  t.equal(specs[0].incrementVar, 'PORT', 'a number of the shell');
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
  const { resolveText } = ecosystemDirectory(t, { '.env': lines.join('\r\n') });
  const { specs } = await resolveText('script: app.js\nenv_file: .env\n');
  t.same(specs[0].env, {
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
  const { refusalOf, write } = ecosystemDirectory(t);
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
    const refused = await refusalOf('script: app.js\nenv_file: z.env\n');
    t.match(refused.text, `env_file: HERE/z.env:${fault}`, text);
  }
});

t.test('a variable has the text of the file, also through aliases and merges', async (t) => {
  const exact = { VERSION: '1.10', ID: '1234567890123456789', ZIP: '00501', SHA: '12e4567' };
  const other = { VERSION: '2.0', EXTRA: '3.0' };
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
    ['{<<: [*other, {A: 4.0}, *nested]}', { ...exact, ...other, A: '4.0', ID: '7.0' }],
    ['{<<: *other, VERSION: *version}', { VERSION: '1.10', EXTRA: '3.0' }],
    ['{A: 5.0, <<: {A: 6.0, B: 8.0}}', { A: '5.0', B: '8.0' }],
    ['{"<<": 9.0, <<: *other}', { '<<': '9.0', ...other }],
  ];
  const { resolve, resolveText, write } = ecosystemDirectory(t);
  for (const [env, expected] of rows) {
    t.same((await resolveText(anchors + env)).specs[0].env, expected, env);
  }
  const merged = 'x-app: &app {script: app.js, env: {A: 1.10}}\napps:\n  - <<: *app\n';
  t.same((await resolveText(merged)).specs[0].env, { A: '1.10' }, 'env itself is merged');
  write('x.json', '{"script": "app.js", "env": {"A": 1.10, "ID": 1234567890123456789, "D": true}}');
  const ofJson = { A: '1.10', ID: exact.ID, D: 'true' };
  t.same((await resolve('x.json')).specs[0].env, ofJson);
});

t.test('--only selects apps, and errors in the others do not matter', async (t) => {
  const { resolveText, refusalOf } = ecosystemDirectory(t);
  const three =
    '- {script: app.js, env_a: {X: 1}}\n- script: web.js\n- {script: app.js, name: b}\n';
  const missing = '- script: app.js\n- script: nothing.js\n';
  const twice = '- script: app.js\n- {script: web.js, name: web}\n- {script: app.js, name: web}\n';
  for (const [text, options, names] of [
    [three, { only: ['b', 'app'] }, ['app', 'b']],
    [three, { only: null }, ['app', 'web', 'b']],
    [three, { only: [] }, []],
    [three, { only: [], envName: 'a' }, []],
    [three, { only: ['web'], envName: 'a' }, ['web']],
    [missing, { only: ['app'] }, ['app']],
    [twice, { only: ['app'] }, ['app']],
  ]) {
    const { specs } = await resolveText(text, options);
    t.same(namesOf(specs), names, JSON.stringify(options));
  }
  t.same(await refusalOf(three, { only: ['web', 'api'] }), {
    code: 'E_CONFIG_APP_UNKNOWN',
    exit: 4,
    text: 'x.yml has no app named api. Its apps are: app, web, b.',
  });
  for (const [text, options, code] of [
    [three, { only: ['app'], envName: 'b' }, 'E_CONFIG_ENV_UNKNOWN'],
    [missing, { only: ['x'] }, 'E_CONFIG_APP_UNKNOWN'],
    [twice, { only: ['web'] }, 'E_CONFIG_INVALID'],
  ])
    t.match(await refusalOf(text, options), { code });
});

t.test('what clients may reach by long-polling is sticky, unless the user chooses', async (t) => {
  const rows = [
    ['socket.io', 'socket.io', '', 'sticky'],
    ['NestJS', '@nestjs/platform-socket.io', '', 'sticky'],
    ['only a client', 'socket.io-client', '', 'fair'],
    ['the user chose', 'socket.io', 'scheduling: fair\n', 'fair'],
    ['each has its port', 'socket.io', 'increment_var: PORT\nenv: {PORT: 1}\n', 'fair'],
  ];
  const { resolveText, write } = ecosystemDirectory(t, {
    'dist/app.mjs': '',
    'dist/package.json': '{"type": "module"}',
    'node_modules/web/app.mjs': '',
  });
  for (const [name, dependency, settings, scheduling] of rows) {
    write('package.json', JSON.stringify({ dependencies: { [dependency]: '1' } }));
    const text = `script: ./dist/app.mjs\ninstances: 2\n${settings}`;
    const { specs, warnings } = await resolveText(text);
    t.equal(specs[0].scheduling, scheduling, name);
    const said =
      scheduling === 'sticky' ? [/^x.yml:1:1 script: uses \S+, so scheduling is sticky: /] : [];
    t.match(warnings, said, name);
    t.equal(warnings.length, said.length, name);
  }
  write('package.json', '{"dependencies": {"socket.io": "4"}}');
  const { specs, warnings } = await resolveText('script: ./dist/app.mjs\n');
  t.equal(specs[0].scheduling, 'sticky', 'one worker, which may become several');
  t.same(warnings, []);
  const ofPackage = await resolveText('script: ./node_modules/web/app.mjs\n');
  t.match(ofPackage.specs, [{ scheduling: 'fair' }], 'a program of a package');
});

t.test('options without effect are reported', async (t) => {
  const { warnings } = await ecosystemDirectory(t).resolveText(
    'script: npm\nscheduling: round-robin\nhang_timeout: 30s\nnode_args: [-x]\n',
  );
  t.matchSnapshot(warnings.join('\n'), 'warnings');
});

const ofUser = (settings) => `script: app.js\n${settings}\n`;

t.test('with another user, the default group is that of the user', async (t) => {
  t.intercept(process, 'getuid', { value: () => 0 });
  const { username } = os.userInfo();
  const { resolveText, refusalOf } = ecosystemDirectory(t);
  const groupOf = (user) => Number(execFileSync('id', ['-g', user]));
  for (const [settings, gid] of [
    [`uid: ${username}`, groupOf(username)],
    ['uid: nobody', groupOf('nobody')],
    ['uid: nobody\ngid: 7', 7],
  ])
    t.match((await resolveText(ofUser(settings))).specs, [{ gid }], settings);
  const unknown = { code: 'E_CONFIG_INVALID', text: /a user of this machine/ };
  t.match(await refusalOf(ofUser('uid: 2000000000')), unknown);
});

t.test('only root may set another account', async (t) => {
  const { resolveText, refusalOf } = ecosystemDirectory(t);
  const own = { uid: process.getuid?.(), gid: process.getgid?.() };
  t.match((await resolveText(ofUser(`uid: ${own.uid}\ngid: ${own.gid}`))).specs, [own]);
  t.intercept(process, 'getuid', { value: () => 1000 });
  const { text } = await refusalOf(ofUser('uid: 4242'));
  t.match(text, 'x.yml:2:6 uid: expected your own account, got 4242 (you are not root)');
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
  const { resolveText, write } = ecosystemDirectory(t, {
    ...Object.fromEntries(scripts),
    'scoped/package.json': '{"name": "@acme/shop"}',
    'nameless/package.json': '{"private": true}',
    'broken/package.json': '{',
    'scoped/.output/server/package.json': '{"name": "traced-node-modules"}',
    'scoped/dist/package.json': '{"type": "module"}',
    'bare/.next/standalone/package.json': '{"name": "standalone"}',
    'build/own/package.json': '{"name": "own"}',
  });
  for (const [script, name] of rows) {
    write('package.json', script.includes('/') ? 'null' : '{"name": "app"}');
    t.equal((await resolveText(JSON.stringify({ script }))).specs[0].name, name, script);
  }
});

t.test('depends_on names apps of the same file, and conditions', async (t) => {
  const { resolveText, refusalOf } = ecosystemDirectory(t);
  const { specs } = await resolveText(`
- {name: web, script: app.js, depends_on: [db, cache]}
- {name: cache, script: app.js, dependsOn: db}
- {name: db, script: app.js}
- {name: shop, script: app.js, depends_on: {cache: started, migrate: exited}}
- {name: migrate, script: app.js, autorestart: false}
`);
  const found = specs.map(({ name, dependsOn }) => [name, dependsOn]);
  t.same(found, [
    ['web', { db: 'ready', cache: 'ready' }],
    ['cache', { db: 'ready' }],
    ['db', {}],
    ['shop', { cache: 'started', migrate: 'exited' }],
    ['migrate', {}],
  ]);
  const names = await refusalOf(`
- {name: web, script: app.js, depends_on: [dbs, cache]}
- {name: cache, script: app.js, depends_on: db}
- {name: db, script: app.js, depends_on: [web]}
- {name: self, script: app.js, depends_on: self}
`);
  t.matchSnapshot(names.text, 'each error with its position');
  const conditions = await refusalOf(`
- {name: web, script: app.js, depends_on: {dbs: ready, db: healthy, migrate: exited}}
- {name: migrate, script: app.js, depends_on: {web: started}}
- {name: db, script: app.js, depends_on: 7}
`);
  t.matchSnapshot(conditions.text, 'errors in conditions');
});

t.test('several instances of a command that cannot be a cluster are refused', async (t) => {
  const { resolveText, refusalOf } = ecosystemDirectory(t, {
    'package.json': '{"name": "shop", "scripts": {"start": "build && node app.js"}}',
  });
  for (const [line, text] of [
    ['instances: 2', /x\.yml:2:12 instances: must be 1, because the script "start" .* a shell/],
    ['instances: max', /x\.yml:2:12 instances: must be 1, because the script "start" .* a shell/],
    ['exec_mode: cluster', /exec_mode: expected fork.*needs a shell/],
  ])
    t.match(await refusalOf(`script: npm start\n${line}\n`), { code: 'E_CONFIG_INVALID', text });
  const env = 'increment_var: PORT\nenv: {PORT: 3000}\n';
  for (const line of ['exec_mode: fork\n', env, 'interpreter: none\n']) {
    const { specs } = await resolveText(`script: npm start\ninstances: 2\n${line}`);
    t.match(specs, [{ script: 'npm', execMode: 'fork', name: 'shop' }], line);
  }
});

t.test('variables of the shell that an app of another user does not get are named', async (t) => {
  t.intercept(process, 'getuid', { value: () => 0 });
  const { resolveText, directory } = ecosystemDirectory(t);
  const warningsOf = async (settings, shellEnv) =>
    (await resolveText(ofUser(settings), { shellEnv })).warnings;
  const other = 'uid: 1234\ngid: 1234\nenv: {OWN: 1}';
  const ofSession = { PATH: join(directory, 'bin'), SSH_CLIENT: '1', NODE_ENV: 'a', OWN: '2' };
  const shellEnv = { ...ofSession, PORT: '3000', API_KEY: 'hunter2' };
  const [warning, ...more] = await warningsOf(other, shellEnv);
  t.same(more, []);
  t.match(warning, /uid: drops variables of this shell: PORT, API_KEY; to pass one: set it in env/);
  t.notMatch(warning, /hunter2/);
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`V${index}`, '1']));
  t.match((await warningsOf(other, many))[0], /V7 and 3 more;/);
  t.same(await warningsOf(other, ofSession), []);
  t.same(await warningsOf('uid: 0', shellEnv), []);
});
