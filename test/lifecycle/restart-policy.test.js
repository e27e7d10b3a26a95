import t from 'tap';
import { doublingDelay } from '../../src/lifecycle/delays.js';
import * as restart from '../../src/lifecycle/restart-policy.js';

const policy = {
  autorestart: true,
  stopExitCodes: [],
  maxRestarts: 4,
  restartWindowMs: 60_000,
  restartDelayMs: 0,
  expBackoffRestartDelayMs: 100,
  maxRestartDelayMs: 500,
};
const exit = { code: 1, signal: null };
/** Deaths of workers that had been online. */
const at = (...times) => times.map((atMs) => ({ atMs, startingMs: 0 }));
const decide = (change = {}) =>
  restart.decideRestart({ policy, exit, deaths: at(1000), nowMs: 1000, random: 0, ...change });

t.test('a script that exits with 0 has done its work', async (t) => {
  const fault = { code: 'EADDRINUSE', address: null, port: 80 };
  for (const [which, how, hasListened, expected] of [
    ['a script', { code: 0 }, false, true],
    ['a server', { code: 0 }, true, false],
    ['it could not listen', { code: 0, fault }, false, false],
    ['its stdin ended', { code: 0, stdinEnded: 'empty' }, false, false],
    ['it failed', { code: 1 }, false, false],
    ['it was killed', { code: null, signal: 'SIGTERM' }, false, false],
    ['nothing is known', {}, false, false],
  ]) {
    t.equal(restart.hasEnded(how, hasListened), expected, which);
  }
});

t.test('the first restart is immediate, then the delay doubles up to the limit', async (t) => {
  const rows = [
    [[1000], 0],
    [[900, 1000], 100],
    [[800, 900, 1000], 200],
    [[700, 800, 900, 1000], 400],
  ];
  for (const [deathsMs, delayMs] of rows) {
    t.same(decide({ deaths: at(...deathsMs) }), { action: 'restart', delayMs }, `${deathsMs}`);
  }
  const roomy = { ...policy, maxRestarts: 100 };
  const many = at(...Array.from({ length: 50 }, () => 1000));
  t.same(decide({ policy: roomy, deaths: many }), { action: 'restart', delayMs: 500 });
});

t.test('jitter takes up to a quarter away', async (t) => {
  t.same(decide({ deaths: at(900, 1000), random: 0.999999 }).delayMs, 75);
});

t.test('a minimum delay applies to every restart', async (t) => {
  const slow = { ...policy, restartDelayMs: 300 };
  t.same(decide({ policy: slow }).delayMs, 300);
  t.same(decide({ policy: slow, deaths: at(900, 1000) }).delayMs, 300);
});

t.test('what could not listen has ended if it handled that, failed if it crashed', async (t) => {
  const fault = { code: 'EADDRINUSE', address: null, port: 3000 };
  const handled = { code: 0, signal: null, fault };
  const crashed = { code: 1, signal: null, fault };
  const reason = 'could not listen on port 3000: in use by another process';
  t.equal(restart.describeExit(handled), reason);
  const off = { ...policy, autorestart: false };
  const listed = { ...policy, stopExitCodes: [0, 1] };
  t.ok(restart.isExpectedExit(off, handled));
  t.ok(restart.isExpectedExit(listed, handled));
  t.notOk(restart.isExpectedExit(policy, handled));
  t.notOk(restart.isExpectedExit(listed, crashed));
  t.same(decide({ exit: handled, policy: off }), {
    action: 'exited',
    reason: `${reason}; autorestart is off`,
  });
  t.same(decide({ exit: handled, policy: listed }), {
    action: 'exited',
    reason: `${reason}; exit code 0 is one of stop_exit_codes`,
  });
  t.match(decide({ exit: handled }), { action: 'restart' });
  t.match(decide({ exit: crashed, policy: listed }), { action: 'restart' });
  t.match(decide({ exit: crashed, policy: off }), { action: 'errored' });
});

t.test('the exit of a job is the end of a run', async (t) => {
  const job = { ...policy, autorestart: false, onDemand: true };
  t.same(decide({ policy: job, exit: { code: 0, signal: null } }), {
    action: 'exited',
    reason: 'exited with code 0',
  });
  t.same(decide({ policy: job }), { action: 'errored', reason: 'exited with code 1' });
  const refused = { code: null, signal: null, error: 'ENOMEM' };
  t.same(
    decide({ policy: job, exit: refused }),
    { action: 'errored', reason: 'could not be started (ENOMEM)' },
    'it runs again at its next time, not earlier',
  );
});

t.test('every death in the window counts, and only those', async (t) => {
  const spread = at(0, 15_000, 30_000, 45_000, 59_000);
  t.match(decide({ deaths: spread, nowMs: 59_000 }), {
    action: 'errored',
    reason: 'failed 5 times within 1m; the last time it exited with code 1',
  });
  t.match(decide({ deaths: spread, nowMs: 60_001 }), { action: 'restart' });
  t.same(restart.recentDeaths(spread, 60_001, 60_000), spread.slice(1));
});

t.test('time of failed starts does not count in the window', async (t) => {
  const nowMs = 130_000;
  const slowStarts = [1, 2, 3, 4, 5].map((nth) => ({ atMs: nth * 26_000, startingMs: 25_000 }));
  t.same(decide({ deaths: slowStarts, nowMs }), {
    action: 'errored',
    reason:
      'failed 5 times within 1m, not counting the time of failed starts; ' +
      'the last time it exited with code 1',
  });
  const slowPauses = slowStarts.map(({ atMs }) => ({ atMs, startingMs: 1000 }));
  t.same(decide({ deaths: slowPauses, nowMs }), { action: 'restart', delayMs: 200 });
  const [, , ...recent] = slowPauses;
  t.same(restart.recentDeaths(slowPauses, nowMs, 60_000), recent);
  t.same(restart.recentDeaths(slowStarts, nowMs, 3000), slowStarts.slice(2));
  const afterALongLife = [...slowStarts, { atMs: 190_000, startingMs: 0 }];
  t.same(restart.recentDeaths(afterALongLife, 190_000, 60_000), afterALongLife.slice(5));
});

