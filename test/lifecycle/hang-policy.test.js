import t from 'tap';
import * as frozen from '../../src/lifecycle/frozen-policy.js';
import * as hang from '../../src/lifecycle/hang-policy.js';

/** What is silent for how long, looked at how long after the last look, hang_timeout, verdict. */
const rows = [
  ['beats come', 1900, 2000, null, 'responsive'],
  ['a busy moment', 4999, 2000, null, 'responsive'],
  ['blocked', 5000, 2000, null, 'blocked'],
  ['blocked for long, but nobody wants it ended', 3_600_000, 2000, null, 'blocked'],
  ['hang_timeout up since the last beat, after which it may have turned', 13_999, 2000, 12_000],
  ['blocked for hang_timeout', 14_000, 2000, 12_000, 'hung'],
  ['the shortest hang_timeout', 7000, 2000, 5000, 'hung'],
  ['the primary was stopped for 4 s', 6000, 4000, 5000, 'unknown'],
  ['the primary was stopped for a minute', 60_500, 60_000, 5000, 'unknown'],
  ['the primary is late, yet it ran', 5200, 2900, 5000, 'blocked'],
];

for (const [name, silentMs, sinceCheckMs, hangTimeoutMs, verdict = 'blocked'] of rows) {
  t.equal(hang.judgeSilence({ silentMs, sinceCheckMs, hangTimeoutMs }), verdict, name);
}

/** Of one that drains, with kill_timeout 3 s: silent for how long, told when, looked when, verdict. */
const drains = [
  ['beats come', 1900, 60_000, 2000, 'responsive'],
  ['it was blocked when it was told to drain', 60_000, 0, 2000, 'blocked'],
  ['it has had kill_timeout to come back', 63_000, 3000, 2000, 'hung'],
  ['almost', 62_999, 2999, 2000, 'blocked'],
  ['it came back', 500, 2999, 2000, 'responsive'],
  ['it fell silent while it drained', 7999, 20_000, 2000, 'blocked'],
  ['for too long', 8000, 20_000, 2000, 'hung'],
  ['the primary was stopped meanwhile', 62_000, 61_000, 60_000, 'unknown'],
];

for (const [name, silentMs, drainingMs, sinceCheckMs, verdict] of drains) {
  const silence = { silentMs, drainingMs, sinceCheckMs, killTimeoutMs: 3000 };
  t.equal(hang.judgeDrain(silence), verdict, `drain: ${name}`);
}

const stopped = { isStopped: true, cpuMs: 0 };
const loops = { isStopped: false, cpuMs: 5000 };
const starved = { isStopped: false, cpuMs: 300 };
const idle = { isStopped: false, cpuMs: 0 };

/** Silent for how long, looked at how long after the last look, what it does, verdict. */
const frozenRows = [
  ['it answers', 1900, 2000, idle, 'responsive'],
  ['stopped for 4 s', 4000, 2000, stopped, 'responsive'],
  ['two pings are missing', 5000, 2000, stopped, 'late'],
  ['its commands fail', 10_000, 2000, stopped, 'lost'],
  ['stopped, almost for long enough', 14_999, 2000, stopped, 'lost'],
  ['stopped', 15_000, 2000, stopped, 'frozen'],
  ['an endless loop', 15_000, 2000, loops, 'frozen'],
  ['a loop that gets little CPU time', 15_000, 2000, { ...loops, cpuMs: 4990 }, 'lost'],
  ['a machine under load', 3_600_000, 2000, starved, 'lost'],
  ['a slow disk', 59_999, 2000, idle, 'lost'],
  ['nothing at all for a minute', 60_000, 2000, idle, 'frozen'],
  ['it cannot be inspected', 60_000, 2000, null, 'lost'],
  ['the machine was suspended', 3_600_000, 3_600_000, stopped, 'unclear'],
  ['the daemon got no CPU time', 20_000, 5000, loops, 'unclear'],
  ['the daemon is a little late', 20_000, 4999, loops, 'frozen'],
];

for (const [name, silentMs, sinceCheckMs, activity, verdict] of frozenRows) {
  t.equal(frozen.judgeProcess({ silentMs, sinceCheckMs, activity }), verdict, name);
}

t.strictSame([stopped, loops, idle].map(frozen.describeFreeze), [
  'was stopped by a signal',
  'uses the CPU and does not reply',
  'does nothing',
]);

const CONTINUE = 'it was stopped by a signal; `kill -CONT 4711` lets it continue';
t.equal(frozen.describeSilence(stopped, 4711), CONTINUE);
for (const activity of [idle, null])
  t.equal(frozen.describeSilence(activity, 4711), 'it does not reply to pings');

t.test('whether a command waits on for a daemon that does not reply', async (t) => {
  const minute = Array.from({ length: 12 }, (_, index) => 300 + 10 * index);
  /** What it does, whether a signal stopped it, its CPU time after each time-out, whether it may reply yet. */
  const waits = [
    ['it was stopped', true, [300], false],
    ['it is not known yet', false, [300], true],
    ['nothing was ever done', false, [0], true],
    ['it works', false, [300, 310], true],
    ['it worked', false, [300, 310, 310], false],
    ['it waits for something', false, [300, 300], false],
    ['it was stopped meanwhile', true, [300, 310], false],
    ['it works a lot', false, [300, 3000, 5299], true],
    ['an endless loop', false, [300, 5300], false],
    ['it works for a minute', false, minute, true],
    ['and longer', false, [...minute, 500], false],
  ];
  for (const [name, isStopped, cpuMs, expected] of waits)
    t.equal(frozen.mayReplyYet(isStopped, cpuMs), expected, name);
});

const frameText = (name, file, origin = 'program') => ({ name, file, line: 10, column: 5, origin });
const read = frameText('readSync', 'node:fs', 'node');
const hash = frameText('hash', '/srv/api/hash.js');
const handle = frameText('', '/srv/api/server.js');

t.test('in words', async (t) => {
  t.equal(hang.mainFrame([read, hash, handle]), hash, 'the function of the program');
  t.equal(hang.mainFrame([read]), read);
  t.equal(hang.mainFrame([]), undefined);
  t.equal(hang.shortFrame(hash), 'hash (hash.js:10:5)');
  t.equal(hang.shortFrame(read), 'readSync (node:fs:10:5)');
  const line = 'hash (/srv/api/hash.js:10:5), called from /srv/api/server.js:10:5';
  t.equal(hang.stackInLine([read, hash, handle]), line);
  t.equal(hang.stackInLine([frameText('run', '')]), 'run (evaluated code:10:5)');
});
