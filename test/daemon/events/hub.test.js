import t from 'tap';
import { EventHub } from '../../../src/daemon/events/hub.js';

/** @param {string} name @param {object} [more] */
const app = (name, more = {}) => ({
  ...{ name, namespace: 'shop', slots: [0, 1], ids: { 0: 7, 1: 8 } },
  ...more,
});

/** @param {EventHub} hub @param {object} [more] */
function listen(hub, { selectors = [], isBehind = () => false, since = Infinity } = {}) {
  const heard = [];
  const end = hub.add({ selectors, isBehind, since, tell: (event) => heard.push(event) });
  return { heard, end };
}

t.test('events say which app and worker they are of', async (t) => {
  const hub = new EventHub();
  const { heard } = listen(hub);
  hub.publish(app('api'), { type: 'worker.online', at: 5, slot: 1, pid: 9 });
  hub.publish(app('api'), { type: 'reload.begun' });
  t.same(heard[0], {
    ...{ type: 'worker.online', at: 5, app: 'api', namespace: 'shop' },
    ...{ slot: 1, id: 8, pid: 9 },
  });
  t.notOk('slot' in heard[1]);
});

t.test('selectors choose, also of apps that come or go later', async (t) => {
  const hub = new EventHub();
  const rows = [
    [[], 4],
    [['api'], 3],
    [['api:1'], 2],
    [['8'], 2],
    [['shop'], 4],
    [['/^a/'], 3],
    [['all'], 4],
    [['web', 'api:1'], 3],
  ];
  const listeners = rows.map(([selectors]) => listen(hub, { selectors }));
  hub.publish(app('api'), { type: 'worker.online', slot: 0 });
  hub.publish(app('api'), { type: 'worker.online', slot: 1 });
  hub.publish(app('api'), { type: 'reload.begun' });
  hub.publish(app('web', { ids: { 0: 9, 1: 10 } }), { type: 'reload.begun' });
  // A worker's listener also hears what befalls its app as a whole.
  t.same(
    listeners.map(({ heard }, index) => [rows[index][0], heard.length]),
    rows,
  );
});

t.test('who is behind is told how many it missed', async (t) => {
  const hub = new EventHub();
  let isBehind = true;
  const { heard } = listen(hub, { isBehind: () => isBehind });
  for (const at of [1, 2, 3]) hub.publish(app('api'), { type: 'x', at });
  t.same(heard, []);
  isBehind = false;
  hub.publish(app('api'), { type: 'x', at: 4 });
  t.match(heard, [
    { type: 'missed', count: 3 },
    { type: 'x', at: 4 },
  ]);
});

t.test('who comes again hears what happened since, as far as it is known', async (t) => {
  const hub = new EventHub();
  for (let at = 1; at <= 600; at++) hub.publish(app('api'), { type: 'x', at });
  t.same(
    listen(hub, { since: 598 }).heard.map(({ at }) => at),
    [599, 600],
  );
  t.equal(listen(hub, { since: 0 }).heard.length, 500);
  t.equal(listen(hub).heard.length, 0);
});

t.test('what a primary tells again is news only to who was away', async (t) => {
  const hub = new EventHub();
  const [there, away] = [listen(hub, { since: 10 }), listen(hub, { since: 5 })];
  hub.publish(app('api'), { type: 'x', at: 8, seq: 1, again: true });
  t.same(there.heard, []);
  t.match(away.heard, [{ type: 'x', at: 8 }]);
  t.notOk('seq' in away.heard[0] || 'again' in away.heard[0]);
});

t.test('what programs say is not kept', async (t) => {
  const hub = new EventHub();
  hub.publish(app('api'), { type: 'worker.event', at: 8, slot: 0 });
  t.same(listen(hub, { since: 0 }).heard, []);
});

t.test('it tells when the first comes, and when the last is gone', async (t) => {
  const hub = new EventHub();
  const told = [];
  hub.onHeard = (isHeard) => told.push(isHeard);
  const [one, other] = [listen(hub), listen(hub)];
  one.end();
  other.end();
  other.end();
  t.same(told, [true, false]);
});
