import t from 'tap';
import {
  describeFreeze,
  describeSilence,
  judgeProcess,
  mayReplyYet,
} from '../../src/lifecycle/frozen-policy.js';

const stopped = { isStopped: true, cpuMs: 0 };
const loops = { isStopped: false, cpuMs: 5000 };
const starved = { isStopped: false, cpuMs: 300 };
const idle = { isStopped: false, cpuMs: 0 };

/** Silent for how long, looked at how long after the last look, what it does, verdict. */
const rows = [
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

for (const [name, silentMs, sinceCheckMs, activity, verdict] of rows) {
  t.equal(judgeProcess({ silentMs, sinceCheckMs, activity }), verdict, name);
}

t.strictSame([stopped, loops, idle].map(describeFreeze), [
  'was stopped by a signal',
  'uses the CPU and does not reply',
  'does nothing',
]);

t.equal(
  describeSilence(stopped, 4711),
  'it was stopped by a signal; `kill -CONT 4711` lets it continue',
);
t.equal(describeSilence(idle, 4711), 'it does not reply to pings');
t.equal(describeSilence(null, 4711), 'it does not reply to pings');

t.test('whether a command waits on for a daemon that does not reply', (t) => {
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
    t.equal(mayReplyYet(isStopped, cpuMs), expected, name);
  t.end();
});
