import t from 'tap';
import { Notices } from '../../../src/features/alarms/decide.js';

const INTERVAL_MS = 60_000;
const FAILED = 'no answer';

/**
 * Plays what happens at each time, and what is begun then: `type×count`.
 * @param steps an event by its type, or how the attempt in progress ended
 */
function play(steps) {
  const notices = new Notices();
  let current = null;
  const log = [];
  for (const [nowMs, what] of steps) {
    if (/^[ab]$/.test(what)) notices.add({ type: what, at: nowMs }, nowMs);
    else if (what !== undefined) {
      const givenUp = notices.end(current, what, nowMs);
      if (givenUp) log.push(`${nowMs} given up after ${givenUp.attempts}`);
    }
    const { dueMs } = notices;
    if (dueMs > nowMs) log.push(`${nowMs} wait ${dueMs - nowMs}`);
    else if (dueMs !== null) {
      current = notices.begin(nowMs, INTERVAL_MS);
      log.push(`${nowMs} ${current.event.type}×${current.count}`);
    }
  }
  return log;
}

const LOOK = undefined;
const OK = null;

const rows = [
  ['the first event at once', [[0, 'a']], ['0 a×1']],
  [
    'those of the next minute together, at its end',
    [
      [0, 'a'],
      [100, OK],
      [1000, 'a'],
      [2000, 'a'],
      [59_999, LOOK],
      [60_000, LOOK],
    ],
    ['0 a×1', '1000 wait 59000', '2000 wait 58000', '59999 wait 1', '60000 a×2'],
  ],
  [
    'after a quiet minute at once again',
    [
      [0, 'a'],
      [100, OK],
      [60_000, 'a'],
    ],
    ['0 a×1', '60000 a×1'],
  ],
  [
    'another type does not wait for the interval, but for its turn',
    [
      [0, 'a'],
      [10, 'b'],
      [100, OK],
    ],
    ['0 a×1', '100 b×1'],
  ],
  [
    'attempts after 1 s, 5 s, 30 s and 2 min, then it is given up',
    [
      [0, 'a'],
      [0, FAILED],
      [1000, LOOK],
      [1000, FAILED],
      [6000, LOOK],
      [6000, FAILED],
      [36_000, LOOK],
      [36_000, FAILED],
      [156_000, LOOK],
      [156_000, FAILED],
      [200_000, LOOK],
    ],
    [
      '0 a×1',
      '0 wait 1000',
      '1000 a×1',
      '1000 wait 5000',
      '6000 a×1',
      '6000 wait 30000',
      '36000 a×1',
      '36000 wait 120000',
      '156000 a×1',
      '156000 given up after 5',
    ],
  ],
  [
    'what comes during an attempt that fails joins the next one',
    [
      [0, 'a'],
      [10, 'a'],
      [20, 'a'],
      [30, FAILED],
      [1030, LOOK],
    ],
    ['0 a×1', '30 wait 1000', '1030 a×3'],
  ],
  [
    'what comes between two attempts joins the second one',
    [
      [0, 'a'],
      [0, FAILED],
      [500, 'a'],
      [1000, LOOK],
      [1001, OK],
      [1002, LOOK],
    ],
    ['0 a×1', '0 wait 1000', '500 wait 500', '1000 a×2'],
  ],
  [
    'a command that causes its own event runs once in an interval',
    [
      [0, 'a'],
      [10, 'a'],
      [20, OK],
      [60_000, LOOK],
      [60_010, 'a'],
      [60_020, OK],
      [120_000, LOOK],
    ],
    ['0 a×1', '20 wait 59980', '60000 a×1', '60020 wait 59980', '120000 a×1'],
  ],
];

t.test('when deliveries begin', async (t) => {
  for (const [name, steps, expected] of rows) t.same(play(steps), expected, name);
});

t.test('no more wait than there are types, whatever happens', async (t) => {
  const notices = new Notices();
  for (let n = 0; n < 1000; n += 1) notices.add({ type: `t${n % 7}`, at: n }, n);
  t.equal(notices.all.length, 7);
  t.match(notices.all[0], { count: 143, firstAt: 0, event: { type: 't0', at: 994 } });
});
