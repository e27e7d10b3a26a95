import t from 'tap';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { poll, within } from '../../src/shared/deadline.js';
import { LATENCY_BOUNDS_MS, latencyQuantile } from '../../src/shared/latency.js';
import { LineSplitter } from '../../src/shared/line-splitter.js';
import { isAllowedHost, listenOn, readAddress } from '../../src/shared/listen-address.js';
import { epochMs, machineMs } from '../../src/shared/monotonic.js';
import * as units from '../../src/shared/units.js';
import { agreedProtocol } from '../../src/shared/version.js';

const { formatDuration, formatSize, parseDuration, parseMoment, parseSize } = units;

/** @param rows each text, and what it means */
function areRead(t, read, rows) {
  for (const [text, expected] of Object.entries(rows)) t.equal(read(text), expected, text);
}

t.test('durations are read as people write them', async (t) => {
  areRead(t, parseDuration, { 3000: 3000, '250ms': 250, '10s': 10_000, '1m30s': 90_000 });
  areRead(t, parseDuration, { '1.5h': 5_400_000, ' 2d ': 172_800_000 });
  areRead(t, parseDuration, { '': null, '10 parsecs': null, s: null, '-1s': null });
  t.same([0, 1500, -1, 1.5, NaN, true].map(parseDuration), [0, 1500, null, null, null, null]);
});

t.test('sizes are powers of 1024; they and durations are written shortly', async (t) => {
  areRead(t, parseSize, { 512: 512, '64K': 65_536, '512M': 536_870_912, '1.5G': 1_610_612_736 });
  areRead(t, parseSize, { '1GB': 1_073_741_824, '1 MiB': 1_048_576, M: null, '1X': null });
  t.same([512, null].map(parseSize), [512, null]);
  const durations = [0, 999, 1000, 61_000, 3_600_000, 90_061_000].map(formatDuration);
  t.equal(durations.join(', '), '0ms, 999ms, 1s, 1m 1s, 1h, 1d 1h');
  t.equal([0, 512, 65_536, 45_200_000].map(formatSize).join(), '0B,512B,64K,43.1M');
});

const clock = (hours, minutes, seconds = 0, day = 26) =>
  new Date(2026, 10, day, hours, minutes, seconds).getTime();

t.test('moments', async (t) => {
  const now = clock(22, 30, 7);
  for (const [text, at] of [
    ['10m', now - 600_000],
    ['1h30m', now - 5_400_000],
    ['22:20', clock(22, 20)],
    ['9:05:06', clock(9, 5, 6)],
    ['22:30:07', now],
    ['22:30:08', clock(22, 30, 8, 25)],
    ['2026-11-26T22:20:00Z', Date.UTC(2026, 10, 26, 22, 20)],
    ['2026-11-26T22:20:00.5+02:00', Date.UTC(2026, 10, 26, 20, 20, 0, 500)],
    ['2026-11-25 22:20', clock(22, 20, 0, 25)],
  ]) {
    t.equal(parseMoment(text, now), at, text);
  }
  for (const text of ['', '5', 'soon', '24:00', '22:60', '22', '2026-11-26', '2026-13-26T22:20']) {
    t.throws(() => parseMoment(text, now), /30s, 10m or 2h, .* 22:20, 22:20:05 or 2026-/, text);
  }
});

t.test('lines come out whole, however the stream was cut', async (t) => {
  const lines = ['', 'a', 'grün 🦔', 'x'.repeat(5000), ''];
  const stream = Buffer.from(`${lines.join('\n')}\nrest`);
  for (const size of [1, 2, 3, 7, 100, stream.length]) {
    const splitter = new LineSplitter(Infinity);
    const found = [];
    for (let at = 0; at < stream.length; at += size) {
      for (const line of splitter.push(stream.subarray(at, at + size))) found.push(`${line}`);
    }
    t.strictSame(found, lines, `${size} bytes at a time`);
    t.ok(splitter.isWithinLine);
    t.same([...splitter.push(Buffer.from('\n'))].map(String), ['rest']);
    t.notOk(splitter.isWithinLine);
  }
});

t.test('a line without end is bounded', async (t) => {
  const splitter = new LineSplitter(4000);
  const part = Buffer.alloc(1000, 'x');
  for (let count = 0; count < 10; count += 1) t.same([...splitter.push(part)], []);
  const [line, next] = [...splitter.push(Buffer.from('y\nnext\n'))].map(String);
  t.equal(line, `${'x'.repeat(4000)} … 6001 more bytes`);
  t.equal(next, 'next');
  t.same([...splitter.push(Buffer.alloc(4001, '\n').fill('z', 0, 4000))].map(String), [
    'z'.repeat(4000),
  ]);
});

const rows = [
  ['the same version', [4, 3], [4, 3], 4],
  ['the first one', [1, 1], [1, 1], 1],
  ['an older one that the newer understands', [4, 3], [3, 2], 3],
  ['a newer one that understands this', [4, 3], [6, 4], 4],
  ['an older one that nobody understands', [4, 3], [2, 1], null],
  ['a newer one that has forgotten this', [4, 3], [6, 5], null],
  ['what is not a number is never agreed on', [4, 3], [undefined, 3], null],
];

