import t from 'tap';
import { describeHang, judgeSilence } from '../../src/lifecycle/hang-policy.js';

/** What is silent for how long, looked at how long after the last look, hang_timeout, verdict. */
const rows = [
  ['beats come', 900, 1000, null, 'responsive'],
  ['a busy moment', 4999, 1000, null, 'responsive'],
  ['blocked', 5000, 1000, null, 'unresponsive'],
  ['blocked for long, but nobody wants it ended', 3_600_000, 1000, null, 'unresponsive'],
  ['blocked for less than hang_timeout', 11_000, 1000, 12_000, 'unresponsive'],
  ['hang_timeout up, but its loop may have turned after the last beat', 12_999, 1000, 12_000],
  ['blocked for hang_timeout', 13_000, 1000, 12_000, 'hung'],
  ['the shortest hang_timeout', 6000, 1000, 5000, 'hung'],
  ['the primary was stopped for 4 s', 4500, 4000, 5000, 'unknown'],
  ['the primary was stopped for a minute', 60_500, 60_000, 5000, 'unknown'],
  ['the primary is late, yet it ran', 5200, 2400, 5000, 'unresponsive'],
];

for (const [name, silentMs, sinceLookMs, hangTimeoutMs, verdict = 'unresponsive'] of rows) {
  t.equal(judgeSilence({ silentMs, sinceLookMs, hangTimeoutMs }), verdict, name);
}

t.equal(describeHang(12_900), 'event loop blocked for 12 s');
