import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { exampleOf } from '../../../scripts/options-page.js';
import { splitWords } from '../../../src/config/command/command-line.js';
import { ConfigSource, ConfigValue } from '../../../src/config/file/config-value.js';
import { instancesType as instances } from '../../../src/config/options/instances.js';
import * as logType from '../../../src/config/options/logs.js';
import { options } from '../../../src/config/options/table.js';
import { parseCronPattern } from '../../../src/config/types/cron.js';
import * as list from '../../../src/config/types/lists.js';
import * as type from '../../../src/config/types/values.js';
import { watchedPaths } from '../../../src/features/watch/options.js';
import { health as healthOptions } from '../../../src/features/health/options.js';

const health = healthOptions.options[0].type;

function read(valueType, value) {
  const source = new ConfigSource();
  const { problems } = source;
  const taken = valueType.read(new ConfigValue(value, [], source));
  return problems.length > 0 ? problems.map(({ text }) => text).join('; ') : taken;
}

const ROTATION = { maxSizeBytes: 10 * 1024 ** 2, rotate: null, keep: 10, compress: true };
const TIMES = { intervalMs: 10_000, timeoutMs: 5000, failures: 3, startPeriodMs: 30_000 };
const CHECK = { http: null, exec: null, ...TIMES };
const ROOT = { ...CHECK, http: '/' };

