/** Twelve wrong files, and what each prints. */
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ecosystemFolder } from '../ecosystem-directory.js';

const invalid = (/** @type {string} */ text) => ({ code: 'E_CONFIG_INVALID', exit: 3, text });
const syntax = (/** @type {string} */ text) => ({ code: 'E_CONFIG_SYNTAX', exit: 3, text });

t.test('a syntax error shows the line', async (t) => {
  const { refusal } = ecosystemFolder(t, { 'x.yml': 'apps:\n  - name: api\n    args: [a, b\n' });
  t.same(
    await refusal('x.yml'),
    syntax(
      [
        'x.yml:4:1 is not valid YAML: flow sequence in block collection must be sufficiently ' +
          'indented and end with a ]',
        '  4 | ',
        '    | ^',
      ].join('\n'),
    ),
  );
});

t.test('a tab', async (t) => {
  const { refusal } = ecosystemFolder(t, { 'x.yml': 'apps:\n  - name: api\n\tscript: app.js\n' });
  t.same(
    await refusal('x.yml'),
    syntax(
      [
        'x.yml:3:1 is not valid YAML: a tab indents this line; YAML wants spaces',
        '  3 |  script: app.js',
        '    | ^',
      ].join('\n'),
    ),
  );
});

t.test('a duplicate key', async (t) => {
  const text = 'apps:\n  - script: app.js\n    env: {}\n    script: web.js\n';
  const { refusal } = ecosystemFolder(t, { 'x.yml': text });
  t.same(
    await refusal('x.yml'),
    syntax(
      [
        'x.yml:4:5 is not valid YAML: this key is given twice in the same map',
        '  4 |     script: web.js',
        '    |     ^',
      ].join('\n'),
    ),
  );
});

t.test('an unknown key', async (t) => {
  const text = 'apps:\n  - script: app.js\n    kill_timout: 10s\n';
  const { refusal, resolve } = ecosystemFolder(t, { 'x.yml': text });
  t.same(
    await refusal('x.yml'),
    invalid(
      'x.yml has an error:\n' +
        '  x.yml:3:5 apps[0].kill_timout: expected a known key, got "kill_timout"; ' +
        'did you mean kill_timeout?',
    ),
  );
  t.same((await resolve('x.yml', { lenient: true })).warnings, [
    'x.yml:3:5 apps[0].kill_timout: unknown key kill_timout is ignored; ' +
      'did you mean kill_timeout?',
  ]);
});

t.test('a wrong type', async (t) => {
  const text = 'apps:\n  - script: app.js\n    args: {port: 3000}\n    autorestart: maybe\n';
  const { refusal } = ecosystemFolder(t, { 'x.yml': text });
  t.same(
    await refusal('x.yml'),
    invalid(
      'x.yml has 2 errors:\n' +
        '  x.yml:3:11 apps[0].args: expected a list of texts, or one text that is split at ' +
        'blanks, got a map\n' +
        '  x.yml:4:18 apps[0].autorestart: expected true or false, got "maybe"',
    ),
  );
});

t.test('a script that is missing', async (t) => {
  const { refusal } = ecosystemFolder(t, { 'x.yml': 'apps:\n  - script: ./apps.js\n' });
  t.same(
    await refusal('x.yml'),
    invalid(
      'x.yml has an error:\n' +
        '  x.yml:2:13 apps[0].script: expected a file that exists or a command in PATH, ' +
        'got "./apps.js" (there is no HERE/apps.js)',
    ),
  );
});

t.test('two apps of one name', async (t) => {
  const text = 'apps:\n  - name: api\n    script: app.js\n  - name: api\n    script: web.js\n';
  const { refusal } = ecosystemFolder(t, { 'x.yml': text });
  t.same(
    await refusal('x.yml'),
    invalid(
      'x.yml has an error:\n' +
        '  x.yml:4:11 apps[1].name: expected another name, got "api" again (apps[0])',
    ),
  );
});

t.test('a bad duration', async (t) => {
  const text = 'apps:\n  - script: app.js\n    kill_timeout: ten\n    drain_timeout: 40d\n';
  const { refusal } = ecosystemFolder(t, { 'x.yml': text });
  t.same(
    await refusal('x.yml'),
    invalid(
      'x.yml has 2 errors:\n' +
        '  x.yml:3:19 apps[0].kill_timeout: expected a duration such as 10s, 1m or 500 ' +
        '(milliseconds), got "ten"\n' +
        '  x.yml:4:20 apps[0].drain_timeout: expected a duration of at most 24d, got "40d"',
    ),
  );
});

