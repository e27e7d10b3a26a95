import t from 'tap';
import { withEvent } from '../../src/lifecycle/recent-events.js';

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
  t.strictSame(
    others.map(({ slot, earlier }) => [slot, earlier]),
    [43, 44, 45, 46, 47, 48, 49].map((slot) => [slot, undefined]),
  );
});

t.test('where nothing recurs, the oldest goes', async (t) => {
  const events = ['a', 'b', 'c'].reduce(
    (all, app, at) => withEvent(all, event(app, 'x', at), 2),
    [],
  );
  t.strictSame(
    events.map(({ app }) => app),
    ['b', 'c'],
  );
});