const rows = [
  ['privileged ports', list.privilegedPorts, [80, '127.0.0.1:443'], ['80', '127.0.0.1:443']],
  ['privileged ports', list.privilegedPorts, [80, 8080], /ports below 1024.*, got 8080$/],
  ['privileged ports', list.privilegedPorts, '80 8080', /, got "8080"$/],
  ['privileged ports', list.privilegedPorts, { a: 1 }, /, got a map$/],
  ['duration', type.duration(), '10s', 10_000],
  ['duration', type.duration(), '1m30s', 90_000],
  ['duration', type.duration(), 250, 250],
  ['duration', type.duration(), '250', 250],
  ['duration', type.duration(), -1, /^expected a duration such as 10s, 1m or 500 \(milli.* got -1/],
  ['duration', type.duration(), [], /^expected a duration such as .* got an empty list$/],
  ['duration', type.duration({ min: 1 }), 0, 'expected a duration of at least 1ms, got 0'],
  ['duration', type.duration(), '25d', 'expected a duration of at most 24d, got "25d"'],
  ['size', type.size({ min: 1 }), '1.5G', 1.5 * 1024 ** 3],
  ['size', type.size({ min: 1 }), 1000, 1000],
  ['size', type.size({ min: 1 }), '5 apples', /^expected a size such as 512M or 1.5G, got/],
  ['size', type.size({ min: 1024 ** 2 }), '512', 'expected a size of at least 1M, got "512"'],
  ['integer', type.integer(), '12', 12],
  ['integer', type.integer(), 1.5, 'expected a whole number (0 or more), got 1.5'],
  ['integer', type.integer({ min: 1, max: 9 }), 10, 'expected a whole number (1 to 9), got 10'],
  ['boolean', type.boolean, false, false],
  ['boolean', type.boolean, 'yes', 'expected true or false, got "yes"'],
  ['signal', type.signal, 'int', 'SIGINT'],
  ['signal', type.signal, 'auto', 'auto'],
  ['signal', type.signal, 'SIGSTOP', /^expected auto, SIGTERM, .* or SIGKILL, got "SIGSTOP"$/],
  ['words', list.words, 'a "b c" d\\ e', ['a', 'b c', 'd e']],
  ['words', list.words, ['a b', 3, true], ['a b', '3', 'true']],
  ['words', list.words, 'a "b', /a quote is not closed/],
  ['words', list.words, ['a', null], 'expected a string or a list of strings, got nothing'],
  ['words', list.words, ['a\0'], /^expected/],
  ['exit codes', list.exitCodes, '0, 64', [0, 64]],
  ['exit codes', list.exitCodes, 7, [7]],
  ['exit codes', list.exitCodes, [256], 'expected a list of exit codes (0 to 255), got a list'],
  ['watch', watchedPaths, true, true],
  ['watch', watchedPaths, 'src', ['src']],
  ['watch', watchedPaths, { a: 1 }, /^expected true, false, a path, or a list of paths, got/],
  ['cron', type.cronPattern, ' 0 4 * * * ', '0 4 * * *'],
  ['cron', type.cronPattern, 0, null],
  ['cron', type.cronPattern, 5, /^expected a cron pattern/],
  ['user', type.account('user'), userInfo().username, userInfo().uid],
  ['user', type.account('user'), '33', 33],
  ['user', type.account('user'), 'no-such', 'expected a user of this machine, got "no-such"'],
  ['user', type.account('user'), '-x', 'expected the name or the number of a user, got "-x"'],
  ['group', type.account('group'), 'no-such', 'expected a group of this machine, got "no-such"'],
  ['choice', type.choice(['a', 'b'], { c: 'b' }), 'c', 'b'],
  ['choice', type.choice(['a', 'b']), 'd', 'expected a or b, got "d"'],
  ['name', type.appName, 'all', /^expected a name of up to 64/],
  ['name', type.appName, '42', /^expected a name/],
  ['name', type.appName, 'a'.repeat(65), /^expected a name/],
  ['name', type.appName, '@api.v2_b-c', '@api.v2_b-c'],
  ['date format', logType.dateFormat, 'YYYY-MM-DD HH:mm', 'YYYY-MM-DD HH:mm'],
  ['date format', logType.dateFormat, 'hh:mm', /^expected a format .* \("hh" is not one of YYYY /],
  ['rotation', logType.rotation, { maxSize: '10M', retain: 3 }, { ...ROTATION, keep: 3 }],
  ['rotation', logType.rotation, true, ROTATION],
  ['rotation', logType.rotation, { rotate: 'daily' }, { ...ROTATION, rotate: '0 0 * * *' }],
  ['rotation', logType.rotation, { rotate: '0 */6 * * *' }, { ...ROTATION, rotate: '0 */6 * * *' }],
  ['rotation', logType.rotation, { rotate: 'hourly' }, /^expected a cron pattern/],
  ['rotation', logType.rotation, false, null],
  ['rotation', logType.rotation, '10M', /^expected a map of max_size, .*keep and compress, or/],
  ['rotation', logType.rotation, { max_size: '1K' }, 'expected a size of at least 64K, got "1K"'],
  ['rotation', logType.rotation, { size: '1M' }, /^no such key; expected max_size, rotate, keep/],
  ['health', health, '/health', { ...CHECK, http: '/health' }],
  ['health', health, { http: 'http://[::1]:81/h' }, { ...CHECK, http: 'http://[::1]:81/h' }],
  ['health', health, { http: '/', interval: '1s' }, { ...ROOT, intervalMs: 1000 }],
  ['health', health, { http: '/', failures: '2' }, { ...ROOT, failures: 2 }],
  ['health', health, { http: '/', startPeriod: '1m' }, { ...ROOT, startPeriodMs: 60_000 }],
  ['health', health, { exec: 'redis-cli ping' }, { ...CHECK, exec: ['redis-cli', 'ping'] }],
  ['health', health, { exec: ['a b'] }, { ...CHECK, exec: ['a b'] }],
  ['health', health, 'health', /^expected a path such as \/health, or a URL such as .*"health"$/],
  ['health', health, '/a\r\nB: c', /^expected a path such as/],
  ['health', health, 'http://', /^expected a path such as/],
  ['health', health, { exec: '' }, /^expected a command with its arguments/],
  ['health', health, { interval: '1s' }, 'expected either http or exec, got a map'],
  ['health', health, { http: '/', intervall: '1s' }, 'no such key; did you mean interval?'],
  ['health', health, { pth: '/', interval: '5s' }, /^no such key; expected http, exec, interval, /],
  ['health', health, { http: '/', exec: 'x' }, 'expected either http or exec, got a map'],
  ['health', health, { http: '/', interval: 1 }, 'expected a duration of at least 100ms, got 1'],
  ['health', health, { http: '/', failures: 0 }, /^expected a whole number \(1 to 1000\), got 0/],
  ['health', health, { http: '/', retries: 3 }, /^no such key; .* timeout, failures or start_per/],
  ['health', health, true, /^expected a path such as \/health, or a map of/],
  ['variables', list.variables, ['A=1'], 'expected a map of variables, got a list'],
];

for (const [name, valueType, value, wanted] of rows) {
  const what = `${name}: ${JSON.stringify(value)}`;
  const taken = read(valueType, value);
  if (wanted instanceof RegExp) t.match(taken, wanted, what);
  else t.same(taken, wanted, what);
}

t.test('a value is written as in a file', async (t) => {
  const { write = String } = type.duration();
  const durations = [0, 450, 1500, 90_000, 60_000, 7_200_000];
  t.same(durations.map(write), ['0ms', '450ms', '1500ms', '90s', '1m', '2h']);
});

t.test('every option accepts its default and its example', async (t) => {
  for (const option of options) {
    const { key, type: valueType, default: fallback } = option;
    if (fallback !== null) t.notMatch(read(valueType, fallback), /^expected/, `${key}: default`);
    t.notMatch(read(valueType, exampleOf(option)), /^expected/, `${key}: example`);
  }
});

/** Each option that takes a path, how a file sets it, and where its value has the path. */
const PATHS = [
  ...['script', 'cwd', 'interpreter', 'out_file', 'error_file', 'log_file', 'pid_file'].map(
    (key) => [key, (path) => path],
  ),
  ...['env_file', 'watch', 'ignore_watch'].flatMap((key) => [
    [key, (path) => path, ([one]) => one],
    [key, (path) => ['a', path], ([, two]) => two],
  ]),
  ['env_from', (file) => [{ file, as: 'A' }], ([{ file }]) => file],
  ['env_from', (directory) => [{ directory }], ([{ directory }]) => directory],
  ['env_from', (path) => [{ command: [path, '~/b'] }], ([{ command }]) => command[0]],
  ['health', (exec) => ({ exec: [exec] }), ({ exec: [name] }) => name],
  ['on', (path) => [{ event: 'worker.exited', run: `${path} 1` }], ([{ run }]) => run[0]],
];

t.test('~/ of every path is expanded, and what only a shell knows is refused', async (t) => {
  const expansions = { '~/a': join(homedir(), 'a'), '~': homedir(), 'a~/~b': 'a~/~b' };
  const shellOnly = ['/no/$LOGS/a', '/no/a-${LOGS}', 'logs/$HOME', '~bob/a'];
  for (const [key, setting, at = String] of PATHS) {
    const option = options.find((each) => each.key === key);
    const valueType = option?.type ?? type.boolean;
    for (const [path, expanded] of Object.entries(expansions))
      t.equal(at(read(valueType, setting(path))), expanded, `${key}: ${path}`);
    for (const path of shellOnly) {
      if (key === 'ignore_watch' && path.startsWith('~')) continue;
      const [found] = /~bob|\$\{?[A-Z]+\}?/.exec(path) ?? [];
      const fault = `${found} is not expanded in a path, only ~/ is: write the path itself`;
      t.equal(read(valueType, setting(path)), fault, `${key}: ${path}`);
    }
  }
  const named = new Set(PATHS.map(([key]) => key));
  const others = options.filter(
    ({ key, type: { expected }, description }) =>
      !named.has(key) && /\b(path|file|directory)\b/i.test(`${expected} ${description}`),
  );
  const keys = others.map(({ key }) => key);
  t.same(keys, ['name', 'depends_on', 'watch_delay', 'log_rotate'], 'others only mention files');
});

t.test('a directory may be called as a variable, and words for another reader stay', async (t) => {
  const directory = t.testdir({ $LOGS: { 'a.js': '' } });
  t.equal(read(type.path('a path'), `${directory}/$LOGS/a.js`), `${directory}/$LOGS/a.js`);
  const typeOf = (name) => options.find(({ key }) => key === name)?.type ?? type.boolean;
  t.equal(read(typeOf('script'), 'node $MAIN'), 'node $MAIN', 'a shell runs it');
  t.equal(read(typeOf('out_file'), 'NULL'), '/dev/null');
  const credentials = [{ directory: '${CREDENTIALS}/a' }];
  t.match(read(typeOf('env_from'), credentials), credentials);
  t.same(read(typeOf('ignore_watch'), ['~$*', '*~']), ['~$*', '*~']);
});

t.test('every option is complete and has a unique name', async (t) => {
  const keys = options.flatMap(({ key, aliases = [] }) => [key, ...aliases]);
  t.equal(new Set(keys).size, keys.length);
  for (const { key, description } of options) {
    t.match(key, /^[a-z_]+(<name>)?$/);
    t.match(description, /^[A-Z].*\.$/, key);
  }
});

t.test('cron patterns that run', async (t) => {
  const patterns =
    '0 4 * * *|*/5 * * * *|0 */15 * * * *|@hourly|0 9-17/2 * jan-mar mon-fri|0 0 L * *|0 0 * * fri#2|' +
    '0 0 1,15 * 7|? * * * *|0 0 * * 5L';
  for (const pattern of patterns.split('|')) {
    t.type(parseCronPattern(pattern)(Date.UTC(2026, 0)), 'number', pattern);
  }
});

t.test('cron patterns that are rejected, each with its reason', async (t) => {
  const patterns =
    '* * *|0 0 0 1 1 * 2030|daily|@reboot|61 * * * *|0 24 * * *|0 0 0 * *|0 0 * 13 *|0 0 * * 8|' +
    '0 0 * * fry|10-5 * * * *|*/90 * * * *|1,,2 * * * *|60 0 0 * * *|2027-01-01T00:00:00';
  const said = patterns.split('|').map((pattern) => read(type.cronPattern, pattern));
  for (const text of said) t.match(text, /^expected a cron pattern such as .*, got ".+" \(.+\)$/);
  t.matchSnapshot(said.join('\n'), 'reasons');
});

t.test('a line is split as a shell does', async (t) => {
  t.same(splitWords(''), []);
  t.same(splitWords(`  a  'b "c"' "d \\"e\\" \\n"f ''`), ['a', 'b "c"', 'd "e" \\nf', '']);
  t.same(splitWords('--port=3000 -x'), ['--port=3000', '-x']);
  for (const line of [`'`, 'a "b', 'a \\']) t.equal(splitWords(line), null, line);
});

const range = (parts) => ({ min: 1, max: 0, elu: 0.8, cooldownMs: 300_000, ...parts });

t.test('a number of instances, or a range', async (t) => {
  for (const [value, taken] of [
    [4, 4],
    ['4', 4],
    ['max', 0],
    [0, 0],
    [-1, -1],
    [{}, range()],
    [{ min: 2, max: 'max', elu: 0.8 }, range({ min: 2 })],
    [{ max: -1, elu: '0.5', cooldown: '90s' }, range({ max: -1, elu: 0.5, cooldownMs: 90_000 })],
    [{ min: 3, max: 3 }, range({ min: 3, max: 3 })],
    ['2..8', range({ min: 2, max: 8 })],
    ['2..max', range({ min: 2 })],
    ['2..', range({ min: 2 })],
    ['-3..-1', range({ min: -3, max: -1 })],
    ['x', /^expected a number such as 4, max, .* or a range such as 2\.\.max, got "x"$/],
    [1001, '1001 is more than 1000'],
    [-1001, '1001 is more than 1000'],
    ['2..1001', '1001 is more than 1000'],
    [[2, 8], /got a list$/],
    [null, /got nothing$/],
    [{ min: 4, max: 2 }, 'min is larger than max'],
    [{ min: 'max', max: -1 }, 'min is larger than max'],
    ['8..2', 'min is larger than max'],
    [{ min: 'few' }, /^expected a number such as 4, max, .*, got "few"$/],
    [{ elu: 80 }, 'expected a number above 0 and below 1, such as 0.8, got 80'],
    [{ elu: 1 }, /^expected a number above 0/],
    [{ cooldown: 5 }, 'expected a duration of at least 1s, got 5'],
    [{ most: 5 }, 'no such key; expected min, max, elu or cooldown'],
  ]) {
    t.match(read(instances, value), taken, JSON.stringify(value));
  }
});

t.test('as a file has it', async (t) => {
  for (const [value, written] of [
    [4, 4],
    [0, 'max'],
    [range({ min: 2 }), { min: 2, max: 'max', elu: 0.8, cooldown: '5m' }],
  ]) {
    t.same(instances.write(value), written);
    t.same(read(instances, written), value);
  }
});