t.test('an empty file', async (t) => {
  const { refusal } = ecosystemFolder(t, { 'x.yml': '', 'y.yml': '# nothing\n', 'z.json': ' \n' });
  for (const file of ['x.yml', 'y.yml', 'z.json']) {
    const text = `${file} does not define any apps.`;
    t.same(await refusal(file), { code: 'E_CONFIG_EMPTY', exit: 3, text });
  }
});

t.test('a directory', async (t) => {
  const { refusal } = ecosystemFolder(t, { 'conf.yml/note': '' });
  const text = 'conf.yml is a directory, not an ecosystem file.';
  t.same(await refusal('conf.yml'), { code: 'E_CONFIG_NOT_A_FILE', exit: 3, text });
});

t.test('50 MB', async (t) => {
  const { refusal, folder } = ecosystemFolder(t, { 'x.yml': 'apps:\n' });
  truncateSync(join(folder, 'x.yml'), 50 * 1024 * 1024);
  const text = 'x.yml is too large for an ecosystem file (more than 1 MiB).';
  t.same(await refusal('x.yml'), { code: 'E_CONFIG_TOO_LARGE', exit: 3, text });
});

t.test('a YAML alias bomb', async (t) => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level += 1) {
    const items = Array(9).fill(`*a${level - 1}`);
    lines.push(`a${level}: &a${level} [${items.join(', ')}]`);
  }
  const { refusal } = ecosystemFolder(t, { 'x.yml': lines.join('\n') });
  t.same(
    await refusal('x.yml'),
    syntax('x.yml is not valid YAML: its aliases stand for more than 100 values'),
  );
});

t.test('besides: a missing file, no UTF-8, a deep nest, an unknown alias', async (t) => {
  const { refusal } = ecosystemFolder(t, {
    'utf16.yml': Buffer.from('apps: äöü', 'latin1'),
    'deep.yml': '['.repeat(10_000),
    'deep.json': '['.repeat(100_000),
    'alias.yml': 'apps: *nobody',
    'two.yml': 'a: 1\n---\nb: 2\n',
  });
  t.match(await refusal('none.yml'), {
    code: 'E_CONFIG_MISSING',
    text: 'none.yml does not exist.',
  });
  t.match(await refusal('utf16.yml'), {
    code: 'E_CONFIG_UNREADABLE',
    text: /utf16\.yml.*UTF-8/,
  });
  t.match((await refusal('deep.yml')).text, /is not valid YAML: it is nested too deeply/);
  t.match(
    (await refusal('deep.json')).text,
    /deep.json:1:101 is not valid JSON: expected at most 100/,
  );
  t.match((await refusal('alias.yml')).text, 'the alias *nobody stands for nothing above it');
  t.match((await refusal('two.yml')).text, 'two.yml:2:1 is not valid YAML: a second document');
});

t.test('all errors at once, in the order of the file', async (t) => {
  const { refusal } = ecosystemFolder(t, {
    'x.yml': `apps:
  - name: all
    script: app.js
    instances: lots
    exec_mode: shared
  - 7
  - name: b
    kill_signal: SIGNAL
    watch: yes
    cron_restart: 61 * * * *
  - name: c
    script: web.js
    increment_var: PORT
    killTimeout: 1
    kill_timeout: 2
    stop_exit_codes: [0, 300]
    cwd: ./nowhere
`,
  });
  const { text } = await refusal('x.yml');
  const lines = text.split('\n').slice(1);
  t.same(
    lines.map((line) => /(\d+):\d+ (\S+):/.exec(line)?.slice(1).join(' ')),
    [
      '2 apps[0].name',
      '4 apps[0].instances',
      '5 apps[0].exec_mode',
      '6 apps[1]',
      '7 apps[2].script',
      '8 apps[2].kill_signal',
      '9 apps[2].watch',
      '10 apps[2].cron_restart',
      '15 apps[3].kill_timeout',
      '16 apps[3].stop_exit_codes',
      '17 apps[3].cwd',
    ],
  );
});
