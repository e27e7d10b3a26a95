/** What daemon.log says of what primaries report. */
import t from 'tap';
import { EventEmitter } from 'node:events';
import { publishEvents } from '../../src/daemon/events.js';
import { epochMs, machineMs } from '../../src/shared/monotonic.js';

const state = (more = {}) => ({
  slot: 0,
  status: 'online',
  pid: 8,
  restarts: 1,
  startedMs: machineMs(),
  retryAtMs: null,
  reason: null,
  ...more,
});

/**
 * An app whose primary reports what `happens`;
 * @returns the entries of its log
 */
function reportedBy(happens) {
  const entries = [];
  const write = (level) => (event, fields) => entries.push({ level, event, ...fields });
  const log = { info: write('info'), warn: write('warn'), error: write('error'), of: () => log };
  const link = { snapshot: null };
  const app = Object.assign(new EventEmitter(), { name: 'api', link });
  const features = { event: () => null, levels: new Map([['worker.unhealthy', 'warn']]) };
  publishEvents({ events: {}, features, log }, app);
  happens({
    event: (type, more = {}) =>
      app.emit('event', { type, at: Date.now(), slot: 0, pid: 7, generation: 1, ...more }),
    state: (...slots) => {
      link.snapshot = { busy: null, slots };
      app.emit('state', link.snapshot);
    },
    busyWith: (busy) => (link.snapshot = { busy, slots: [state()] }),
  });
  return entries;
}

const exit = { code: 1, signal: null, reason: 'exited with code 1', cause: 'no', durationMs: 1500 };
const ended = { level: 'warn', event: 'worker.exited', slot: 0, code: 1, cause: 'no', after: '1s' };

for (const { name, after, entry } of [
  {
    name: 'with a wait before the next start',
    after: state({ status: 'backoff', pid: null, retryAtMs: machineMs() + 60_000 }),
    entry: { ...ended, then: 'backoff' },
  },
  { name: 'and a new worker', after: state({}), entry: { ...ended, then: 'started again' } },
  {
    name: 'of a replacement, while the old worker serves on',
    after: state({ startedMs: machineMs() - 5000 }),
    entry: { ...ended, then: 'the old worker stays' },
  },
  {
    name: 'that was one too many',
    after: state({ status: 'errored', pid: null, reason: 'died 12 times in 60 s' }),
    entry: { ...ended, level: 'error', then: 'errored', why: 'died 12 times in 60 s' },
  },
  {
    name: 'that the settings allow',
    after: state({ status: 'exited', pid: null, reason: 'autorestart is off' }),
    entry: { ...ended, level: 'info', then: 'exited', why: 'autorestart is off' },
  },
  { name: 'of a slot that is gone', after: state({ slot: 1 }), entry: { then: 'stopped' } },
]) {
  t.test(`an exit ${name}`, async (t) => {
    const entries = reportedBy((primary) => {
      primary.event('worker.exited', exit);
      primary.state(after);
      primary.state(after);
    });
    t.equal(entries.length, 1, 'once');
    t.match(entries, [entry]);
    if (entry.then === 'backoff') t.ok(entries[0].inMs > 50_000 && entries[0].inMs <= 60_000);
  });
}

t.test('an exit before a state in which the worker still runs', async (t) => {
  const entries = reportedBy((primary) => {
    primary.event('worker.exited', exit);
    primary.state(state({ pid: 7, status: 'starting', startedMs: machineMs() - 1600 }));
    primary.state(state({ status: 'exited', pid: null, reason: 'autorestart is off' }));
  });
  t.match(entries, [{ event: 'worker.exited', then: 'exited' }]);
  t.equal(entries.length, 1);
});

t.test('each of several exits', async (t) => {
  const entries = reportedBy((primary) => {
    for (const slot of [0, 1]) primary.event('worker.exited', { ...exit, slot });
    primary.state(state(), state({ slot: 1, status: 'errored', reason: 'died too often' }));
  });
  t.match(entries, [
    { slot: 0, then: 'started again' },
    { slot: 1, then: 'errored' },
  ]);
});

t.test('what happens without a command', async (t) => {
  const entries = reportedBy((primary) => {
    primary.state(state());
    primary.event('worker.online');
    primary.event('worker.unresponsive');
    primary.event('worker.responsive');
    primary.event('worker.replacing', { reason: 'it was old' });
    primary.event('worker.unhealthy', { reason: 'GET /: 503' });
  });
  t.strictSame(entries, [
    { level: 'info', event: 'worker.online', slot: 0, pid: 7, generation: 1, restarts: 1 },
    { level: 'warn', event: 'worker.unresponsive', slot: 0, pid: 7, reason: undefined },
    { level: 'info', event: 'worker.responsive', slot: 0, pid: 7, reason: undefined },
    { level: 'info', event: 'worker.replacing', slot: 0, pid: 7, reason: 'it was old' },
    { level: 'warn', event: 'worker.unhealthy', slot: 0, pid: 7, reason: 'GET /: 503' },
  ]);
});

t.test('a command logs its own steps', async (t) => {
  const entries = reportedBy((primary) => {
    primary.busyWith('reload');
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
    primary.state(state());
  });
  t.same(entries, []);
  const again = reportedBy((primary) => primary.event('worker.starting', { again: true }));
  t.match(again, [{ event: 'worker.started', pid: 7 }], 'since this one runs');
});
