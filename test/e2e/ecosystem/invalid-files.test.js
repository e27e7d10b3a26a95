/** Files with errors: the message names the place, the exit code is 3, and nothing is started. */
import t from 'tap';
import { mkdirSync, truncateSync } from 'node:fs';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';

const good = 'script: ./http-pid.cjs';
const bomb = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...'bcdefghi'.split('').map((name, index) => {
    const before = 'abcdefgh'[index];
    return `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`;
  }),
  `apps: [{name: x, ${good}, args: *i}]`,
].join('\n');

const cases = [
  {
    what: 'a syntax error',
    text: 'apps:\n  - name: "api\n    script: x\n',
    says: /ecosystem\.yml:\d+/,
  },
  { what: 'a tab', text: `apps:\n\t- name: api\n\t  ${good}\n`, says: /ecosystem\.yml:2.*tab/is },
  {
    what: 'a key twice',
    text: `apps:\n  - name: api\n    name: web\n    ${good}\n`,
    says: /ecosystem\.yml:3/,
  },
  {
    what: 'an unknown key',
    text: `apps:\n  - name: api\n    ${good}\n    instnaces: 2\n`,
    says: /ecosystem\.yml:4:\d+.*instnaces.*instances/is,
  },
  {
    what: 'a wrong type',
    text: `apps:\n  - name: api\n    ${good}\n    instances: many\n`,
    says: /ecosystem\.yml:4:\d+.*instances.*expected.*got/is,
  },
  {
    what: 'a script that is missing',
    text: 'apps:\n  - name: api\n    script: ./not-here.js\n',
    says: /ecosystem\.yml:3:\d+.*not-here\.js/is,
  },
  {
    what: 'two apps of one name',
    text: `apps:\n  - name: api\n    ${good}\n  - name: api\n    ${good}\n`,
    says: /ecosystem\.yml:4:\d+.*api/is,
  },
  {
    what: 'a bad duration',
    text: `apps:\n  - name: api\n    ${good}\n    kill_timeout: 10 parsecs\n`,
    says: /ecosystem\.yml:4:\d+.*kill_timeout.*10 parsecs/is,
  },
  { what: 'an empty file', text: '', says: /ecosystem\.yml.*\bapps?\b/is },
  { what: 'a bomb of aliases', text: bomb, says: /ecosystem\.yml.*alias/is },
  {
    what: 'three errors at once',
    text: `apps:\n  - name: api\n    ${good}\n    instances: x\n    kill_timeout: y\n  - name: "all"\n    ${good}\n`,
    says: /:4:.*:5:.*:6:/s,
  },
];

for (const { what, text, says } of cases) {
  t.test(what, async (t) => {
    await refuses(t, says, (root) => writeFiles(root, { 'ecosystem.yml': text }));
  });
}

t.test('a directory', async (t) => {
  await refuses(t, /ecosystem\.yml.*(folder|directory)/is, (root) =>
    mkdirSync(`${root}/ecosystem.yml`),
  );
});

t.test('50 MB', async (t) => {
  await refuses(t, /ecosystem\.yml.*(large|big|long|MB|bytes)/is, (root) => {
    writeFiles(root, { 'ecosystem.yml': '# much\n' });
    truncateSync(`${root}/ecosystem.yml`, 50 * 1024 * 1024);
  });
});

t.test('a module that never ends', async (t) => {
  const file = 'ecosystem.config.mjs';
  const text = 'await new Promise(() => {});\nexport const apps = [];\n';
  await refuses(t, /await never ends/, (root) => writeFiles(root, { [file]: text }), file);
});

/**
 * @param {any} t
 * @param {RegExp} says
 * @param {(root: string) => void} make
 */
async function refuses(t, says, make, file = 'ecosystem.yml') {
  const { root, run } = testHome(t);
  copyApp('http-pid.cjs', `${root}/http-pid.cjs`);
  make(root);
  const { code, stdout, stderr } = await run(['start', file]);
  t.equal(code, 3, stderr);
  t.match(stderr, says);
  t.notMatch(stderr, /^\s+at .*:\d+:\d+\)?$/m, 'no stack');
  t.equal(stdout, '');
  const list = await run(['ls', '--json']);
  t.same(JSON.parse(list.stdout).apps, [], 'nothing was started');
}
