import t from 'tap';
import { stayConnected } from '../../src/api/feed.js';
import { openEvents } from '../../src/api/streams.js';
import { NodeclusterError } from '../../src/errors/error.js';

const event = (at) => ({ type: 'reload.begun', at, app: 'api', namespace: 'default' });

const taking = (stream) => stream[Symbol.asyncIterator]();

async function opened() {
  const at = { closed: 0, push: (_event) => {}, fail: (_error) => {} };
  const client = {
    request: (_method, _params, { onNotification }) => {
      at.push = (each) => onNotification('event', each);
      onNotification('listening', {});
      return new Promise((_resolve, reject) => (at.fail = reject));
    },
    close() {
      at.closed += 1;
      at.fail(new Error('closed'));
    },
  };
  const finder = { home: '/home', find: async () => client, close: () => client.close() };
  const stream = openEvents(finder, [], {});
  await stream.opened;
  return { stream, events: taking(stream), at };
}

t.test('events come in order, whether they are waited for or not', async (t) => {
  const { events, at } = await opened();
  at.push(event(1));
  t.same(await events.next(), { value: event(1), done: false });
  const second = events.next();
  at.push(event(2));
  t.same(await second, { value: event(2), done: false });
});

t.test('who is slow is told how many were lost, and where', async (t) => {
  const { events, at } = await opened();
  for (let number = 1; number <= 1003; number++) at.push(event(number));
  const taken = [];
  for (let number = 1; number <= 1000; number++) taken.push((await events.next()).value.at);
  t.equal(taken.at(-1), 1000);
  at.push(event(1004));
  t.match((await events.next()).value, { type: 'missed', count: 3 });
  t.equal((await events.next()).value.at, 1004);
});

t.test('it ends, or throws after what is buffered', async (t) => {
  const { stream, events: ended, at: one } = await opened();
  const waiting = ended.next();
  stream.end();
  t.match(await waiting, { done: true });
  t.same(await ended.next(), { value: undefined, done: true });
  const { events: failed, at: other } = await opened();
  other.push(event(1));
  other.fail(new Error('gone'));
  t.match(await failed.next(), { value: { at: 1 } });
  await t.rejects(failed.next(), { message: 'gone' });
  t.match(await failed.next(), { done: true });
  t.ok(one.closed > 0 && other.closed > 0);
});

t.test('without a daemon it throws; who leaves the loop ends it', async (t) => {
  const none = taking(openEvents(daemonsOf(), [], {}));
  await t.rejects(none.next(), { code: 'E_DAEMON_NOT_RUNNING' });
  t.match(await none.next(), { done: true });
  const { stream, at } = await opened();
  at.push(event(1));
  at.push(event(2));
  for await (const { at: number } of stream) {
    t.equal(number, 1);
    break;
  }
  t.ok(stream.destroyed);
  t.ok(at.closed > 0);
});

/** Daemons in the order in which they are found; null: none is running. */
function daemonsOf(...found) {
  return { home: '/home', find: async () => found.shift() ?? null, close: () => {} };
}

t.test('a lost daemon is reported once, until the next one was in use', async (t) => {
  const ending = new AbortController();
  const ends = ['E_PROTOCOL_CLOSED', 'E_DAEMON_ENDING', 'E_PROTOCOL_CLOSED', 'E_APP_UNKNOWN'];
  let lost = 0;
  const use = async () => {
    throw new NodeclusterError(ends.shift(), { method: 'watch', selector: 'api', known: [] });
  };
  const onLost = () => (lost += 1);
  const daemons = daemonsOf({}, {}, null, {}, {});
  const connected = stayConnected(daemons, use, { signal: ending.signal, onLost });
  await t.rejects(connected, { code: 'E_APP_UNKNOWN' });
  t.equal(lost, 2);
});

t.test('it gives up after the timeout, and ends with its signal', async (t) => {
  const { signal } = new AbortController();
  const options = { signal, onLost: () => {}, timeoutMs: 1 };
  const waiting = stayConnected(daemonsOf(), async () => {}, options);
  await t.rejects(waiting, { code: 'E_DAEMON_NOT_RUNNING' });
  const ending = new AbortController();
  const use = async () => ending.abort();
  await stayConnected(daemonsOf({}), use, { signal: ending.signal, onLost: t.fail });
});
