import t from 'tap';
import { EventStream } from '../../src/api/event-stream.js';

/** @param {number} at */
const event = (at) => ({ type: 'reload.begun', at, app: 'api', namespace: 'default' });

t.test('events come in order, whether they are waited for or not', async (t) => {
  const stream = new EventStream(() => {});
  stream.push(event(1));
  t.same(await stream.next(), { value: event(1), done: false });
  const second = stream.next();
  stream.push(event(2));
  t.same(await second, { value: event(2), done: false });
});

t.test('who is slow is told how many were lost, and where', async (t) => {
  const stream = new EventStream(() => {});
  for (let at = 1; at <= 1003; at++) stream.push(event(at));
  const taken = [];
  for (let at = 1; at <= 1000; at++) taken.push((await stream.next()).value.at);
  t.equal(taken.at(-1), 1000);
  stream.push(event(1004));
  t.match((await stream.next()).value, { type: 'missed', count: 3 });
  t.equal((await stream.next()).value.at, 1004);
});

t.test('it ends, or throws', async (t) => {
  let left = 0;
  const ended = new EventStream(() => (left += 1));
  const waiting = ended.next();
  ended.push(event(1));
  ended.end();
  t.match(await waiting, { value: { at: 1 } });
  t.same(await ended.next(), { value: undefined, done: true });
  const failed = new EventStream(() => (left += 1));
  const rejected = t.rejects(failed.next(), { message: 'gone' });
  failed.end(new Error('gone'));
  await rejected;
  await t.rejects(failed.next(), { message: 'gone' });
  t.equal(left, 2);
});

t.test('who leaves the loop ends it', async (t) => {
  let left = 0;
  const stream = new EventStream(() => (left += 1));
  stream.push(event(1));
  stream.push(event(2));
  for await (const { at } of stream) {
    t.equal(at, 1);
    break;
  }
  t.equal(left, 1);
  t.match(await stream.next(), { done: true });
});