for (const [name, one, other, agreed] of rows) {
  const [a, b] = [one, other].map(([protocol, oldest]) => ({ protocol, oldest }));
  t.equal(agreedProtocol(a, b), agreed, name);
  t.equal(agreedProtocol(b, a), agreed, `${name}: either way`);
}

t.test('addresses, localhost and allowed names', async (t) => {
  const ours =
    '127.0.0.1:9100 10.1.2.3 [::1]:9100 [::1] localhost:9100 LOCALHOST a.localhost:1 metrics.internal:9100 Metrics.Internal.';
  const others =
    'evil.example:9100 evil.example 127.0.0.1.evil.example localhost.evil.example [evil.example]:1 evil.example:1:2';
  const isAllowed = (header) => isAllowedHost(header, ['metrics.internal']);
  for (const header of [undefined, ...ours.split(' ')]) t.ok(isAllowed(header), String(header));
  for (const header of ['', ...others.split(' ')]) t.notOk(isAllowed(header), header);
});

t.test('what is not an address', async (t) => {
  for (const text of ['', ':9100', 'here', '127.0.0.1:99999', '[127.0.0.1]:9100', 'a b:1']) {
    t.throws(() => readAddress(text), { code: 'E_USAGE', exitCode: 2 }, text);
  }
});

t.test('who has the port', { skip: process.platform !== 'linux' && 'Linux only' }, async (t) => {
  const holder = createServer();
  t.teardown(() => holder.close());
  const address = await listenOn(holder, { host: '127.0.0.1', port: 0 });
  const port = Number(address.split(':')[1]);
  await t.rejects(listenOn(createServer(), { host: '127.0.0.1', port }), {
    code: 'E_LISTEN',
    message: new RegExp(`in use by pid ${process.pid} \\(`),
  });
});

t.test('a promise that is in time, one that is late, and one that rejects', async (t) => {
  t.equal(await within(Promise.resolve('here'), 10_000), 'here');
  t.equal(await within(new Promise(() => {}), 1), null);
  await t.rejects(within(Promise.reject(new Error('no')), 10_000), /no/);
});

t.test('a condition is checked until it is true, once more when time is up', async (t) => {
  let checks = 0;
  t.equal(await poll(() => ++checks === 3 && 'third', { timeoutMs: 10_000, everyMs: 1 }), 'third');
  t.equal(checks, 3);
  checks = 0;
  t.equal(await poll(async () => void ++checks, { timeoutMs: 0, everyMs: 1 }), null);
  t.equal(checks, 1);
});

t.test('a moment is the same in every process, whenever it was started', async (t) => {
  const module = fileURLToPath(new URL('../../src/shared/monotonic.js', import.meta.url));
  const script = `import(${JSON.stringify(module)}).then((m) => console.log(m.machineMs()))`;
  const before = machineMs();
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const after = machineMs();
  const its = Number(stdout);
  // Each is rounded.
  t.ok(before - 1 <= its && its <= after + 1, `${before} ${its} ${after}`);
});

t.test('as a time of the wall clock: the same until that is set', async (t) => {
  const atMs = machineMs() - 5000;
  const at = epochMs(atMs);
  t.ok(Math.abs(Date.now() - 5000 - at) < 1000);
  const { now } = Date;
  t.intercept(Date, 'now', { value: () => now() + 900 });
  t.equal(epochMs(atMs), at, 'it is only inexact');
  t.intercept(Date, 'now', { value: () => now() + 86_400_000 });
  const later = epochMs(atMs);
  t.ok(Math.abs(later - at - 86_400_000) < 1000, 'nothing is a day old that has just begun');
  t.equal(epochMs(atMs), later);
});

/** @param counts by bound; Infinity: beyond the last */
function counted(counts) {
  return [...LATENCY_BOUNDS_MS, Infinity].map((bound) => counts[bound] ?? 0);
}

t.test('quantiles', async (t) => {
  const rows = [
    ['nothing was counted', {}, 0.5, null],
    ['all at the same bound: the middle of it', { 10: 4 }, 0.5, 8.5],
    ['the first bound begins at zero', { 0.1: 2 }, 0.5, 0.05],
    ['the slowest of a hundred is beyond the 99th', { 1: 99, 1000: 1 }, 0.99, 1],
    ['the 100th', { 1: 99, 1000: 1 }, 1, 1000],
    ['half of them slow', { 1: 5, 100: 5 }, 0.99, 99.4],
    ['beyond the last bound it is at least that', { Infinity: 3 }, 0.5, 60_000],
  ];
  for (const [what, counts, quantile, expected] of rows) {
    const found = latencyQuantile(counted(counts), quantile);
    t.equal(found && Math.round(found * 1000) / 1000, expected, what);
  }
});
