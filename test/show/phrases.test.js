/** Short texts for values: quantities, addresses, changes, notes, and what is escaped. */
import t from 'tap';
import { portsText, urlsText } from '../../src/show/addresses.js';
import { changeRows, differencesText } from '../../src/show/change.js';
import { jsonText, escapeLine, escapeText } from '../../src/show/escape.js';
import * as quantity from '../../src/show/quantity.js';
import { noteText } from '../../src/show/outcome.js';

const rows = [
  [quantity.formatAge, null, '-'],
  [quantity.formatAge, -5, '0s'],
  [quantity.formatAge, 185_000, '3m 5s'],
  [quantity.formatAge, 190_800_000, '2d 5h'],
  [(at) => quantity.formatAgo(at, 60_000), 55_500, '4s ago'],
  [quantity.formatMemory, 43_201_331, '41.2M'],
  [quantity.formatCpu, 99.96, '100.0%'],
  [quantity.formatCpu, 1767.3, '1767%'],
  [quantity.formatCountdown, 12_100, '13s'],
  [quantity.formatShare, 0.314, '31%'],
  [quantity.formatLatency, undefined, '-'],
  [quantity.formatLatency, 0.42, '0.4ms'],
  [quantity.formatLatency, 1240, '1.2s'],
  [quantity.formatRate, 0, '0'],
  [quantity.formatRate, 3.21, '3.2'],
  [quantity.formatRate, 412.3, '412'],
  [quantity.formatRate, 12_400, '12.4k'],
];

for (const [format, given, shown] of rows) t.equal(format(given), shown, `${format.name} ${given}`);

const http = (...addresses) => addresses.map((address) => ({ address, protocol: 'http' }));
const https = (...addresses) => addresses.map((address) => ({ address, protocol: 'https' }));
const tcp = (...addresses) => addresses.map((address) => ({ address, protocol: null }));

const many = Array.from({ length: 100 }, (_, index) => `*:${4000 + 2 * index}`);
const chosen = [33169, 34545, 36389, 39427].map((port) => `127.0.0.1:${port}`);
const long = `/run/${'a'.repeat(100)}`;
const addressRows = [
  [[], '', ''],
  [http('*:3000', '*:3000'), '3000', 'http://localhost:3000'],
  [http('127.0.0.1:3000', '[::1]:3000'), '3000', 'http://localhost:3000'],
  [https('[fe80::1]:443'), '443', 'https://[fe80::1]:443'],
  [tcp('10.0.0.1:9000'), '9000', '10.0.0.1:9000'],
  [
    http('*:3002', '*:3000', '*:3001', '*:9000'),
    '3000, 3001, 3002, 9000',
    [3000, 3001, 3002, 9000].map((port) => `http://localhost:${port}`).join(', '),
  ],
  [
    [...http('*:3000', '/run/api.sock'), ...tcp('*:9000')],
    '3000, 9000, api.sock',
    'http://localhost:3000, port 9000, /run/api.sock',
  ],
  [tcp(...many), '4000, 4002, 4004, +97', 'ports 4000, 4002, 4004, +97'],
  [tcp(...chosen, '*:51826'), '51826, 33169, 34545, +2', 'ports 51826, 33169, 34545, +2'],
  [
    tcp('\u001b]0;x\u0007\n:9000', '/run/\u202e.sock'),
    '9000, \\u202e.sock',
    '\\x1b]0;x\\x07\\x0a:9000, /run/\\u202e.sock',
  ],
  [tcp(long), `${'a'.repeat(39)}…`, long],
  [
    tcp('*:3000', '/run/first.sock', '/run/another-long.sock', '/run/third.sock'),
    '3000, first.sock, another-long.sock, third.sock',
    'port 3000, /run/first.sock, /run/another-long.sock, /run/third.sock',
  ],
];

for (const [listeners, ports, urls] of addressRows)
  t.same([portsText(listeners), urlsText(listeners)], [ports, urls], urls || 'nothing');

