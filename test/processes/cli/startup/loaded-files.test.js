/** Frequent commands load what they need: a file more costs each of them up to a millisecond. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../support/sources.js';
import { app, testHome } from '../../../support/home.js';

const TRACE = new URL('trace.mjs', import.meta.url).href;
const TABLE = ['cli-table3', 'string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex'];

t.test('what a command loads', async (t) => {
  const home = testHome(t);
  await home.ok(['start', app('http-pid.cjs'), '--set-env', 'PORT=0']);
  const commands = [
    { args: ['--version'], packages: [], most: 2 },
    { args: ['ping'], packages: [], most: 53 },
    { args: ['ls', '--json'], packages: [], most: 53 },
    { args: ['ls'], packages: [...TABLE, 'is-fullwidth-code-point'], most: 83 },
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

/** @param url or a path */
function pathOf(url) {
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}
