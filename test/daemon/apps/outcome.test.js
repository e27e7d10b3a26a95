import t from 'tap';
import * as outcomes from '../../../src/daemon/apps/outcome.js';

const appWith = (ids, states) => {
  const slots = ids.map((_, slot) => slot);
  const link = { state: 'connected', snapshot: { slots: states } };
  return { slots, desiredSlots: slots, ids: { ...ids }, queue: { current: null }, link };
};

t.test('outcomes contain worker ids', async (t) => {
  const failure = { slot: 1, reason: 'r', lastLines: ['l'] };
  const primary = { ok: false, done: [0], failed: [failure], kept: [1] };
  const failed = [{ id: 8, ...failure }];
  const expected = { name: 'web', ok: false, done: [7], failed, kept: [8] };
  t.match(outcomes.appOutcome('web', 'reload', primary, { 0: 7, 1: 8 }), expected);
  const listener = { address: '*:3000', protocol: 'http' };
  const states = [
    { slot: 0, status: 'online', listening: [listener] },
    { slot: 2, status: 'errored', listening: [] },
  ];
  const app = { ...appWith([7, 8, 9], states), desiredSlots: [0, 2] };
  const summary = { workers: 3, online: [7], stopped: [1], listening: [listener] };
  t.strictSame(outcomes.summarize(app), summary);
  t.match(outcomes.failedOutcome(new Error('boom')), {
    ok: false,
    failed: [{ slot: null, reason: /boom/, errorCode: 'E_INTERNAL' }],
  });
  const [first, second] = [2, 1].map((minReady, at) => ({ ok: true, done: [at], minReady }));
  t.match(outcomes.joinOutcomes(first, second), { ok: true, done: [0, 1], minReady: 1 });
});

t.test('what was killed in two steps of a command, or in several', async (t) => {
  const how = { afterMs: 5000, signal: 'SIGTERM' };
  const first = { ok: true, killed: { workers: 1, launchers: 0, ...how } };
  const second = { ok: true, killed: { workers: 2, launchers: 1, ...how } };
  const both = outcomes.joinOutcomes(first, second);
  t.same(both.killed, { workers: 3, launchers: 1, ...how });
  t.same(outcomes.joinOutcomes(first, { ok: true }).killed, first.killed);
  t.same(outcomes.appOutcome('api', 'stop', both, {}).killed, both.killed);
  t.notOk('killed' in outcomes.appOutcome('api', 'stop', { ok: true }, {}));
});

t.test('a worker that was online may have crashed when the last app is done', async (t) => {
  const lastExit = { reason: 'exited with code 1', lastLines: ['no database'] };
  const slots = [
    { slot: 0, status: 'online', lastExit: null },
    { slot: 1, status: 'backoff', lastExit },
    { slot: 2, status: 'exited', lastExit },
    { slot: 3, status: 'errored', lastExit },
  ];
  const app = appWith([10, 11, 12, 13], slots);
  const outcome = { name: 'web', action: 'start', ok: true, done: [10, 11, 12], failed: [] };
  t.match(outcomes.withLaterExits(outcome, app), {
    ok: false,
    done: [10, 12],
    failed: [{ id: 11, slot: 1, ...lastExit }],
    after: { workers: 4, online: [10] },
  });
  for (const [one, other] of [
    [{ ...outcome, done: [10, 12] }, app],
    [outcome, { ...app, desiredSlots: [0, 2] }],
    [outcome, { ...app, queue: { current: 'stop' } }],
    [{ ...outcome, ok: false }, app],
  ]) {
    t.match(outcomes.withLaterExits(one, other), one);
  }
});

t.test('a worker that listens by now is not said to listen on nothing', async (t) => {
  const note = { kind: 'silent' };
  const notes = [0, 1].map((slot) => ({ id: slot, slot, note }));
  const outcome = { name: 'web', action: 'start', ok: true, done: [0, 1], notes };
  const listening = [[], [{ address: '*:3000', protocol: 'http' }]];
  const slots = listening.map((each, slot) => ({ slot, status: 'online', listening: each }));
  const app = appWith([0, 1], slots);
  t.same(outcomes.withLaterExits(outcome, app).notes, [notes[0]]);
});
