/** What a command loads and compiles: a file more costs each frequent one up to a millisecond. And Ctrl-C in its beginning. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { NODE, app, testHome } from '../../support/home.js';
import { ROOT } from '../../support/sources.js';

const TRACE = new URL('trace.mjs', import.meta.url).href;
const TABLE = ['cli-table3', 'string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex'];

t.test('what a command loads', async (t) => {
  const home = testHome(t);
  await home.ok(['start', app('http-pid.cjs'), '--set-env', 'PORT=0']);
  const commands = [
    { args: ['--version'], packages: [], most: 2 },
    { args: ['ping'], packages: [], most: 53 },
    { args: ['ls', '--json'], packages: [], most: 53 },
    { args: ['ls'], packages: [...TABLE, 'is-fullwidth-code-point'], most: 84 },
  ];
  for (const { args, packages, most } of commands) {
    const { own, foreign, builtins } = await loadedBy(home, args);
    const name = args.join(' ');
    t.strictSame(
      [...foreign].filter((each) => !packages.includes(each)),
      [],
      `${name} loads no other package`,
    );
    t.ok(own.size > 1 && own.size + foreign.size <= most, `${name} loads ${own.size} files`);
    t.notOk(builtins.has('node:crypto'), `${name} does not load node:crypto`);
  }
});

async function loadedBy(home, args) {
  const report = path.join(home.root, `${args.join('')}.txt`);
  const bin = path.join(ROOT, 'bin/nodecluster.js');
  await home.ok([TRACE, bin, ...args], { bin: '--import', env: { LOADED_FILES: report } });
  const loaded = readFileSync(report, 'utf8').split('\n').filter(Boolean);
  const files = loaded.filter((url) => !url.startsWith('node:')).map(pathOf);
  const packages = files.flatMap((file) => /.*\/node_modules\/([^/]+)\//.exec(file)?.[1] ?? []);
  return {
    own: new Set(files.filter((file) => !file.includes('/node_modules/'))),
    foreign: new Set(packages),
    builtins: new Set(loaded.filter((url) => url.startsWith('node:'))),
  };
}

function pathOf(url) {
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}

/** Compiled code of the command is kept in a home directory that nobody else can enter. */
// @ts-expect-error -- unknown to the types of Node 20
const skip = !module.enableCompileCache && NODE === process.execPath && 'needs Node 22.1 or newer';

t.test('in a private home, and only there', { skip }, async (t) => {
  const { home, ok, run } = testHome(t);
  const cache = path.join(home, 'compiled');
  await ok(['ls', '--json']);
  t.notOk(existsSync(home), 'it makes no home directory');
  mkdirSync(home, { mode: 0o700 });
  await ok(['ls', '--json']);
  t.ok(existsSync(cache));
  const open = path.join(home, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  await run(['ls', '--json'], { env: { NODECLUSTER_HOME: open } });
  t.notOk(existsSync(path.join(open, 'compiled')), 'others may read this one');
});

t.test('where nothing can be written there is none', { skip }, async (t) => {
  const { home, ok } = testHome(t);
  mkdirSync(path.join(home, 'compiled'), { recursive: true, mode: 0o500 });
  chmodSync(home, 0o700);
  t.equal((await ok(['ls', '--json'])).stderr, '');
});

/** Ctrl-C in the moment in which a command begins something that it has to complete. */
const MODULE = new URL('../../../src/shared/processes/signal.js', import.meta.url);
/** The signal has arrived, and Node has not called a listener yet. */
const PROGRAM = `
  import { interruption } from ${JSON.stringify(MODULE.href)};
  process.once('SIGINT', () => console.log('as if nothing had begun'));
  process.kill(process.pid, 'SIGINT');
  interruption().addEventListener('abort', () => {
    console.log('interrupted');
    process.exit();
  });
  setTimeout(() => {}, 2000);
`;

t.test('an interruption is not lost', async (t) => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  t.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), 'interrupted\n');
});
