/** What primaries report: for subscribers, for the next daemon, and in daemon.log. */
import t from 'tap';
import { EventEmitter } from 'node:events';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { EventHub, publishEvents } from '../../src/daemon/events.js';
import { epochMs, machineMs } from '../../src/shared/monotonic.js';
import { exit, said } from '../support/snapshot.js';

const app = (name, more = {}) => ({
  name,
  namespace: 'shop',
  slots: [0, 1],
  ids: { 0: 7, 1: 8 },
  ...more,
});

function subscribe(hub, { selectors = [], since = Infinity } = {}) {
  const received = [];
  const end = hub.add({ selectors, since, send: (event) => received.push(event) });
  return { received, end };
}

t.test('events name their app and worker', async (t) => {
  const hub = new EventHub();
  const { received } = subscribe(hub);
  const event = { type: 'worker.online', at: 5, slot: 1, pid: 9 };
  hub.publish(app('api'), event);
  hub.publish(app('api'), { type: 'reload.begun' });
  t.same(received[0], { ...event, app: 'api', namespace: 'shop', id: 8 });
  t.notOk('slot' in received[1]);
});

t.test('selectors also match apps that are added later', async (t) => {
  const hub = new EventHub();
  const rows = [
    [[], 4],
    [['api'], 3],
    [['api:1'], 2],
    [['8'], 1],
    [['shop'], 4],
    [['/^a/'], 3],
    [['all'], 4],
    [['web', 'api:1'], 3],
  ];
  const subscribers = rows.map(([selectors]) => subscribe(hub, { selectors }));
  for (const slot of [0, 1, undefined]) hub.publish(app('api'), { type: 'x', slot });
  hub.publish(app('web', { ids: { 0: 9, 1: 10 } }), { type: 'x' });
  // A subscriber of one worker also gets the events of its app as a whole.
  const found = subscribers.map(({ received }, index) => [rows[index][0], received.length]);
  t.same(found, rows);
});

t.test('a returning subscriber gets the recent events that it missed', async (t) => {
  const hub = new EventHub();
  for (let at = 1; at <= 600; at++) hub.publish(app('api'), { type: `x${at % 9}`, at });
  const times = subscribe(hub, { since: 598 }).received.map(({ at }) => at);
  t.same(times, [598, 599, 600], 'of the last millisecond it may know only some');
  hub.publish(app('api'), { type: 'worker.event', at: 601, slot: 0 });
  t.same(subscribe(hub, { since: 601 }).received, [], 'what programs send is not kept');
  const [missed, ...all] = subscribe(hub, { since: 0 }).received;
  t.same(missed, { type: 'missed', at: 100, count: 100, kept: 500 }, 'older ones are gone');
  t.equal(all.length, 500);
  t.equal(subscribe(hub).received.length, 0);
});

t.test('a crash loop does not displace a deploy', async (t) => {
  const hub = new EventHub();
  hub.publish(app('api'), { type: 'reload.ended', at: 1 });
  for (let at = 2; at <= 1001; at++)
    hub.publish(app('api'), { type: 'worker.exited', slot: 0, at });
  const [missed, deploy, ...exits] = subscribe(hub, { since: 0 }).received;
  t.match(missed, { at: 901, count: 900 });
  t.match(deploy, { type: 'reload.ended', at: 1 });
  t.match([exits.length, exits[0].at, exits.at(-1).at], [100, 902, 1001]);
});

t.test('a repeated event reaches only subscribers that missed it', async (t) => {
  const hub = new EventHub();
  const [there, away] = [subscribe(hub, { since: 10 }), subscribe(hub, { since: 5 })];
  hub.publish(app('api'), { type: 'x', at: 8, seq: 1, again: true });
  t.same(there.received, []);
  t.match(away.received, [{ type: 'x', at: 8 }]);
  t.notOk('seq' in away.received[0] || 'again' in away.received[0]);
});

const placeOf = (t) => path.join(t.testdir(), 'events.jsonl');
const timesOf = ({ received }) => received.map(({ at }) => at);

t.test('events of the daemon before are there once, in order of time', async (t) => {
  const file = placeOf(t);
  const before = new EventHub(file);
  before.publish(app('api'), { type: 'worker.online', at: 3, slot: 0, pid: 9 });
  before.publish(app('api'), { type: 'reload.ended', at: 4 });
  before.publish(app('gone'), { type: 'delete.ended', at: 5 });
  t.equal(statSync(file).mode & 0o777, 0o600);
  const hub = new EventHub(file);
  t.equal(hub.lastSeenAt, undefined, 'that daemon has not noted its start');
  const early = subscribe(hub, { since: 0 });
  const send = { type: 'worker.online', slot: 0, again: true };
  hub.publish(app('api'), { ...send, at: 3, pid: 9 });
  hub.publish(app('api'), { ...send, at: 2, pid: 8 });
  t.same(timesOf(subscribe(hub, { since: 0 })), [2, 3, 4, 5]);
  t.same(timesOf(early), [3, 4, 5, 2], 'what was known is not sent once more');
  t.same(timesOf(subscribe(hub, { since: 0, selectors: ['gone'] })), [5]);
});

