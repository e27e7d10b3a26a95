import { Readable } from 'node:stream';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findEcosystemFile, isEcosystemFile, loadFile } from '../../../src/config/file/load.js';
import { ecosystemFolder } from '../ecosystem-directory.js';

/** As `pm2 init` writes it. */
const PM2_FILE = `module.exports = {
  apps : [{
    name: 'api',
    script: 'app.js',
    watch: '.'
  }, {
    script: './web.js',
    instances: 'max',
    exec_mode: 'cluster_mode',
    env_production: { NODE_ENV: 'production' }
  }],

  deploy : {
    production : { user : 'SSH_USERNAME', path : 'DESTINATION_PATH' }
  }
};
`;

t.test('ecosystem.config.js as PM2 generates it, whatever the package says', async (t) => {
  for (const type of ['module', 'commonjs']) {
    const { resolve, folder } = ecosystemFolder(t, {
      'ecosystem.config.js': PM2_FILE,
      'package.json': JSON.stringify({ type }),
    });
    const { specs, warnings } = await resolve('ecosystem.config.js', { envName: 'production' });
    t.match(specs, [
      { name: 'api', script: join(folder, 'app.js'), instances: 1, watch: [folder], env: {} },
      { name: 'web', instances: 8, execMode: 'cluster', env: { NODE_ENV: 'production' } },
    ]);
    t.equal(warnings.length, 1);
    t.match(
      warnings[0],
      /^ecosystem.config.js says what only PM2 knows; it is ignored.\n {2}deploy: /,
    );
  }
});

t.test('JavaScript of every kind', async (t) => {
  const { resolve } = ecosystemFolder(t, {
    'a.config.js': `import os from 'node:os';\nexport default [{ script: 'app.js', name: os.EOL && 'a' }];`,
    'b.config.mjs': `export const apps = { script: 'app.js', name: 'b' };`,
    'c.config.cjs': `const name = require('./name.cjs');\nmodule.exports = { script: 'app.js', name };`,
    'd.config.js': `#!/usr/bin/env node\nexports.apps = [{ script: __dirname + '/app.js', name: 'd', args: undefined }];`,
    'name.cjs': `module.exports = 'c';`,
    'package.json': '{"type": "module"}',
  });
  for (const file of ['a.config.js', 'b.config.mjs', 'c.config.cjs', 'd.config.js']) {
    t.match((await resolve(file)).specs, [{ name: file[0] }]);
  }
});

t.test('JavaScript that fails is one clear error', async (t) => {
  const { refusal } = ecosystemFolder(t, {
    'throws.config.js': `\nthrow new Error('no database');`,
    'throws.config.mjs': `export default {};\nnull.apps;`,
    'syntax.config.cjs': `module.exports = {\n  apps: [}\n`,
    'json.config.js': `module.exports = JSON.parse('{');`,
    'end.config.js': `module.exports = {`,
    'function.config.js': `module.exports = () => ({});`,
  });
  t.same(await refusal('throws.config.js'), {
    code: 'E_CONFIG_SCRIPT_FAILED',
    exit: 3,
    text: 'throws.config.js:2 threw an error: Error: no database',
  });
  t.match(
    (await refusal('throws.config.mjs')).text,
    /^throws.config.mjs:2 threw an error: TypeError/,
  );
  t.match((await refusal('json.config.js')).text, /^json.config.js:1 threw an error: SyntaxError/);
  t.equal(
    (await refusal('syntax.config.cjs')).text,
    `syntax.config.cjs:2 is not valid JavaScript: Unexpected token '}'\n` +
      `  2 |   apps: [}\n    |          ^`,
  );
  t.match((await refusal('end.config.js')).text, /^end.config.js:1 is not valid JavaScript: Unexp/);
  t.match((await refusal('function.config.js')).text, 'expected a list of apps, got a function');
});

