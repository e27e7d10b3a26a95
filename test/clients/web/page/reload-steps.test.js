/** A reload as it goes, told from events. */
import t from 'tap';
import { reloadSteps } from '../../../../src/clients/web/page/reload-steps.js';

const workers = [0, 1, 2].map((slot) => ({ id: slot, slot }));
const app = { name: 'api', generation: 1, workers };

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
  return reloadSteps(app, events).slots.map(({ old: before, next }) => `${before}>${next}`);
}

t.test('without a reload there is nothing to show', async (t) => {
  t.equal(reloadSteps(app, []), null);
  t.equal(reloadSteps(app, [{ ...begun, app: 'web' }]), null);
});

t.test('one after the other', async (t) => {
  const events = [begun];
  const rows = [
    [[], ['serves>waits', 'serves>waits', 'serves>waits']],
    [[starting(0)], ['serves>starting', 'serves>waits', 'serves>waits']],
    [
      [online(0), old('draining', 0)],
      ['draining>online', 'serves>waits', 'serves>waits'],
    ],
    [
      [starting(1), starting(2), old('stopping', 0)],
      ['stopping>online', 'serves>starting', 'serves>starting'],
    ],
    [
      [old('stopped', 0, { cut: 3 }), online(1), online(2), old('stopped', 1), old('stopped', 2)],
      ['stopped>online', 'stopped>online', 'stopped>online'],
    ],
  ];
  for (const [more, expected] of rows) {
    events.push(...more);
    t.same(words(events), expected);
  }
  const { slots, endedAt, newGeneration } = reloadSteps(app, events);
  t.equal(slots[0].closed, 3);
  t.equal(slots[0].oldGeneration, 1);
  t.equal(newGeneration, 2);
  t.equal(endedAt, null, 'it goes on');
});

t.test('the old generation is known before the old worker drains', async (t) => {
  const workers = [{ id: 0, slot: 0, generation: 1 }];
  const { slots } = reloadSteps({ ...app, workers }, [begun, starting(0)]);
  t.equal(slots[0].oldGeneration, 1);
});

t.test('canaries that are judged', async (t) => {
  const judging = (slot) => event('worker.judging', { slot, generation: 2 });
  const judged = (slot) => event('worker.judged', { slot, generation: 2, reason: 'it may' });
  const events = [begun, starting(0), starting(1), online(0), online(1), judging(0), judging(1)];
  t.same(words(events), ['serves>judging', 'serves>judging', 'serves>waits']);
  events.push(judged(0), judged(1), old('draining', 0), starting(2));
  t.same(words(events), ['draining>online', 'serves>online', 'serves>starting']);
  t.equal(reloadSteps(app, events).judged, 'it may');
});

t.test('the outcome', async (t) => {
  const ended = event('reload.ended', { ok: true, at: 3000, text: 'api: 3 workers replaced' });
  t.match(reloadSteps(app, [begun, ended]), {
    ok: true,
    endedAt: 3000,
    text: 'api: 3 workers replaced',
    isRolledBack: false,
  });
  const failed = event('reload.ended', { ok: false });
  const events = [begun, starting(0), event('worker.exited', { slot: 0, generation: 2 })];
  t.same(words([...events, failed])[0], 'serves>failed');
  const rolledBack = [...events, event('reload.rollback'), failed];
  t.match(reloadSteps(app, rolledBack), { ok: false, isRolledBack: true });
  t.match(
    reloadSteps(app, [...rolledBack, begun, starting(0)]),
    { endedAt: null, isRolledBack: false },
    'the latest reload counts',
  );
});
