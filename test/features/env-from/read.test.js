import t from 'tap';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { readSources } from '../../../src/features/env-from/read.js';

const SECRET = 's3cret-value';
const root = t.testdir({
  plain: `${SECRET}\n`,
  windows: `${SECRET}\r\n`,
  lines: `one\ntwo\n\n`,
  zero: `${SECRET}\0`,
  large: 'x'.repeat(128 * 1024 + 1),
  all: { 'db-password': 'p\n', '2fa.key': 'k', '.hidden': 'no', inner: { file: 'no' } },
  numbered: { A: '1' },
  broken: { A: '1', gone: t.fixture('symlink', './nowhere') },
});
execFileSync('mkfifo', [`${root}/pipe`]);
mkdirSync(`${root}/kubernetes/..data`, { recursive: true });
symlinkSync(`${root}/plain`, `${root}/kubernetes/token`);

const context = {
  cwd: root,
  env: { PATH: String(process.env.PATH), CREDENTIALS: root, EMPTY: '' },
};
const source = (given) => ({
  ...{ file: null, directory: null, command: null, as: null, timeoutMs: 5000 },
  ...given,
});
const printing = (text) => [
  process.execPath,
  '-e',
  `process.stdout.write(${JSON.stringify(text)})`,
];

/** @type {[name: string, sources: object[], expected: Record<string, string>][]} */
const rows = [
  ['none', [], {}],
  ['a file, relative to cwd', [{ file: 'plain', as: 'A' }], { A: SECRET }],
  ['a file of Windows', [{ file: 'windows', as: 'A' }], { A: SECRET }],
  ['one line break is removed', [{ file: 'lines', as: 'A' }], { A: 'one\ntwo\n' }],
  ['a variable of the app', [{ file: '$CREDENTIALS/plain', as: 'A' }], { A: SECRET }],
  ['in braces', [{ directory: '${CREDENTIALS}/numbered' }], { A: '1' }],
  ['names of files', [{ directory: 'all' }], { DB_PASSWORD: 'p', _2FA_KEY: 'k' }],
  ['links of Kubernetes', [{ directory: 'kubernetes' }], { TOKEN: SECRET }],
  ['the output of a command', [{ command: printing('v\n'), as: 'A' }], { A: 'v' }],
  ['lines', [{ command: printing('A=1\nexport B="2 #"\n') }], { A: '1', B: '2 #' }],
  [
    'the later wins',
    [{ file: 'plain', as: 'A' }, { directory: 'numbered' }, { command: printing('B=2') }],
    { A: '1', B: '2' },
  ],
];
for (const [name, sources, expected] of rows) {
  t.test(name, async (t) => {
    t.strictSame(await readSources(sources.map(source), context), expected);
  });
}

/** @type {[given: object, message: string][]} */
const faults = [
  [{ file: 'gone', as: 'A' }, 'env_from gone: it does not exist'],
  [{ file: 'all', as: 'A' }, 'env_from all: it is not a regular file'],
  [{ file: 'pipe', as: 'A' }, 'env_from pipe: it is not a regular file'],
  [{ file: 'zero', as: 'A' }, 'env_from zero: it contains a zero byte, which no variable can have'],
  [{ file: 'large', as: 'A' }, 'env_from large: it is larger than 128K'],
  [{ file: '$NOBODY/a', as: 'A' }, 'env_from $NOBODY/a: the app has no variable NOBODY'],
  [{ file: '$EMPTY/a', as: 'A' }, 'env_from $EMPTY/a: the app has no variable EMPTY'],
  [{ directory: 'plain' }, 'env_from plain: it is not a directory'],
  [{ directory: 'broken' }, 'env_from broken: gone: it does not exist'],
  [{ command: ['./gone'] }, 'env_from ./gone: it could not be started (ENOENT)'],
  [{ command: printing(SECRET) }, `env_from ${process.execPath}: line 1: expected NAME=value`],
  [
    { command: ['sh', '-c', `echo ${SECRET}; echo ${SECRET} >&2; exit 3`] },
    'env_from sh: it exited with 3',
  ],
  [{ command: ['sleep', '60'], timeoutMs: 100 }, 'env_from sleep: no result within 0.1 s'],
  [{ command: ['sh', '-c', 'kill -9 $$'] }, 'env_from sh: it was ended by SIGKILL'],
  [{ command: ['yes', SECRET] }, 'env_from yes: it printed more than 1M'],
];
for (const [given, message] of faults) {
  t.test(message, async (t) => {
    await t.rejects(readSources([source(given)], context), { message });
  });
}
