/** Which program a command runs; also from files that another user may have written, which root reads as quickly. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readShim } from '../../../src/config/command/command-line.js';
import { findNodeProgram } from '../../../src/config/command/find-node-program.js';
import { loadEnvFile } from '../../../src/config/resolve/environment.js';
import { readPackageJson } from '../../../src/shared/files/small-file.js';
import { ecosystemDirectory } from '../ecosystem-directory.js';

const SHIM = `#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")
if [ -z "$NODE_PATH" ]; then
  export NODE_PATH="/store/web/node_modules"
else
  export NODE_PATH="/store/web/node_modules:$NODE_PATH"
fi
if [ -x "$basedir/node" ]; then
  exec "$basedir/node"  "$basedir/../web/bin/web" "$@"
else
  exec node  "$basedir/../web/bin/web" "$@"
fi
`;
const SCRIPTS = {
  start: 'NODE_ENV=production web start -p 3000',
  serve: 'node .',
  types: 'tsx src/server.ts',
  fast: 'A=1 B=2 node --no-warnings dist/main',
  cross: 'cross-env A=1 node app.js',
  again: 'npm run serve -- --again',
  shim: 'pnpm-web --x',
  build: 'npm run pack && node dist/main.js',
  port: 'web -p $PORT',
  dev: 'nodemon app.js',
  all: 'concurrently "a" "b"',
  nest: 'nest start',
  python: 'worker.sh',
  loop: 'npm run loop',
  hooked: 'web start',
  prehooked: 'pack',
  gone: 'node missing.js',
  api: 'npm --prefix api start',
  watched: 'node --env-file=.env --watch app.js',
};
const PACKAGE = { name: 'shop', version: '1.2.3', main: 'app.js', scripts: SCRIPTS };

function project(t) {
  const { directory, write } = ecosystemDirectory(t, {
    'package.json': JSON.stringify(PACKAGE),
    'api/package.json': JSON.stringify({ name: 'api', scripts: { start: 'node main.js' } }),
    'api/main.js': '',
    'api/deep/main.js': '',
    'dist/main.js': '',
    'src/server.ts': '',
    'www/start': '#!/usr/bin/env node\r\n',
    'www/flags': '#!/usr/bin/env -S node --no-warnings --stack-size=900\n',
    'www/path': '#!/usr/bin/node\n',
    'www/types': '#!/usr/bin/env tsx\n',
    'www/shell': '#!/bin/sh\n',
    'node_modules/web/bin/web': '#!/usr/bin/env node\n',
    'node_modules/tsx/package.json': '{}',
    'node_modules/tsx/cli.mjs': '#!/usr/bin/env node\n',
    'node_modules/.bin/pnpm-web': SHIM,
    'node_modules/.bin/worker.sh': '#!/bin/sh\n',
  });
  const link = (target, path) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    symlinkSync(target, join(directory, path));
  };
  link('../web/bin/web', 'node_modules/.bin/web');
  link('../tsx/cli.mjs', 'node_modules/.bin/tsx');
  for (const name of ['web', 'pnpm-web', 'tsx', 'worker.sh']) {
    chmodSync(join(directory, 'node_modules/.bin', name), 0o755);
  }
  const find = (line) => {
    const [word, ...args] = line.split(' ');
    const words = [word.startsWith('./') ? join(directory, word) : word, ...args];
    const typed = { words, nodeArgs: [], cwd: directory };
    return findNodeProgram(typed, join(directory, 'node_modules/.bin'));
  };
  return { directory, write, find };
}

t.test('the Node program behind a command', async (t) => {
  const { directory, find } = project(t);
  const web = 'node_modules/.bin/web';
  const rows = [
    ['./app.js --x', 'app.js', ['--x']],
    ['./www/start', 'www/start'],
    ['./www/path', 'www/path'],
    ['./www/flags a', 'www/flags', ['a'], ['--no-warnings', '--stack-size=900']],
    ['./www/types', 'www/types', [], ['--import', 'tsx']],
    [`./${web} start`, web, ['start']],
    ['web start', web, ['start']],
    ['./node_modules/.bin/pnpm-web', 'node_modules/web/bin/web'],
    ['npx web start', web, ['start']],
    ['npm start', web, ['start', '-p', '3000'], [], { NODE_ENV: 'production' }],
    ['npm start -- --x', web, ['start', '-p', '3000', '--x']],
    ['npm run serve a -- --b', 'app.js', ['a', '--b']],
    ['pnpm start -p 1', web, ['start', '-p', '3000', '-p', '1']],
    ['pnpm run serve -- --b', 'app.js', ['--', '--b']],
    ['yarn run serve -- --b', 'app.js', ['--b']],
    ['yarn start --x', web, ['start', '-p', '3000', '--x']],
    ['pnpm run serve', 'app.js'],
    ['npm run again', 'app.js', ['--again'], [], { npm_lifecycle_event: 'serve' }],
    ['npm --prefix api start', 'api/main.js'],
    ['npm -C api run start', 'api/main.js'],
    ['npm run api', 'api/main.js'],
    ['pnpm -C api run start', 'api/main.js'],
    ['pnpm --dir api start', 'api/main.js'],
    ['yarn --cwd api start', 'api/main.js'],
    ['npm run fast', 'dist/main.js', [], ['--no-warnings'], { A: '1', B: '2' }],
    ['npm run shim', 'node_modules/web/bin/web', ['--x']],
    ['tsx src/server.ts --x', 'src/server.ts', ['--x'], ['--import', 'tsx']],
    ['node node_modules/.bin/tsx src/server.ts', 'src/server.ts', [], ['--import', 'tsx']],
    ['npm run types', 'src/server.ts', [], ['--import', 'tsx']],
  ];
  for (const [line, script, args = [], nodeArgs = [], env = {}] of rows) {
    const { program } = find(line);
    t.ok(program, line);
    t.match(program, { script: join(directory, script), args, nodeArgs, env }, line);
  }
});

t.test('the variables of npm, also in another directory', async (t) => {
  const { directory, find } = project(t);
  const { program } = find('npm start');
  t.same(program.env, {
    npm_package_name: 'shop',
    npm_package_version: '1.2.3',
    npm_package_json: join(directory, 'package.json'),
    npm_lifecycle_event: 'start',
    npm_lifecycle_script: SCRIPTS.start,
    INIT_CWD: directory,
    NODE_ENV: 'production',
  });
  t.same(program.binDirectories, [join(directory, 'node_modules/.bin')]);
  t.same(program.lines, [SCRIPTS.start]);
  const sent = find('npm --prefix api start').program;
  const env = { npm_package_name: 'api', INIT_CWD: directory };
  t.match(sent, { cwd: join(directory, 'api'), env });
  const reason = /(deep|nowhere) start finds no valid package\.json$/;
  for (const line of ['npm --prefix api/deep start', 'pnpm -C nowhere start'])
    t.match(find(line), { isMissing: true, reason });
});

t.test('commands without a program of Node that is known', async (t) => {
  const { find, write } = project(t);
  const rows = [
    ['npm run build', /^the script "build" of .* needs a shell \(`&&`\)$/],
    ['npm run port', /needs a shell \(`\$`\)$/],
    ['npm run hooked', /^the script "prehooked" of .* runs too$/],
    ['npm run dev', /^nodemon starts the program in another process$/],
    ['npm run cross', /^cross-env starts the program in another process$/],
    ['npm run all', /^concurrently starts/],
    ['npm run nest', /^nest start starts/],
    ['serve -l 80', /^serve takes another port/],
    ['npm run python', /^worker\.sh runs no script of Node$/],
    ['npm run gone', /node finds no .*missing\.js/],
    ['npm run loop', /starts itself again/],
    ['npm run nothing', /there is no script "nothing"/],
    ['npm', /^what npm runs is not known$/],
    ['npm run', /^what npm run runs/],
    ['npm start -w api', /^what npm start -w api runs/],
    ['npm start --inspect', /^what npm start --inspect runs/],
    ['npm install', /^what npm install runs/],
    ['npm exec web start', /^what npm exec web start runs/],
    ['yarn web', /^what yarn web runs/],
    ['npx', /^what npx runs/],
    ['npx -p web web start', /^what npx -p web web start runs/],
    ['npx serve@latest', /^serve@latest is not a command here$/],
    ['npx nothing', /^nothing is not a command here$/],
    ['tsx watch src/server.ts', /^tsx watch starts/],
    ['npm --prefix', /^what npm --prefix runs/],
    ['npm --prefix api', /^what npm --prefix api runs/],
    ['pnpm --filter api start', /^pnpm --filter api start may run several packages \(/],
    ['pnpm -r start', /^what pnpm -r start runs/],
    ['node --run start', /^node --run starts the program in another process$/],
    ['node --env-file=.env --run start', /^node --run starts/],
    ['node --watch app.js', /^node --watch starts the program in another/],
    ['node --watch-path=src app.js', /^node --watch-path=src starts/],
    ['node --watch-path src app.js', /^node --watch-path starts/],
    ['npm run watched', /^node --watch starts/],
    ['pm2 start app.js', /^pm2 starts/],
  ];
  for (const [line, reason] of rows) t.match(find(line).reason, reason, line);
  for (const line of ['./worker.py', './www/shell', 'node -e 1', './job.sh'])
    t.equal(find(line), null, `${line} is not Node's`);
  write('.pnp.cjs', '');
  t.match(find('yarn start'), { reason: /Plug'n'Play/ });
});

t.test('a script that package.json does not have is refused, as a missing file is', async (t) => {
  const { directory, resolveText, refusalOf, write } = ecosystemDirectory(t);
  const { text } = await refusalOf('script: npm start\n');
  t.match(text, 'x.yml:1:9 script: there is no script "start" in HERE/package.json');
  write('bin/yarn', '');
  chmodSync(join(directory, 'bin/yarn'), 0o755);
  const { specs } = await resolveText('script: yarn run eslint\n');
  t.match(specs, [{ execMode: 'fork', modeReason: /no script "eslint"/ }]);
});

t.test('text on which a pattern could spend minutes', async (t) => {
  const options = ' --a'.repeat(4000);
  t.equal(readShim(`#!/bin/sh\nbasedir=$(dirname "$0")\nexec node${options} !\n`, '/x'), null);
  const directory = t.testdir({});
  const size = 250_000;
  for (const text of [' ', 'a', 'export ', 'A= ', 'A="', '\n', '# \n']) {
    writeFileSync(join(directory, '.env'), text.repeat(size));
    t.ok(loadEnvFile(join(directory, '.env')), text);
  }
});

t.test('pipes and devices', async (t) => {
  const directory = t.testdir({ '.env': t.fixture('symlink', '/dev/zero') });
  t.match(loadEnvFile(join(directory, '.env')), { fault: /not a regular file/ });
  const files = [join(directory, 'pipe'), join(directory, 'package.json')];
  execFileSync('mkfifo', files);
  t.match(loadEnvFile(files[0]), { fault: /not a regular file/ });
  t.equal(readPackageJson(directory), null);
});
