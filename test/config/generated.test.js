/** What is made from the table, or has to keep up with it: schema, documentation, example, init. */
import { readFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { everyOption, exampleOf, optionsMarkdown } from '../../scripts/options-page.js';
import { ecosystemTemplate } from '../../src/config/init.js';
import { checkModules } from '../../scripts/checks.js';
import { commandsMarkdown } from '../../scripts/commands-page.js';
import { outputSchema } from '../../scripts/output-schema.js';
import { options } from '../../src/config/options/table.js';
import { jsonSchema } from '../../scripts/schema.js';
import { settingsTypes } from '../../scripts/settings-types.js';
import { ecosystemDirectory } from './ecosystem-directory.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const example = read('ecosystem.example.yml');
const accepts = new Ajv({ strict: false }).compile(jsonSchema());

for (const [path, make] of Object.entries({
  'ecosystem.schema.json': jsonSchema,
  'docs/reference/json.schema.json': outputSchema,
})) {
  t.same(JSON.parse(read(path)), make(), `${path}: npm run generate`);
}

for (const [path, make] of Object.entries({
  'docs/reference/commands.md': commandsMarkdown,
  'docs/reference/configuration.md': optionsMarkdown,
  'src/api/app-settings.d.ts': settingsTypes,
  ...checkModules,
})) {
  const style = await resolveConfig(path);
  const expected = await format(await make(), { ...style, filepath: path });
  t.equal(read(path), expected, `${path}: npm run generate`);
}

t.test('each option has an example', async (t) => {
  const without = options.filter((option) => exampleOf(option) === undefined);
  t.same(without, []);
});

t.test('the examples are valid', async (t) => {
  // Only root may name other accounts.
  const ofRoot = process.getuid?.() === 0 ? /$^/ : /^ *([ug]id|privileged_ports):.*/gm;
  const { resolve, directory } = ecosystemDirectory(t, {
    ...{ 'server.js': '', 'thumbnails.py': '', '.env': 'A=1', '.env.local': '' },
    ...{ 'hello.cjs': '', 'greets.py': '', 'report.cjs': '' },
    ...{ 'x.yml': example, 'all.yml': everyOption.replace(ofRoot, '') },
  });
  mkdirSync(join(directory, 'current', 'src'), { recursive: true });
  mkdirSync(join(directory, 'current', 'config'));
  const expected = {
    'x.yml': [{ name: 'hello', env: { LOG_LEVEL: 'debug' } }, {}, { name: 'report' }],
    'all.yml': [{ name: 'api', env: { NODE_ENV: 'staging' } }, { name: 'thumbnails' }],
  };
  for (const [file, apps] of Object.entries(expected)) {
    const { specs, warnings } = await resolve(file, { envName: 'staging' });
    t.same(warnings, []);
    t.match(specs, apps);
  }
});

t.test('the schema accepts valid files', async (t) => {
  const app = { script: 'app.js' };
  const right = [
    parse(example, { merge: true }),
    parse(everyOption, { merge: true }),
    app,
    [app],
    { apps: app },
    { apps: [app], 'x-a': 1, $schema: 'x' },
    { pm2: [app] },
    { ...app, 'x-a': 1, $schema: 'x', killTimeout: '1s', env_live: { A: 1 } },
    { apps: [{ cmd: 'app.js', killTimeout: '10s', env_production: { A: 1 }, cron: '@daily' }] },
    { ...app, instances: 'max', watch: true, args: '-a -b', cron_restart: null },
    { ...app, env: { A: [1], B: null } },
  ];
  for (const file of right) t.ok(accepts(file), JSON.stringify([file, accepts.errors]));
});

t.test('the schema rejects invalid files', async (t) => {
  const files = ['hello', 7, [], {}, { apps: [] }, { apps: [{}] }, { apps: 'app.js' }];
  const parts = [
    { kill_timout: 1 },
    { kill_timeout: 'ten' },
    { instances: 'lots' },
    { autorestart: 'yes' },
    { name: 'all' },
    { args: { a: 1 } },
    { exec_mode: 'x' },
    { kill_signal: 'SIGNAL' },
    { env: ['A=1'] },
    { watch: 'yes' },
    { env_staging: 'A=1' },
    { killTimeout: 'ten' },
    { listen_timeout: 0 },
    { cron_restart: 5 },
    { out_file: '' },
    { log_rotate: { size: 1 } },
  ].map((part) => ({ script: 'app.js', ...part }));
  const slip = { apps: [{ script: 'app.js' }], deply: {} };
  const inside = { apps: [{ script: 'app.js', 'x-a': 1 }] };
  for (const file of [...files, { name: 'api' }, { 'x-a': 1 }, ...parts, slip, inside]) {
    t.notOk(accepts(file), JSON.stringify(file));
  }
});

t.test('init finds the program of a directory', async (t) => {
  const { directory, resolveText } = ecosystemDirectory(t, { 'src/main.js': '' });
  const started = (start) => ({ name: 'shop', scripts: { start } });
  const rows = [
    [{ ...started(''), name: '@acme/shop' }, 'shop', './app.js'],
    [started('node src/main.js'), 'shop', './src/main.js'],
    [started('node src/main -x "a b"'), 'shop', './src/main.js', ['-x', 'a b']],
    [started('node --no-warnings src/main.js'), 'shop', './app.js'],
    [started('PORT=80 node src/main.js'), 'shop', './app.js'],
    [started('cd src && node main.js'), 'shop', './app.js'],
    [started('node gone.js'), 'shop', './app.js'],
    [{ ...started('next start'), main: './web.js' }, 'web', './web.js'],
    [{ name: 'shop', main: 'gone.js' }, 'shop', './app.js'],
    [{ name: 'all' }, 'app-all', './app.js'],
    [null, 'app', './app.js'],
  ];
  for (const [packageJson, name, script, args = []] of rows) {
    const text = String(ecosystemTemplate({ packageJson, directory }));
    const { specs } = await resolveText(text);
    const env = { NODE_ENV: 'production' };
    t.match(specs, [{ name, script: join(directory, script), instances: 1, env, nodeArgs: [] }]);
    t.same(specs[0].args, args);
    t.notMatch(text, /schema=/, 'no path of this machine');
  }
});

t.test('init writes max only for a server, and which port it has', async (t) => {
  const sources = { 'web.js': 'app.listen(process.env.PORT || 80)', 'bot.js': 'client.login()' };
  const { directory } = ecosystemDirectory(t, sources);
  const textOf = (file) => String(ecosystemTemplate({ packageJson: null, directory, file }));
  t.match(textOf('web.js'), /instances: max\n[^]*# PORT: 80\n/);
  t.equal(parse(textOf('bot.js')).apps[0].instances, 1, 'it would answer everything twice');
});

t.test('init with Python programs, and without any', async (t) => {
  const directory = t.testdir({ 'main.py': '', 'setup.py': '', empty: {}, one: { 'job.py': '' } });
  const text = ecosystemTemplate({ packageJson: null, directory });
  t.match(parse(String(text)).apps, [{ script: './main.py', instances: 1 }]);
  const named = ecosystemTemplate({ packageJson: null, directory, file: 'one/job.py' });
  t.match(parse(String(named)).apps, [{ script: './one/job.py' }]);
  t.equal(ecosystemTemplate({ packageJson: null, directory, file: 'gone.py' }), null);
  const one = ecosystemTemplate({ packageJson: null, directory: join(directory, 'one') });
  t.match(parse(String(one)).apps, [{ script: './job.py' }]);
  for (const none of ['empty', 'gone']) {
    t.equal(ecosystemTemplate({ packageJson: null, directory: join(directory, none) }), null);
  }
});

t.test('init names the schema if the package is installed in the project', async (t) => {
  const schema = 'node_modules/nodecluster/ecosystem.schema.json';
  const { directory } = ecosystemDirectory(t, { [schema]: '{}' });
  const [first] = String(ecosystemTemplate({ packageJson: null, directory })).split('\n');
  t.match(first, `# yaml-language-server: $schema=./${schema}`);
});
