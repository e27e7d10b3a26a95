/** Wrong files: the code, the exit code and the position of each; the wording is in a snapshot. */
import { execFileSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadFile } from '../../../src/config/file/load.js';
import { ecosystemDirectory } from '../ecosystem-directory.js';

function isRefused(t, refusal, code, ...positions) {
  t.match(refusal, { code, exit: 3 });
  for (const position of positions) t.ok(refusal.text.includes(`${position} `), position);
  t.matchSnapshot(refusal.text, 'message');
}

const APP = 'apps:\n  - script: app.js\n';
const WRONG_TYPES = `${APP}    args: {port: 3000}\n    autorestart: maybe\n`;
const BAD_DURATIONS = `${APP}    kill_timeout: ten\n    drain_timeout: 40d\n`;
const TWINS = 'apps:\n  - name: api\n    script: app.js\n  - name: api\n    script: web.js\n';

/** Each file, its code, and the positions that the message names. */
const rows = [
  ['a list that is not closed', 'apps:\n  - name: api\n    args: [a, b\n', 'SYNTAX', '4:1'],
  ['a tab', 'apps:\n  - name: api\n\tscript: app.js\n', 'SYNTAX', '3:1'],
  ['too little indentation', 'apps:\n  - name: api\n  script: app.js\n', 'SYNTAX', '3:1'],
  ['an indentation between', 'apps:\n  - name: api\n   script: app.js\n', 'SYNTAX', '3:1'],
  ['a duplicate key', 'apps:\n  - script: a.js\n    env: {}\n    script: b.js\n', 'SYNTAX', '4:5'],
  ['an unknown alias', 'apps: *nobody', 'SYNTAX'],
  ['a misspelt script', 'apps:\n  - name: api\n    scritp: app.js\n', 'INVALID', '3:5'],
  ['two documents', 'a: 1\n---\nb: 2\n', 'SYNTAX', '2:1'],
  ['not UTF-8', Buffer.from('apps: äöü', 'latin1'), 'UNREADABLE'],
  ['nothing', '', 'EMPTY'],
  ['only a comment', '# nothing\n', 'EMPTY'],
  ['a wrong type', WRONG_TYPES, 'INVALID', '3:11 4:18'],
  ['a missing script', 'apps:\n  - script: ./apps.js\n', 'INVALID', '2:13'],
  ['two apps of one name', TWINS, 'INVALID', '4:11'],
  ['a bad duration', BAD_DURATIONS, 'INVALID', '3:19 4:20'],
];

for (const [what, text, code, positions = ''] of rows) {
  t.test(what, async (t) => {
    const refused = await ecosystemDirectory(t).refusalOf(text);
    const at = positions.split(' ').map((position) => `x.yml:${position}`);
    isRefused(t, refused, `E_CONFIG_${code}`, ...(positions ? at : []));
  });
}

t.test('the line is shown without its secrets', async (t) => {
  const { refusal } = ecosystemDirectory(t, {
    'x.yml': 'env:\n  DB_PASSWORD: "planted" oops\n',
    'x.json': '{"env": {"DB_PASSWORD": "planted" "oops"}}',
  });
  for (const file of ['x.yml', 'x.json']) {
    const { code, text } = await refusal(file);
    t.equal(code, 'E_CONFIG_SYNTAX', file);
    t.match(text, 'DB_PASSWORD', file);
    t.notMatch(text, 'planted', file);
  }
});

t.test('an unknown key', async (t) => {
  const text = 'apps:\n  - script: app.js\n    kill_timout: 10s\n';
  const { refusal, resolve } = ecosystemDirectory(t, { 'x.yml': text });
  isRefused(t, await refusal('x.yml'), 'E_CONFIG_INVALID', 'x.yml:3:5');
  const { warnings } = await resolve('x.yml', { lenient: true });
  t.match(warnings, [/^x\.yml:3:5 .* kill_timeout\?$/]);
  t.matchSnapshot(warnings.join('\n'), 'lenient');
});