t.test('an expected exit does not count as a death', async (t) => {
  const listed = { ...policy, stopExitCodes: [0, 7] };
  const off = { ...policy, autorestart: false };
  t.match(decide({ policy: listed, exit: { code: 7, signal: null } }), { action: 'exited' });
  t.match(decide({ policy: listed }), { action: 'restart' });
  t.match(decide({ policy: off, exit: { code: 0, signal: null } }), { action: 'exited' });
  t.match(decide({ policy: off }), { action: 'errored', reason: /code 1 and autorestart is off/ });
  t.match(decide({ policy: off, exit: { code: null, signal: 'SIGKILL' } }), { action: 'errored' });
  const allowed = [0, 7, 1, null].map((code) =>
    restart.isExpectedExit(listed, { code, signal: null }),
  );
  t.same(allowed, [true, true, false, false]);
  t.ok(restart.isExpectedExit(off, { code: 0, signal: null }));
  t.notOk(restart.isExpectedExit(off, exit));
  t.notOk(restart.isExpectedExit(policy, { code: 0, signal: null }));
});

t.test('what is too large for the system is not tried again', async (t) => {
  const refused = { code: null, signal: null, error: 'E2BIG: the variable A takes 195.3K' };
  const reason = 'could not be started (E2BIG: the variable A takes 195.3K)';
  t.same(decide({ exit: refused }), { action: 'errored', reason });
  t.match(decide({ exit: { ...refused, error: 'ENOENT' } }), { action: 'restart' });
});

t.test('a resource shortage is retried and does not count as a death', async (t) => {
  const rest = { autorestart: false, maxRestarts: 0 };
  for (const error of ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']) {
    const refused = { code: null, signal: null, error };
    t.ok(restart.isResourceShortage(refused));
    const decision = decide({ policy: { ...policy, ...rest }, exit: refused });
    t.same(decision, { action: 'restart', delayMs: policy.maxRestartDelayMs });
    t.ok(restart.describeExit(refused).startsWith(`could not be started (${error}`));
  }
  t.notOk(restart.isResourceShortage({ code: null, signal: null, error: 'ENOENT' }));
  t.notOk(restart.isResourceShortage(exit));
});

const none = { code: null, signal: null, error: null };

t.test('describeExit', async (t) => {
  t.equal(restart.describeExit({ code: 3, signal: null }), 'exited with code 3');
  const done = { code: 0, signal: null };
  const given = restart.describeExit({ ...done, stdinEnded: 'given' });
  t.equal(given, 'exited with code 0 at the end of its stdin');
  const empty = restart.describeExit({ ...done, stdinEnded: 'empty' });
  t.equal(empty, 'exited with code 0 because its stdin, /dev/null, is empty');
  t.equal(restart.describeExit({ code: null, signal: 'SIGTERM' }), 'was killed by SIGTERM');
  t.equal(restart.describeExit({ code: null, signal: null }), 'could not be started');
});

t.test('what to do if no descriptor is left, in the primary or the worker', async (t) => {
  const what = 'no file descriptor is left; raise `ulimit -n`, or LimitNOFILE of a systemd unit';
  t.equal(
    restart.describeExit({ ...none, error: 'EMFILE' }),
    `could not be started (EMFILE: ${what})`,
  );
  t.equal(restart.describeLoss('EMFILE'), `could not be sent a socket (EMFILE: ${what})`);
  t.equal(restart.describeLoss('ENOMEM'), 'could not be sent a message (ENOMEM)');
});

t.test('commandFailure', async (t) => {
  const rows = [
    [{ exit: { ...none, code: 0 } }, null],
    [{ exit: { ...none, code: 0 }, lastLine: 'done' }, null],
    [{ exit: { ...none, code: 3 }, lastLine: 'no luck' }, 'ping exited with code 3: no luck'],
    [{ exit: { ...none, signal: 'SIGTERM' } }, 'ping was killed by SIGTERM'],
    [{ exit: { ...none, error: 'ENOENT' } }, 'ping could not be started (ENOENT)'],
    [{ exit: { ...none, signal: 'SIGKILL' }, excess: 'is late', lastLine: 'x' }, 'ping is late: x'],
    // It ended when it was about to be killed.
    [{ exit: { ...none, code: 0 }, excess: 'did not exit within 5 s' }, /did not exit within/],
  ];
  for (const [outcome, expected] of rows) {
    const failure = restart.commandFailure('ping', { excess: null, lastLine: '', ...outcome });
    t.match(failure, expected, String(expected));
  }
});

const rows = [
  [0, 100, 10_000, 100],
  [1, 100, 10_000, 200],
  [6, 100, 10_000, 6400],
  [7, 100, 10_000, 10_000],
  [5000, 100, 10_000, 10_000],
  [0, 100, 50, 50],
  [5000, 0, 10_000, 0],
];
for (const [earlier, firstMs, maxMs, ms] of rows)
  t.equal(
    doublingDelay(earlier, firstMs, maxMs),
    ms,
    `${firstMs} ms after ${earlier} others, at most ${maxMs}`,
  );
