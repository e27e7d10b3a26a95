/** A reload as it goes, told from events. */
import t from 'tap';
import { reloadSteps } from '../../../../src/clients/web/page/reload-steps.js';

const app = { name: 'api', generation: 1 };
const workers = [0, 1, 2].map((slot) => ({ id: slot, slot }));

/** @param {string} type @param {object} [fields] */
function event(type, fields) {
  return { type, at: 1000, app: 'api', text: `${type}`, ...fields };
}

const begun = event('reload.begun');
const starting = (slot) => event('worker.starting', { slot, generation: 2 });
const online = (slot) => event('worker.online', { slot, generation: 2 });
const old = (change, slot, fields) => event(`worker.${change}`, { slot, generation: 1, ...fields });

/** @param {object[]} events */
function words(events) {
  const reload = reloadSteps(app, workers, events, 2);
  return reload.slots.map(({ old: before, next, wave }) => `${before}>${next}@${wave ?? '-'}`);
}

t.test('without a reload there is nothing to show', async (t) => {
  t.equal(reloadSteps(app, workers, []), null);
  t.equal(reloadSteps(app, workers, [{ ...begun, app: 'web' }]), null);
});

t.test('canary, drain, waves', async (t) => {
  const events = [begun];
  const rows = [
    [[], ['serves>waits@-', 'serves>waits@-', 'serves>waits@-']],
    [[starting(0)], ['serves>starting@0', 'serves>waits@-', 'serves>waits@-']],
    [
      [online(0), old('draining', 0)],
      ['draining>online@0', 'serves>waits@-', 'serves>waits@-'],
    ],
    [
      [starting(1), starting(2), old('stopping', 0)],
      ['stopping>online@0', 'serves>starting@1', 'serves>starting@1'],
    ],
    [
      [old('stopped', 0, { cut: 3 }), online(1), online(2), old('stopped', 1), old('stopped', 2)],
      ['stopped>online@0', 'stopped>online@1', 'stopped>online@1'],
    ],
  ];
  for (const [more, expected] of rows) {
    events.push(...more);
    t.same(words(events), expected);
  }
  const { slots, endedAt, newGeneration } = reloadSteps(app, workers, events);
  t.equal(slots[0].closed, 3);
  t.equal(slots[0].oldGeneration, 1);
  t.equal(newGeneration, 2);
  t.equal(endedAt, null, 'it goes on');
});

t.test('without a size, a wave is a quarter of the workers', async (t) => {
  const eight = Array.from({ length: 8 }, (_, slot) => ({ id: slot, slot, generation: 1 }));
  const events = [begun, ...eight.map(({ slot }) => starting(slot))];
  const { slots } = reloadSteps(app, eight, events, 0);
  t.same(
    slots.map(({ wave }) => wave),
    [0, 1, 1, 2, 2, 3, 3, 4],
  );
  t.same(slots[0].oldGeneration, 1, 'known before the old one drains');
});

t.test('canaries that are judged', async (t) => {
  const judging = (slot) => event('worker.judging', { slot, generation: 2 });
  const judged = (slot) => event('worker.judged', { slot, generation: 2, reason: 'it may' });
  const events = [begun, starting(0), starting(1), online(0), online(1), judging(0), judging(1)];
  t.same(words(events), ['serves>judging@0', 'serves>judging@0', 'serves>waits@-']);
  events.push(judged(0), judged(1), old('draining', 0), starting(2));
  t.same(words(events), ['draining>online@0', 'serves>online@0', 'serves>starting@1']);
  t.equal(reloadSteps(app, workers, events, 2).judged, 'it may');
});

t.test('the outcome', async (t) => {
  const ended = event('reload.ended', { ok: true, at: 3000, text: 'api: 3 workers replaced' });
  t.match(reloadSteps(app, workers, [begun, ended]), {
    ok: true,
    endedAt: 3000,
    text: 'api: 3 workers replaced',
    isRolledBack: false,
  });
  const failed = event('reload.ended', { ok: false });
  const events = [begun, starting(0), event('worker.exited', { slot: 0, generation: 2 })];
  t.same(words([...events, failed])[0], 'serves>failed@0');
  const rolledBack = [...events, event('reload.rollback'), failed];
  t.match(reloadSteps(app, workers, rolledBack), { ok: false, isRolledBack: true });
  t.match(
    reloadSteps(app, workers, [...rolledBack, begun, starting(0)]),
    { endedAt: null, isRolledBack: false },
    'the latest reload counts',
  );
});
