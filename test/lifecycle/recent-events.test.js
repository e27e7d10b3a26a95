import t from 'tap';
import { includesEvent, withEvent } from '../../src/lifecycle/recent-events.js';

const event = (app, type, at, slot) => ({ app, type, at, slot });

t.test('what recurs most goes first', async (t) => {
  const rare = [event('api', 'reload.ended', 1), event('web', 'worker.exited', 2, 0)];
  let events = rare;
  for (let slot = 0; slot < 50; slot++) {
    events = withEvent(events, event('many', 'worker.starting', 3 + slot, slot), 10);
  }
  t.equal(events.length, 10);
  t.strictSame(events.slice(0, 2), rare, 'the start of many workers displaces itself');
  const [first, ...others] = events.slice(2);
  t.strictSame(first, { ...event('many', 'worker.starting', 45, 42), earlier: 42, since: 3 });
  const found = others.map(({ slot, earlier }) => [slot, earlier]);
  t.strictSame(
    found,
    [43, 44, 45, 46, 47, 48, 49].map((slot) => [slot, undefined]),
  );
});

t.test('where nothing recurs, the oldest goes', async (t) => {
  const arrived = ['a', 'b', 'c'].map((app, at) => event(app, 'x', at));
  const kept = arrived.reduce((all, next) => withEvent(all, next, 2), []);
  t.strictSame(kept, arrived.slice(1));
});

t.test('they are in order of time, and of arrival where it is the same', async (t) => {
  const arrived = [
    event('api', 'a', 5),
    event('web', 'b', 3),
    event('web', 'c', 5),
    event('x', 'd', 4),
  ];
  const types = arrived.reduce((all, next) => withEvent(all, next), []).map(({ type }) => type);
  t.strictSame(types, ['b', 'd', 'a', 'c']);
});

t.test('whether an event that is sent again is there', async (t) => {
  const kept = [
    { ...event('api', 'worker.exited', 9, 0), pid: 7, earlier: 2, since: 4 },
    { ...event('api', 'worker.online', 12, 0), pid: 8 },
  ];
  const rows = [
    [event('api', 'worker.online', 12, 0), 8, true],
    [event('api', 'worker.online', 12, 1), 8, false],
    [event('api', 'worker.online', 12, 0), 9, false],
    [event('api', 'worker.online', 11, 0), 8, false],
    [event('web', 'worker.online', 12, 0), 8, false],
    [event('api', 'worker.exited', 9, 0), 7, true],
    [event('api', 'worker.exited', 3, 0), 5, false],
    [event('api', 'worker.exited', 4, 0), 5, true],
    [event('api', 'worker.exited', 8, 1), 6, true],
    [event('api', 'worker.exited', 10, 0), 8, false],
  ];
  for (const [again, pid, expected] of rows)
    t.equal(includesEvent(kept, { ...again, pid }), expected, JSON.stringify(again));
});
