import t from 'tap';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { readSources } from '../../src/features/env-from/read.js';
import { descriptorsOf, isRunning } from '../support/processes.js';
import { until } from '../support/until.js';

const OWN = 'NODECLUSTER_WORKER';
const SECRET = 's3cret-value';
const root = t.testdir({
  plain: `${SECRET}\n`,
  windows: `${SECRET}\r\n`,
  lines: `one\ntwo\n\n`,
  zero: `${SECRET}\0`,
  large: 'x'.repeat(128 * 1024 + 1),
  all: { 'db-password': 'p\n', '2fa.key': 'k', '.hidden': 'no', inner: { file: 'no' } },
  numbered: { A: '1' },
  nothing: '',
  'line-break': '\n',
  hollow: {},
  twins: { 'db-pw': 'a', DB_PW: 'b' },
  partly: { A: '1', B: '' },
  much: { ...Array(9).fill('x'.repeat(120 * 1024)) },
  reserved: { 'node-channel-fd': '3' },
  broken: { A: '1', gone: t.fixture('symlink', './nowhere') },
});
execFileSync('mkfifo', [`${root}/pipe`]);
mkdirSync(`${root}/kubernetes/..data`, { recursive: true });
symlinkSync(`${root}/plain`, `${root}/kubernetes/token`);

const context = {
  cwd: root,
  env: {
    ...{ PATH: String(process.env.PATH), CREDENTIALS: root, EMPTY: '' },
    [OWN]: 'of the command',
  },
  instanceVar: 'SLOT',
  signal: new AbortController().signal,
};
const source = (given) => ({
  ...{ file: null, directory: null, command: null, as: null, timeoutMs: 60_000 },
  ...given,
});
const writing = (text) => `process.stdout.write(${JSON.stringify(text)})`;
const printing = (text) => [process.execPath, '-e', writing(text)];

const shell = (text, ...args) => ({ command: ['sh', '-c', text, ...args] });

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
  ['all that a command was given', [shell(`env | grep ${OWN}`)], { [OWN]: 'of the command' }],
  ['the later wins', [{ file: 'plain', as: 'B' }, { command: printing('B=2') }], { B: '2' }],
];
t.test('what is read', async (t) => {
  for (const [name, sources, expected] of rows) {
    const read = await readSources(sources.map(source), context);
    const values = Object.entries(read).map(([key, { value }]) => [key, value]);
    t.strictSame(Object.fromEntries(values), expected, name);
  }
});

const large = 'head -c 300000 /dev/zero | tr "\\0" x';
const masked = `To see why: cd ${root} && sh -c 'exit 1' --token '********'`;
const seeWhy = `To see why: cd ${root} && sh -c`;

const faults = [
  [{ file: 'gone', as: 'A' }, 'gone: it does not exist'],
  [{ file: 'all', as: 'A' }, 'all: it is not a regular file'],
  [{ file: 'pipe', as: 'A' }, 'pipe: it is not a regular file'],
  [{ file: 'zero', as: 'A' }, 'zero: A contains a zero byte, which no variable can have'],
  [{ command: ['printf', 'A=p\\377w'] }, 'printf: A is not text in UTF-8'],
  [{ directory: 'twins' }, 'twins: two of its files would both become DB_PW'],
  [{ file: 'large', as: 'A' }, 'large: it is larger than 128K'],
  [{ file: '$NOBODY/a', as: 'A' }, '$NOBODY/a: the app has no variable NOBODY'],
  [{ file: '$EMPTY/a', as: 'A' }, '$EMPTY/a: the app has no variable EMPTY'],
  [{ directory: 'plain' }, 'plain: it is not a directory'],
  [{ directory: 'broken' }, 'broken: gone: it does not exist'],
  [{ command: ['./gone'] }, './gone: it could not be started (ENOENT)'],
  [{ command: printing(SECRET) }, `${process.execPath}: line 1: expected NAME=value`],
  [shell('cat plain >&2; exit 3'), `sh: it exited with code 3. ${seeWhy} 'cat plain >&2; exit 3'`],
  [{ command: ['sleep', '60'], timeoutMs: 100 }, 'sleep: no result within 0.1 s'],
  [shell('exit 1', '--token', SECRET), `sh: it exited with code 1. ${masked}`],
  [shell('kill -9 $$'), `sh: it was killed by SIGKILL. ${seeWhy} 'kill -9 $$'`],
  [{ command: ['yes', 'x'] }, 'yes: it wrote more than 1 MB'],
  [{ ...shell(large), as: 'A' }, 'sh: A is larger than 128K'],
  [{ directory: 'much' }, 'much: the variables are larger than 1M with it'],
  [{ file: 'nothing', as: 'A' }, 'nothing: A is empty'],
  [{ file: 'line-break', as: 'A' }, 'line-break: A is empty'],
  [{ directory: 'reserved' }, 'reserved: Node itself sets NODE_CHANNEL_FD, to reach its workers'],
  [{ command: ['echo', `${OWN}=1`] }, `echo: nodecluster itself sets ${OWN}, to find workers`],
  [{ file: 'plain', as: 'SLOT' }, 'plain: SLOT is the instance_var'],
  [{ directory: 'hollow' }, 'hollow: it is empty'],
  [{ directory: 'partly' }, 'partly: B is empty'],
  [{ command: ['true'] }, 'true: it is empty'],
  [{ command: ['true'], as: 'A' }, 'true: A is empty'],
];
t.test('which source failed, and why', async (t) => {
  for (const [given, fault] of faults) {
    const message = `env_from ${fault}`;
    await t.rejects(readSources([source(given)], context), { message }, message);
  }
});

t.test('a command that is late is killed with what it started', async (t) => {
  const command = ['sh', '-c', 'sleep 300 & echo $! > started; wait'];
  const reading = readSources([source({ command, timeoutMs: 500 })], context);
  await t.rejects(reading, { message: 'env_from sh: no result within 0.5 s' });
  const pid = Number(readFileSync(`${root}/started`, 'utf8'));
  await until(() => !isRunning(pid), 'it has ended');
});

t.test('what a command leaves holds its stdout: the value is what was printed', async (t) => {
  const before = descriptorsOf(process.pid).length;
  // It leaves the process group, too, before the command ends.
  const leaves = "setsid sh -c 'touch left; exec sleep 600' & until test -e left; do :; done";
  const command = ['sh', '-c', `${leaves}; echo $!`];
  const { A } = await readSources([source({ command, as: 'A' })], context);
  const pid = Number(A.value);
  t.teardown(() => process.kill(pid, 'SIGKILL'));
  t.ok(isRunning(pid));
  await until(() => descriptorsOf(process.pid).length <= before, 'no descriptor is left');
});
