import t from 'tap';
import { describeHang, judgeDrain, judgeSilence } from '../../src/lifecycle/hang-policy.js';

/** What is silent for how long, looked at how long after the last look, hang_timeout, verdict. */
const rows = [
  ['beats come', 1900, 2000, null, 'responsive'],
  ['a busy moment', 4999, 2000, null, 'responsive'],
  ['blocked', 5000, 2000, null, 'unresponsive'],
  ['blocked for long, but nobody wants it ended', 3_600_000, 2000, null, 'unresponsive'],
  ['hang_timeout up since the last beat, after which it may have turned', 13_999, 2000, 12_000],
  ['blocked for hang_timeout', 14_000, 2000, 12_000, 'hung'],
  ['the shortest hang_timeout', 7000, 2000, 5000, 'hung'],
  ['the primary was stopped for 4 s', 6000, 4000, 5000, 'unknown'],
  ['the primary was stopped for a minute', 60_500, 60_000, 5000, 'unknown'],
  ['the primary is late, yet it ran', 5200, 2900, 5000, 'unresponsive'],
];

for (const [name, silentMs, sinceCheckMs, hangTimeoutMs, verdict = 'unresponsive'] of rows) {
  t.equal(judgeSilence({ silentMs, sinceCheckMs, hangTimeoutMs }), verdict, name);
}

/** Of one that drains, with kill_timeout 3 s: silent for how long, told when, looked when, verdict. */
const drains = [
  ['beats come', 1900, 60_000, 2000, 'responsive'],
  ['it was blocked when it was told to drain', 60_000, 0, 2000, 'unresponsive'],
  ['it has had kill_timeout to come back', 63_000, 3000, 2000, 'hung'],
  ['almost', 62_999, 2999, 2000, 'unresponsive'],
  ['it came back', 500, 2999, 2000, 'responsive'],
  ['it fell silent while it drained', 7999, 20_000, 2000, 'unresponsive'],
  ['for too long', 8000, 20_000, 2000, 'hung'],
  ['the primary was stopped meanwhile', 62_000, 61_000, 60_000, 'unknown'],
];

for (const [name, silentMs, drainingMs, sinceCheckMs, verdict] of drains) {
  const silence = { silentMs, drainingMs, sinceCheckMs, killTimeoutMs: 3000 };
  t.equal(judgeDrain(silence), verdict, `drain: ${name}`);
}

t.equal(describeHang(12_900), 'event loop blocked for 12s');
t.equal(describeHang(441_900), 'event loop blocked for 7m 21s');
const frame = { name: 'hash', file: '/srv/hash.js', line: 10, column: 5, origin: 'program' };
t.equal(describeHang(12_900, [frame]), 'event loop blocked for 12s in hash (hash.js:10:5)');