t.test('an empty file', async (t) => {
  const { refusal } = ecosystemDirectory(t, {
    'z.json': ' \n',
    'x.config.js': 'const apps = [];\n',
    'x.config.mjs': 'const apps = [];\n',
  });
  for (const file of ['z.json', 'x.config.js', 'x.config.mjs']) {
    isRefused(t, await refusal(file), 'E_CONFIG_EMPTY', file);
  }
});

t.test('a directory', async (t) => {
  const { refusal } = ecosystemDirectory(t, { 'conf.yml/note': '' });
  isRefused(t, await refusal('conf.yml'), 'E_CONFIG_UNREADABLE');
});

t.test('a named pipe, to which nobody writes', async (t) => {
  const { refusal, directory } = ecosystemDirectory(t, {});
  execFileSync('mkfifo', [join(directory, 'x.yml'), join(directory, 'ecosystem.config.cjs')]);
  for (const file of ['x.yml', 'ecosystem.config.cjs']) {
    isRefused(t, await refusal(file), 'E_CONFIG_UNREADABLE');
  }
});

t.test('50 MB', async (t) => {
  const { refusal, directory } = ecosystemDirectory(t, { 'x.yml': 'apps:\n' });
  truncateSync(join(directory, 'x.yml'), 50 * 1024 * 1024);
  isRefused(t, await refusal('x.yml'), 'E_CONFIG_UNREADABLE');
});

t.test('a YAML alias bomb', async (t) => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level += 1) {
    const items = Array(9).fill(`*a${level - 1}`);
    lines.push(`a${level}: &a${level} [${items.join(', ')}]`);
  }
  isRefused(t, await ecosystemDirectory(t).refusalOf(lines.join('\n')), 'E_CONFIG_SYNTAX');
});

t.test('what would take the YAML parser long', async (t) => {
  const many = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const { refusal } = ecosystemDirectory(t, {
    'wide.yml': `apps:\n${many(40_000, (index) => `  k${index}: 1`)}\n  k0: 2\n`,
    'aliases.yml': `a: &a [1]\n${many(20_000, (index) => `b${index}: *a`)}\n`,
  });
  isRefused(t, await refusal('wide.yml'), 'E_CONFIG_SYNTAX', 'wide.yml:40002:3');
  isRefused(t, await refusal('aliases.yml'), 'E_CONFIG_SYNTAX', 'aliases.yml:1002:8');
});

t.test('a missing file, and deep nesting', async (t) => {
  const { refusal } = ecosystemDirectory(t, {
    'deep.yml': '['.repeat(10_000),
    'deep.json': '['.repeat(100_000),
  });
  isRefused(t, await refusal('none.yml'), 'E_CONFIG_UNREADABLE');
  // The column is where the stack of this Node ends.
  for (const file of ['deep.yml', 'deep.json'])
    t.match(await refusal(file), { code: 'E_CONFIG_SYNTAX', text: /nested too deeply/ });
});

t.test('a missing file', async (t) => {
  const { directory } = ecosystemDirectory(t, { 'shop.yml': 'apps: []' });
  const error = { code: 'E_CONFIG_UNREADABLE', hint: /^Check the path/ };
  for (const typed of ['market.yml', 'nowhere/shop.yml', 'shop.yml/more.yml']) {
    await t.rejects(loadFile(typed, { cwd: directory }), error);
  }
  await t.rejects(loadFile('shpo.yml', { cwd: directory }), { hint: 'Did you mean shop.yml?' });
});

t.test('an error in watch alone', async (t) => {
  const { refusalOf } = ecosystemDirectory(t);
  for (const [written, got] of [
    ['yes', /apps\[0\]\.watch: expected true or false, got "yes"/],
    ['{}', /apps\[0\]\.watch: expected true, false, a path/],
    ['[src, {}]', /apps\[0\]\.watch\[1\]: expected a string/],
  ]) {
    const { text } = await refusalOf(`apps: [{ script: app.js, watch: ${written} }]\n`);
    t.match(text, got);
  }
});

t.test('all errors at once, in the order of the file', async (t) => {
  const { text } = await ecosystemDirectory(t).refusalOf(`apps:
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
`);
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
