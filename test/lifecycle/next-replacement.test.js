import t from 'tap';
import {
  nextReplacement,
  nextReplacementMs,
  recentReplacements,
} from '../../src/lifecycle/next-replacement.js';

/** 'due@5' is due since 5; '!': it does not serve; '+': a second worker; '^': it empties first; '~900': not before 900. */
const slots = (text) =>
  text.split(' ').map((word, slot) => ({
    slot,
    emptiesFirst: word.includes('^'),
    isServing: !word.includes('!'),
    isChanging: word.includes('+'),
    dueMs: /@(\d+)/.test(word) ? Number(/@(\d+)/.exec(word)[1]) : null,
    notBeforeMs: Number(/~(\d+)/.exec(word)?.[1] ?? 0),
  }));

const rows = [
  ['nobody is due', 'ok ok', { waitMs: null }],
  ['one is due', 'ok due@5', { slot: 1 }],
  ['the one that has been due for longest comes first', 'due@7 due@5', { slot: 1 }],
  ['one at a time', 'due@7 ok+', { waitMs: null }],
  ['not one that does not serve: its restart replaces it', 'due@7! ok', { waitMs: null }],
  ['after a failure it waits, and others go first', 'due@5~900 due@7', { slot: 1 }],
  ['and is tried again', 'due@5~900 ok', { waitMs: 400 }],
  ['then', 'due@5~400 ok', { slot: 0 }],
  ['alone, the new one starts first', 'due@5', { slot: 0 }],
  ['beside one that does not serve, too', 'due@5 ok!', { slot: 0 }],
  ['where it stops first: only beside one that serves', '^due@5 ok!', { waitMs: null }],
  ['which takes over', '^due@5 ok', { slot: 0 }],
  ['unless there is no other', '^due@5', { slot: 0 }],
];

for (const [name, text, next] of rows)
  t.same(nextReplacement({ slots: slots(text), nowMs: 500 }), next, name);

t.test('the delay after failures doubles up to a limit', async (t) => {
  const delays = [1, 2, 3, 6, 99].map((failures) => nextReplacementMs([0], failures));
  t.same(delays, [10_000, 20_000, 40_000, 300_000, 300_000]);
});

t.test('each further replacement of a slot waits twice as long, up to a minute', async (t) => {
  const delays = [
    [[], 0, true],
    [[0], 9_999, false],
    [[0], 10_000, true],
    [[0, 10_000], 29_999, false],
    [[0, 10_000], 30_000, true],
    [[0, 10_000, 30_000], 70_000, true],
    [[0, 10_000, 30_000, 70_000], 129_999, false],
    [[0, 10_000, 30_000, 70_000], 130_000, true],
    [[0, 10_000, 30_000, 70_000, 130_000], 190_000, true],
    [[0, 10_000, 30_000], 630_500, true],
  ];
  for (const [replacedMs, nowMs, isReplaced] of delays) {
    const recent = recentReplacements(replacedMs, nowMs);
    t.equal(nowMs >= nextReplacementMs(recent, 0), isReplaced, `${replacedMs} at ${nowMs}`);
  }
  t.same(recentReplacements([0, 1, 500_000], 600_001), [500_000], 'old ones do not count');
});