t.test('JSON, with the comments and commas that PM2 lets pass', async (t) => {
  const { resolve, refusal } = ecosystemFolder(t, {
    'a.json': `{
      // the shop
      "$schema": "./ecosystem.schema.json",
      "apps": [{ "script": "app.js", "env": { "A": "\\u00e4\\n", "B": 1.5e3 }, }, /* end */],
    }`,
    'b.json': '{\n  "apps": [{ "script": "app.js" "args": [] }]\n}',
    'c.json': '{"apps": [{"script": "app.js", "min_uptime": -1}]}',
    'd.json': '{"apps": [], "apps": []}',
    'e.json': '{"apps": tru}',
    'f.json': '{"apps": [',
    'g.json': '{apps: []}',
    'h.json': '{"apps": "x\n"}',
    'i.json': '[1] 2',
  });
  t.match((await resolve('a.json')).specs, [{ env: { A: 'ä\n', B: '1.5e3' } }]);
  t.equal(
    (await refusal('b.json')).text,
    'b.json:2:33 is not valid JSON: expected a comma or }, got "args"\n' +
      '  2 |   "apps": [{ "script": "app.js" "args": [] }]\n' +
      `    | ${' '.repeat(32)}^`,
  );
  t.match((await refusal('c.json')).text, 'c.json:1:46 apps[0].min_uptime: expected a duration');
  const reasons = {
    'd.json': 'd.json:1:14 is not valid JSON: expected every key once, got "apps"',
    'e.json': 'e.json:1:10 is not valid JSON: expected a value, got tru',
    'f.json': 'f.json:1:11 is not valid JSON: expected a value, got the end of the file',
    'g.json': 'g.json:1:2 is not valid JSON: expected a key in double quotes or }, got apps',
    'h.json': 'h.json:1:10 is not valid JSON: expected a text that ends with ", got "x',
    'i.json': 'i.json:1:5 is not valid JSON: expected the end of the file, got 2',
  };
  for (const [file, reason] of Object.entries(reasons)) {
    t.equal((await refusal(file)).text.split('\n')[0], reason);
  }
});

t.test('standard input', async (t) => {
  const { resolve, refusal, folder } = ecosystemFolder(t);
  const yaml = await resolve('-', { stdin: Readable.from(['apps:\n', '  - script: app.js\n']) });
  t.match(yaml.specs, [{ name: 'app', script: join(folder, 'app.js'), configFile: null }]);
  const json = await resolve('-', { stdin: Readable.from(['{"script": "app.js"}']) });
  t.match(json.specs, [{ name: 'app' }]);
  t.match((await refusal('-', { stdin: Readable.from([]) })).text, 'standard input is empty');
  t.match(
    (await refusal('-', { stdin: Readable.from(['script: 1.js']) })).text,
    'standard input:1:9 script: expected a file that exists',
  );
  const flood = Readable.from(Array(2000).fill('x'.repeat(1000)));
  t.match(await refusal('-', { stdin: flood }), { code: 'E_CONFIG_TOO_LARGE' });
});

t.test('the file in a folder', async (t) => {
  const { folder, write } = ecosystemFolder(t);
  await t.rejects(findEcosystemFile(folder), {
    code: 'E_CONFIG_NONE_HERE',
    message: /looked for ecosystem.yml, ecosystem.yaml, ecosystem.json, ecosystem.config.js/,
  });
  for (const name of ['ecosystem.config.cjs', 'ecosystem.json', 'ecosystem.yml']) {
    write(name, '');
    t.equal(await findEcosystemFile(folder), join(folder, name));
  }
});

t.test('what names an ecosystem file', async (t) => {
  for (const word of [
    '-',
    'x.yml',
    'a/x.yaml',
    'apps.json',
    'ecosystem.config.js',
    'a.config.mjs',
  ]) {
    t.ok(isEcosystemFile(word), word);
  }
  for (const word of ['app.js', 'config.js', 'api', 'yml', 'app.mjs']) {
    t.notOk(isEcosystemFile(word), word);
  }
});

t.test('a link to a file is not followed to another folder', async (t) => {
  const { folder } = ecosystemFolder(t, { 'releases/1/x.yml': 'script: app.js', 'app.js': '' });
  symlinkSync(join(folder, 'releases/1'), join(folder, 'current'));
  const { file, document, source } = await loadFile('current/x.yml', { cwd: folder });
  t.equal(file, join(folder, 'current/x.yml'));
  t.equal(document.folder, join(folder, 'current'));
  t.equal(source, 'current/x.yml');
});