t.test('a daemon that did not note its end has crashed', async (t) => {
  const file = placeOf(t);
  const first = new EventHub(file);
  first.note('daemon.started');
  t.equal(new EventHub(file).lastSeenAt, subscribe(first, { since: 0 }).received[0].at);
  first.note('daemon.ended', { because: 'kill' });
  const next = new EventHub(file);
  t.equal(next.lastSeenAt, undefined);
  const { received } = subscribe(next, { since: 0, selectors: ['api'] });
  t.match(received, [{ type: 'daemon.started', pid: process.pid }, { because: 'kill' }]);
});

t.test('the file stays small, and says what is gone', async (t) => {
  const file = placeOf(t);
  const hub = new EventHub(file);
  for (let at = 1; at <= 3000; at++) hub.publish(app('api'), { type: `x${at % 9}`, at });
  t.ok(readFileSync(file, 'utf8').split('\n').length <= 1002);
  const next = new EventHub(file);
  t.match(subscribe(next, { since: 0 }).received[0], { type: 'missed', at: 2500 });
  t.same(timesOf(subscribe(next, { since: 2999 })), [2999, 3000]);
  const cause = 'x'.repeat(256 * 1024);
  for (let at = 3001; at <= 3070; at++) hub.publish(app('api'), { type: 'x', at, cause });
  t.same(timesOf(subscribe(new EventHub(file), { since: 3069 })), [3069, 3070], 'also of 17 MB');
});

t.test('what is not valid is dropped, and what cannot be written hurts nothing', async (t) => {
  const file = placeOf(t);
  const hub = new EventHub(file);
  hub.publish(app('api'), { type: 'reload.ended', at: 4 });
  const wrong = ['{"type":"cut', 'null', '3', '[]', '{"type":"x","at":"x"}'];
  appendFileSync(file, ['', ...wrong].join('\n'));
  hub.publish(app('api'), { type: 'reload.ended', at: 5 });
  t.same(timesOf(subscribe(new EventHub(file), { since: 0 })), [4, 5]);
  new EventHub(path.join(file, 'x')).publish(app('api'), { type: 'reload.ended', at: 4 });
});

function reportedBy(happens) {
  const entries = [];
  const write = (level) => (event, fields) => entries.push({ level, event, ...fields });
  const log = { info: write('info'), warn: write('warn'), error: write('error'), of: () => log };
  const link = { snapshot: null };
  const spec = { autorestart: true, stopExitCodes: [3] };
  const app = Object.assign(new EventEmitter(), { name: 'api', link, spec });
  const features = { levels: new Map([['worker.unhealthy', 'warn']]) };
  publishEvents({ events: { publish() {} }, features, log }, app);
  happens({
    event: (type, more = {}) =>
      app.emit('event', { type, at: Date.now(), slot: 0, pid: 7, generation: 1, ...more }),
    with: (snapshot) => (link.snapshot = { busy: null, slots: [], ...snapshot }),
  });
  return entries;
}

const crash = { code: 1, signal: null, reason: exit(1), cause: 'no', durationMs: 1500 };

t.test('exits, and a worker that has had too many', async (t) => {
  const entries = reportedBy((primary) => {
    primary.event('worker.exited', crash);
    primary.event('worker.errored', { reason: said('died too often') });
    primary.event('worker.exited', { ...crash, code: 0, slot: 1 });
    primary.event('worker.exited', { ...crash, code: 3, slot: 2 });
  });
  t.match(entries, [
    { level: 'warn', event: 'worker.exited', slot: 0, code: 1, cause: 'no', after: '1s' },
    { level: 'error', event: 'worker.errored', slot: 0, reason: 'died too often' },
    { level: 'info', event: 'worker.exited', slot: 1, code: 0 },
    { level: 'info', event: 'worker.exited', slot: 2, code: 3 },
  ]);
  t.equal(entries.length, 4);
});

t.test('what happens without a command', async (t) => {
  const entries = reportedBy((primary) => {
    primary.with({ slots: [{ slot: 0, restarts: 1 }] });
    primary.event('worker.online');
    primary.event('worker.blocked');
    primary.event('worker.responsive');
    primary.event('worker.replacing', { reason: said('was old') });
    primary.event('worker.unhealthy', { reason: said('GET /: 503') });
  });
  t.strictSame(entries, [
    { level: 'info', event: 'worker.online', slot: 0, pid: 7, generation: 1, restarts: 1 },
    { level: 'warn', event: 'worker.blocked', slot: 0, pid: 7, reason: undefined },
    { level: 'info', event: 'worker.responsive', slot: 0, pid: 7, reason: undefined },
    { level: 'info', event: 'worker.replacing', slot: 0, pid: 7, reason: 'was old' },
    { level: 'warn', event: 'worker.unhealthy', slot: 0, pid: 7, reason: 'GET /: 503' },
  ]);
});

t.test('a command logs its own steps', async (t) => {
  const entries = reportedBy((primary) => {
    primary.with({ busy: 'reload' });
    primary.event('worker.online');
    primary.event('worker.draining');
  });
  t.same(entries, []);
});

t.test('what a daemon before this one has logged, and types that no primary has', async (t) => {
  const before = { again: true, at: epochMs(machineMs(0)) - 60_000 };
  const entries = reportedBy((primary) => {
    for (const type of ['worker.starting', 'worker.online']) primary.event(type, before);
    primary.event('worker.exited', { ...exit, ...before });
    for (const type of ['constructor', '__proto__']) primary.event(type);
  });
  t.same(entries, []);
  const again = reportedBy((primary) => primary.event('worker.starting', { again: true }));
  t.match(again, [{ event: 'worker.started', pid: 7 }], 'since this one runs');
});
