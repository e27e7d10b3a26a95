import { Readable } from 'node:stream';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findEcosystemFile, loadFile } from '../../../src/config/file/load.js';
import { ecosystemDirectory } from '../ecosystem-directory.js';

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
    const { resolve, directory } = ecosystemDirectory(t, {
      'ecosystem.config.js': PM2_FILE,
      'package.json': JSON.stringify({ type }),
    });
    const { specs, warnings } = await resolve('ecosystem.config.js', { envName: 'production' });
    t.match(specs, [
      { name: 'api', script: join(directory, 'app.js'), instances: 1, watch: [directory], env: {} },
      { name: 'web', instances: 0, execMode: 'cluster', env: { NODE_ENV: 'production' } },
    ]);
    const [ignored, ...others] = warnings;
    t.match(ignored, /^ecosystem.config.js deploy: ignored, because only PM2 knows deploy: .*$/);
    t.same(others, []);
  }
});

t.test('JavaScript of every kind', async (t) => {
  const { resolve } = ecosystemDirectory(t, {
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

t.test('TypeScript, where Node runs it', async (t) => {
  const app = `[{ script: 'app.js', name } as { script: string }]`;
  const { resolve, refusal } = ecosystemDirectory(t, {
    'a.config.ts': `const name: string = 'a';\nexport default ${app};`,
    'b.config.mts': `const name: string = 'b';\nexport const apps = ${app};`,
    'c.config.cts': `const name: string = 'c';\nmodule.exports = ${app};`,
    'syntax.config.ts': `const name: string = ;\nexport default ${app};`,
  });
  for (const file of ['a.config.ts', 'b.config.mts', 'c.config.cts']) {
    if (process.features.typescript) t.match((await resolve(file)).specs, [{ name: file[0] }]);
    else {
      const text = `Could not read ${file}: this version of Node does not run TypeScript; 22.18 and later do.`;
      t.match(await refusal(file), { code: 'E_CONFIG_UNREADABLE', text });
    }
  }
  if (!process.features.typescript) return;
  const { text } = await refusal('syntax.config.ts');
  t.match(text, /^syntax.config.ts:1 threw an error: SyntaxError: Expression expected/);
});

t.test('JavaScript that fails gives one clear error', async (t) => {
  const { refusal, write } = ecosystemDirectory(t);
  const rows = [
    ['throws.config.js', `\nthrow new Error('no');`, ':2 threw an error: Error: no'],
    ['throws.config.mjs', `export default {};\nnull.apps;`, ':2 threw an error: TypeError'],
    ['json.config.js', `module.exports = JSON.parse('{');`, ':1 threw an error: SyntaxError'],
    ['syntax.config.cjs', `module.exports = {\n  apps: [}\n`, ':2 threw an error: SyntaxError: Un'],
    ['odd.config.js', 'throw Object.create(null)', ' threw an error: what it threw has no text'],
    ['end.config.js', `module.exports = {`, ':1 threw an error: SyntaxError: Unexp'],
    [
      'function.config.js',
      `module.exports = () => ({});`,
      ' has an error:\n  function.config.js: expected a list of apps, got a function',
    ],
  ];
  for (const [file, text, fault] of rows) {
    write(file, text);
    const code = fault.includes('threw') ? 'E_CONFIG_SCRIPT_FAILED' : /^E_CONFIG_/;
    const refused = await refusal(file);
    t.match(refused, { code, exit: 3 }, file);
    t.ok(refused.text.startsWith(`${file}${fault}`), refused.text);
  }
});

t.test('JSON5, as files written for PM2 use it', async (t) => {
  const { resolve, refusal } = ecosystemDirectory(t, {
    'a.json': `{
      // the shop
      "$schema": "./ecosystem.schema.json",
      "apps": [{ "script": "app.js", "env": { "A": "\\u00e4\\n", "B": 1.5e3 }, }, /* end */],
    }`,
    'b.json': `{
      apps: [{
        script: 'app.js', $x_1: 1,
        env: { VERSION: 1.10, HEX: 0x10, SIGNED: +1, 'a-b': '\\x41', ON: true, NONE: null, },
        args: ['one \\\r\nline', 'another \\\nline'],
      }],
    }`,
    'c.json': '{"apps": [{"script": "app.js", "min_uptime": -1}]}',
  });
  t.match((await resolve('a.json')).specs, [{ env: { A: 'ä\n', B: '1.5e3' } }]);
  const { specs, warnings } = await resolve('b.json', { lenient: true });
  t.same(specs[0].env, { VERSION: '1.10', HEX: '0x10', SIGNED: '+1', 'a-b': 'A', ON: 'true' });
  t.same(specs[0].args, ['one line', 'another line']);
  t.match(warnings, [/^b\.json:3:27 apps\[0\]\.\$x_1: /]);
  t.match((await refusal('c.json')).text, 'c.json:1:46 apps[0].min_uptime: expected a duration');
});

t.test(
  'a number is one for an option and in JSON, and text as it was written elsewhere',
  async (t) => {
    const yaml =
      'script: app.js\nmax_restarts: 1e1\nargs: [1.50]\nenv: {A: {b: [1.0, 1e3]}, C: 007}\n';
    const { resolve } = ecosystemDirectory(t, {
      'a.yml': yaml,
      'a.json':
        '{script: "app.js", max_restarts: 1e1, args: [1.50], env: {A: {b: [1.0, 1e3]}, C: 007}}',
    });
    for (const file of ['a.yml', 'a.json']) {
      const [{ maxRestarts, args, env }] = (await resolve(file)).specs;
      t.same(
        { maxRestarts, args, env },
        { maxRestarts: 10, args: ['1.50'], env: { A: '{"b":[1,1000]}', C: '007' } },
      );
    }
  },
);

t.test(
  'JSON files of PM2: comments at every place, a byte order mark, Windows lines',
  async (t) => {
    const app = '{"script": "app.js"}';
    const texts = [
      `\ufeff${app}`,
      `\ufeff// first\r\n{\r\n  apps: [\r\n    {script: 'app.js',},\r\n  ],\r\n}\r\n`,
      `/* a */ // b\n{apps: [${app}]}\n// c\n/* d */`,
      '{/*a*/apps/*b*/:/*c*/[/*d*/{/*e*/script/*f*/:/*g*/"app.js"/*h*/,/*i*/}/*j*/,/*k*/]/*l*/,/*m*/} //',
      '{\n/**\n * Doc\n */\n"apps" : [\n// first\n{"script": "app.js"},// last\n]}',
      `[${app}]`,
      `{"apps": ${app}}`,
      `{pm2: [${app}], deploy: {production: {'post-deploy': '\\\nnpm i && \\\npm2 reload all'}}}`,
      `{apps:[{script:'app.js',name:"app",env:{A:'it\\'s "x"',B:"\\\\"}}]}`,
      '\t{apps:\u00a0[{script: ".\\/app.js", env: {default: "http://x/*y*/"}}]\u2028}',
    ];
    const { resolve, write } = ecosystemDirectory(t);
    for (const [index, text] of texts.entries()) {
      write('process.json', text);
      t.match((await resolve('process.json')).specs, [{ name: 'app' }], `text ${index}`);
    }
  },
);

t.test('package.json is a file of apps only if it has some', async (t) => {
  const { resolve, refusal, write } = ecosystemDirectory(t, { 'package.json': '{"name": "shop"}' });
  t.match(await refusal('package.json'), { code: 'E_CONFIG_PACKAGE' });
  write('package.json', '{"name": "shop", "pm2": [{"script": "app.js"}], "version": "1.0.0"}');
  const { specs, warnings } = await resolve('package.json');
  t.match(specs, [{ name: 'shop' }]);
  t.same(warnings, []);
});

t.test('JSON with a syntax error', async (t) => {
  const rows = {
    comma: ['{\n  "apps": [{ "script": "app.js" "args": [] }]\n}', '2:33'],
    twice: ['{"apps": [], "apps": []}', '1:14'],
    end: ['{"apps": [', '1:11'],
    comment: ['{"apps": [] /* no end', '1:22'],
    open: ['{"apps": "x', '1:12'],
    more: ['[1] 2', '1:5'],
    number: ['{"instances": 2\n "name": "x"}', '1:15'],
    script: ['{apps: [{script: "a" + ".js"}]}', '1:22'],
    unquoted: ['{"apps": [{"name": shop}]}', '1:20'],
    module: ['module.exports = {}', '1:1'],
  };
  const { refusal, write } = ecosystemDirectory(t);
  for (const [name, [text, position]] of Object.entries(rows)) {
    write(`${name}.json`, text);
    const refused = await refusal(`${name}.json`);
    t.equal(refused.code, 'E_CONFIG_SYNTAX', name);
    t.ok(refused.text.startsWith(`${name}.json:${position} `), refused.text);
    t.matchSnapshot(refused.text, `${name}.json`);
  }
});

t.test('standard input', async (t) => {
  const { resolve, refusal, directory } = ecosystemDirectory(t);
  const given = (...texts) => ({ stdin: Readable.from(texts) });
  const yaml = await resolve('-', given('apps:\n', '  - script: app.js\n'));
  t.match(yaml.specs, [{ name: 'app', script: join(directory, 'app.js'), configFile: null }]);
  t.match((await resolve('-', given('{"script": "app.js"}'))).specs, [{ name: 'app' }]);
  t.match(await refusal('-', given()), { code: 'E_CONFIG_EMPTY' });
  const { text } = await refusal('-', given('script: 1.js'));
  t.match(text, 'standard input:1:9 script: expected a file that exists');
  const flood = given(...Array(2000).fill('x'.repeat(1000)));
  t.match(await refusal('-', flood), { code: 'E_CONFIG_UNREADABLE', text: /larger than 512K/ });
});

t.test('the ecosystem file of a directory', async (t) => {
  const { directory, write } = ecosystemDirectory(t);
  t.equal(findEcosystemFile(directory), null);
  for (const name of ['ecosystem.config.cjs', 'ecosystem.json', 'ecosystem.yml']) {
    write(name, '');
    t.equal(findEcosystemFile(directory), name);
  }
});

t.test('a symbolic link in the path of a file stays in it', async (t) => {
  const { directory } = ecosystemDirectory(t, { 'releases/1/x.yml': 'script: app.js' });
  const current = join(directory, 'current');
  symlinkSync(join(directory, 'releases/1'), current);
  const { file, directory: start, label } = await loadFile('current/x.yml', { cwd: directory });
  t.same([file, start, label], [join(current, 'x.yml'), current, 'current/x.yml']);
});
