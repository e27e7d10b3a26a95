import t from 'tap';
import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { Replacements } from '../../../src/primary/pool/replacements.js';

let clockMs = 0;
const { mock: clock } = mock.method(performance, 'now', () => clockMs);
t.teardown(() => clock.restore());

/** 'due@5' is due since 5; '!': it does not serve; '+': a second worker; '^': it empties first. */
function appOf(t, text) {
  clockMs = 0;
  let begun = null;
  const slots = new Map();
  const pool = Object.assign(new EventEmitter(), { slots, changed: () => {} });
  pool.slotsOf = () => [...slots.values()];
  const replacements = new Replacements(pool, () => false);
  for (const [slot, word] of text.split(' ').entries()) {
    const worker = { slot, reportEvent: () => (begun = slot) };
    slots.set(slot, {
      isDesired: true,
      emptiesFirst: word.startsWith('^'),
      desiredWorker: word.endsWith('!') ? undefined : worker,
      workers: word.endsWith('+') ? [worker, {}] : [worker],
      beginReload: () => {},
      revertReload: () => {},
      endReload: () => {},
    });
    clockMs = Number(/@(\d+)/.exec(word)?.[1]);
    if (clockMs) replacements.markDue(worker, { kind: 'reported', text: 'is due' });
  }
  t.teardown(() => {
    pool.isEnding = true;
    pool.emit('change');
  });
  return {
    /** @returns the slot whose replacement begins then */
    at(ms) {
      clockMs = ms;
      begun = null;
      pool.emit('change');
      return begun;
    },
    fail: (slot) => pool.emit('replacement-failed', slots.get(slot), {}),
  };
}

const rows = [
  ['nobody is due', 'ok ok', null],
  ['one is due', 'ok due@5', 1],
  ['the one that has been due for longest comes first', 'due@7 due@5', 1],
  ['one at a time', 'due@7 ok+', null],
  ['not one that does not serve: its restart replaces it', 'due@7! ok', null],
  ['alone, the new one starts first', 'due@5', 0],
  ['beside one that does not serve, too', 'due@5 ok!', 0],
  ['where it stops first: only beside one that serves', '^due@5 ok!', null],
  ['which takes over', '^due@5 ok', 0],
  ['unless there is no other', '^due@5', 0],
];

t.test('which of those that are due is replaced', async (t) => {
  for (const [name, text, slot] of rows) t.equal(appOf(t, text).at(500), slot, name);
});

t.test('after a failure it waits, and others go first', async (t) => {
  const { at, fail } = appOf(t, 'due@5 due@7');
  t.equal(at(500), 0);
  fail(0);
  t.equal(at(500), 1);
});

t.test('the delay after failures doubles up to a limit', async (t) => {
  const { at, fail } = appOf(t, 'due@5');
  let nowMs = 500;
  for (const delayMs of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
    t.equal(at(nowMs), 0);
    fail(0);
    t.equal(at(nowMs + delayMs - 1), null);
    nowMs += delayMs;
  }
});

t.test('each further replacement of a slot waits twice as long, up to a minute', async (t) => {
  // The worker is due all the time, and replaced at once.
  const { at } = appOf(t, 'due@5');
  let nowMs = 500;
  for (const delayMs of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    t.equal(at(nowMs), 0);
    t.equal(at(nowMs), null, 'the next one has taken over');
    t.equal(at(nowMs + delayMs - 1), null);
    nowMs += delayMs;
  }
  nowMs += 600_000;
  t.equal(at(nowMs), 0);
  t.equal(at(nowMs), null);
  t.equal(at(nowMs + 10_000), 0, 'old ones do not count');
});
