import t from 'tap';
import { describeHang, judgeSilence } from '../../src/lifecycle/hang-policy.js';

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

for (const [name, silentMs, sinceLookMs, hangTimeoutMs, verdict = 'unresponsive'] of rows) {
  t.equal(judgeSilence({ silentMs, sinceLookMs, hangTimeoutMs }), verdict, name);
}

t.equal(describeHang(12_900), 'event loop blocked for 12 s');
