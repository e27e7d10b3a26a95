import t from 'tap';
import { recordOf } from '../../../src/daemon/apps/record.js';

const nothing = { slots: [], logDroppedBytes: 0, connectionsGivenUp: 0, reloads: {}, busy: null };

const recordWith = (snapshot, queue = { current: null }, changes = [], slots = []) =>
  recordOf({
    name: 'web',
    changes,
    slots,
    ids: {},
    generation: 1,
    stopped: false,
    queue,
    spec: { namespace: 'default', execMode: 'cluster', script: '/web.js', scheduling: 'fair' },
    link: { state: 'connected', pid: 1, trouble: null, snapshot: { ...nothing, ...snapshot } },
  });

t.test('a command is in the record before the primary reports it', async (t) => {
  const busyWith = (current, busy) => recordWith({ busy }, { current }).busy;
  t.equal(busyWith('reload', null), 'reload');
  t.equal(busyWith(null, 'reload'), 'reload', 'of an earlier daemon');
  t.equal(busyWith('recovery', 'reload'), 'reload');
  t.equal(busyWith('recovery', null), undefined, 'which nobody has asked for');
  t.equal(busyWith('run', 'start'), undefined, 'of a job that is no command');
});

t.test('the latest change that was applied', async (t) => {
  const changesOf = (...applied) =>
    recordWith(
      {},
      undefined,
      applied.map((isApplied, at) => ({ at, isApplied, by: null })),
    ).changes;
  t.equal(changesOf(), undefined);
  t.equal(changesOf(false), undefined);
  t.same(changesOf(true, true), [{ at: 0, isApplied: true }]);
  t.same(changesOf(false, true), [{ at: 1, isApplied: true }], 'what failed has changed nothing');
});

t.test('a worker that is errored has the time of its exit', async (t) => {
  const slot = { slot: 0, pid: null, restarts: 1, generation: 1, listening: [], startedMs: null };
  const times = {
    earlierExits: [],
    beside: [],
    retryAtMs: null,
    blockedSinceMs: null,
    stack: null,
  };
  const lastExit = { at: 17, cause: 'bye' };
  const workerWith = (status) => {
    const slots = [{ ...slot, ...times, status, lastExit, reason: 'exited with code 1' }];
    return recordWith({ slots }, undefined, [], [0]).workers[0];
  };
  t.match(workerWith('errored'), { cause: 'bye', exitedAt: 17 });
  t.match(workerWith('backoff'), { cause: 'bye', exitedAt: undefined });
  t.match(workerWith('online'), { cause: undefined, exitedAt: undefined });
});

t.test('the note of an app names lost log output and connections', async (t) => {
  const noteOf = (snapshot) => recordWith(snapshot).note;
  t.equal(noteOf({ logDroppedBytes: 0, logDropReason: null }), undefined);
  const lost = { logDroppedBytes: 1_258_291, logDropReason: 'disk full' };
  t.equal(noteOf(lost), 'log: 1.2M lost (disk full)');
  const closed =
    'closed unserved while no worker was left (hold_timeout, or more than 1000 at once)';
  t.equal(noteOf({ connectionsGivenUp: 1 }), `1 connection was ${closed}`);
  const both = { ...lost, connectionsGivenUp: 7 };
  t.equal(noteOf(both), `log: 1.2M lost (disk full); 7 connections were ${closed}`);
  t.match(recordWith(both), { logDroppedBytes: 1_258_291, connectionsGivenUp: 7 });
});