const now = 1_700_000_000_000;
const differences = [{ key: 'env.PORT', from: '3000', to: '4000' }, { key: 'env.\u001bX' }];
const given = { by: { role: 'cli', user: 'alice' }, isApplied: true, differences, omitted: 0 };
const change = { at: now - 60_000, action: 'reload', ...given };

t.test('a row for each command', async (t) => {
  const earlier = { ...change, by: { role: 'watch' }, differences: [], isApplied: false };
  t.same(changeRows({ changes: [change, earlier] }, now), [
    ['last change', '1m ago: reload by alice; env.PORT "3000" → "4000", env.\u001bX'],
    ['before that', '1m ago: reload by watch, failed'],
  ]);
  t.same(changeRows({}, now), []);
});

t.test('one in progress, by nobody who is known, with more than is shown', async (t) => {
  const [port] = change.differences;
  const running = { ...change, by: undefined, isApplied: false, differences: [port], omitted: 3 };
  t.same(changeRows({ changes: [running], busy: 'reload' }, now), [
    ['last change', '1m ago: reload, in progress; env.PORT "3000" → "4000", 3 more'],
  ]);
});

t.test('in one line', async (t) => {
  const url = (host) => `http://${'a'.repeat(50)}.${host}`;
  const [port, unknown] = change.differences;
  for (const [differences, expected, omitted = 0] of [
    [[port, unknown], 'env.PORT "3000" → "4000", env.\u001bX, 4 more', 4],
    [[{ key: 'env.NEW', from: null, to: '1' }], 'env.NEW (none) → "1"'],
    [
      [{ key: 'env.URL', from: url('a'), to: url('ab') }],
      `env.URL …${`"${url('a')}"`.slice(-40)} → …${`"${url('ab')}"`.slice(-40)}`,
    ],
    [Array(6).fill({ key: 'a', to: { keep: 8 } }), 'a, a, a, a, 2 more'],
  ]) {
    t.equal(differencesText({ ...change, differences, omitted }), expected);
  }
  t.equal(differencesText({ differences: [], omitted: 0 }), '');
});

const places = [{ address: '*:9100', by: 'child 65' }];
const noteRows = [
  [{ kind: 'silent' }, /^runs, but listens on no TCP port$/],
  [{ kind: 'elsewhere', ports: [3001, 80], asked: 3000 }, /^listens on port 3001, 80 instead of/],
  [{ kind: 'below', places, isAlone: false }, /^listens on 9100 by child 65, .* app of its own$/],
  [{ kind: 'gone', addresses: ['*:9100', '/run/a.sock'] }, /^does not listen on 9100, \/run\/a\./],
];
for (const [note, text] of noteRows) t.match(noteText(note), text, note.kind);

const escapedRows = [
  ['plain text', 'plain text'],
  ['ä, 漢字 and 👍 stay', 'ä, 漢字 and 👍 stay'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[2J\u001b[Hwiped', '\\x1b[2J\\x1b[Hwiped'],
  ['\u001b]0;title\u0007', '\\x1b]0;title\\x07'],
  ['back\b\b\b\bhidden\r', 'back\\x08\\x08\\x08\\x08hidden\\x0d'],
  ['8-bit \u009b31m', '8-bit \\x9b31m'],
  ['turned \u202etxt.exe', 'turned \\u202etxt.exe'],
  ['a\tb', 'a  b'],
  ['two\nlines', 'two\\x0alines'],
];

t.test('no control character of a program reaches the terminal', async (t) => {
  for (const [given, shown] of escapedRows) t.equal(escapeLine(given), shown);
  t.equal(escapeText('one\r\n\u001b[1mtwo\u001b[0m'), 'one\ntwo', 'text keeps its lines');
});

t.test('JSON says the same as the value and holds nothing to obey', async (t) => {
  const value = { name: 'a\u009bb\u202ec\u001b' };
  const text = jsonText(value);
  t.same(JSON.parse(text), value);
  // eslint-disable-next-line no-control-regex -- that is the question
  t.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
