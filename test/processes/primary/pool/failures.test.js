/** Programs that die, cannot be started or never get ready, commands on them, and what a primary does that runs out of descriptors. */
import { execFileSync, spawnSync } from 'node:child_process';
import t from 'tap';
import { app } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { MODES, specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const isErrored = ({ status }) => status === 'errored';

t.test('a program that always dies becomes errored, with the reason', async (t) => {
  const primary = await startedPrimary(t, 'exits-1.cjs');
  t.match(primary.outcome, { ok: false });
  const reason = 'exited with code 1';
  t.match(await primary.slot(), { status: 'backoff', reason }, 'also while it starts again');
  const errored = await primary.whenSlot(isErrored, 'it to be given up');
  t.match(errored, { restarts: 3, lastExit: { code: 1 } });
  t.matchSnapshot(errored.reason, 'reason');
});

t.test('a reload of a program that may exit is done when it has exited again', async (t) => {
  const change = { stopExitCodes: [0], minUptimeMs: 20_000 };
  const primary = await startedPrimary(t, 'exits-0.cjs', change);
  t.match(await primary.slot(), { status: 'exited', restarts: 0 });
  const said = [];
  const outcome = await primary.ask('reload', { generation: 2 }, ({ kind }) => said.push(kind));
  t.match(outcome, { ok: true, done: [0], failed: [], kept: [] });
  t.same(said, ['starting', 'exited']);
  const worse = await specOf('exits-1.cjs', change);
  const failed = await primary.ask('reload', { generation: 3, spec: worse });
  t.match(failed, { ok: false, failed: [{ slot: 0 }] });
  t.matchSnapshot(failed.failed[0].reason, 'reason of the failure');
  const state = await primary.state();
  t.match(state, { generation: 2, slots: [{ status: 'exited' }] });
  t.matchSnapshot(state.slots[0].reason, 'reason of the slot');
});

t.test('what cannot be started at all', async (t) => {
  const change = { execMode: 'fork', maxRestarts: 1 };
  const primary = await startedPrimary(t, '/nonexistent/program', change);
  const [failure] = primary.outcome.failed;
  t.match(failure.reason, /could not be started/);
  t.match(failure.lastLines.join('\n'), /ENOENT/);
  const spec = await specOf('http-pid.cjs', { cwd: '/nonexistent/folder', maxRestarts: 0 });
  const { failed } = await (await startPrimary(t, spec)).ask('start');
  t.matchSnapshot(failed[0].lastLines.join('\n'), 'a working directory that does not exist');
});

const text = (length) => 'x'.repeat(length);
// Linux says what is too large; others may take more.
const skip = process.platform !== 'linux' && 'other limits';
/** A start that fails by listen_timeout counts as a death, though the worker did not exit by itself. */
const LATE = /^did not call process\.send\('ready'\) within 1 s \(wait_ready\)$/;
const neverReady = (change) =>
  specOf('http-pid.cjs', { waitReady: true, listenTimeoutMs: 1000, ...change });

for (const [execMode, mode] of Object.entries(MODES)) {
  t.test(`${execMode}: too large a variable or argument is tried once`, { skip }, async (t) => {
    const reason = /^could not be started \(E2BIG: an argument or variable/;
    for (const change of [{ env: { BIG: text(200_000) } }, { args: [text(200_000)] }]) {
      const primary = await startedPrimary(t, 'http-pid.cjs', { ...mode, ...change });
      t.match(primary.outcome, { ok: false, failed: [{ slot: 0, reason }] });
      t.match(await primary.slot(), { status: 'errored', restarts: 0, reason });
    }
  });

  t.test(`${execMode}: thousands of variables and arguments`, async (t) => {
    const env = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`SVC_${at}`, 'tcp']));
    const args = Array.from({ length: 12_000 }, (_, at) => `${at}`);
    const primary = await startedPrimary(t, 'http-pid.cjs', { ...mode, env, args });
    t.match(primary.outcome, { ok: true });
  });

  t.test(`${execMode}: a slot that is never ready becomes errored, with the reason`, async (t) => {
    // The window is shorter than the starts together.
    const change = { ...mode, maxRestarts: 2, restartWindowMs: 2000 };
    const primary = await startPrimary(t, await neverReady(change));
    t.match(await primary.ask('start'), { ok: false, failed: [{ slot: 0, reason: LATE }] });
    const slot = await primary.when(
      ({ slots: [slot], retiring }) => isErrored(slot) && retiring.length === 0 && slot,
      'the slot to be errored',
    );
    t.match(slot, { restarts: 2, lastExit: { reason: LATE } });
    t.matchSnapshot(slot.reason, 'reason');
  });
}

t.test('the successor waits for what the restart policy says', async (t) => {
  const change = { restartDelayMs: 600_000, killTimeoutMs: 60_000 };
  const primary = await startPrimary(t, await neverReady(change));
  await primary.ask('start');
  const slot = await primary.when(
    ({ slots: [slot], retiring }) => slot.status === 'backoff' && retiring.length === 0 && slot,
    'the slot to wait',
  );
  t.match(slot, { restarts: 0, reason: LATE }, 'a start that is still to come is no restart');
});

t.test('in a reload it fails at once: no other worker is started', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs');
  const change = { env: primary.spec.env, maxSurge: 2, killTimeoutMs: 500 };
  const next = await neverReady({ ...change, script: app('ignores-sigterm.cjs') });
  const started = [];
  const outcome = await primary.ask('reload', { generation: 2, spec: next }, (progress) => {
    if (progress.kind === 'starting') started.push(progress.pid);
  });
  t.match(outcome, { ok: false, kept: [0], failed: [{ reason: LATE }], minReady: 1 });
  t.equal(started.length, 1);
});

t.test('a program of another language is looked at for as long as one of Node', async (t) => {
  const change = { execMode: 'fork', interpreter: '/bin/sh', maxRestarts: 0, minUptimeMs: 1000 };
  const spec = await specOf('fails-late.sh', change);
  const primary = await startPrimary(t, { ...spec, env: {} });
  t.match(await primary.ask('start'), { ok: false, failed: [{ reason: /exited with code 3$/ }] });
});

/** A command on an app that keeps crashing never succeeds, whatever moment it is sent at. */
const FAILED = { ok: false, done: [], failed: [{ slot: 0, reason: 'exited with code 1' }] };

t.test('start, while it is in backoff: it is tried at once', async (t) => {
  const change = { maxRestarts: 9, restartDelayMs: 600_000 };
  const primary = await startedPrimary(t, 'exits-1.cjs', change);
  await primary.whenSlot(({ status }) => status === 'backoff', 'the slot to wait');
  for (const round of [1, 2]) {
    const kinds = [];
    const outcome = await primary.ask('start', {}, ({ kind }) => kinds.push(kind));
    t.match(outcome, { ...FAILED, failed: [{ lastLines: ['no database'] }] });
    t.strictSame(kinds, ['starting', 'failed'], `round ${round}`);
  }
});

t.test('a program that listens and crashes is online for a moment in each round', async (t) => {
  const change = { env: { LIVES_MS: '100' }, maxRestarts: 99, restartDelayMs: 50 };
  // On a busy machine its end may come late.
  const minUptimeMs = 5000;
  const primary = await startedPrimary(t, 'dies-after-listen.cjs', { ...change, minUptimeMs });
  const hasCrashed = ({ lastExit, status }) => lastExit !== null && status === 'online';
  await primary.whenSlot(hasCrashed, 'it to be online once more');
  t.match(await primary.ask('start'), FAILED);
  t.match(await primary.ask('restart'), FAILED);
  t.match(await primary.ask('reload', { generation: 2 }), { ok: false });
  t.match(await primary.ask('stop'), { ok: true }, 'and other commands work');
});

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

function limit(pid, limit, value) {
  execFileSync('prlimit', ['--pid', String(pid), `--${limit}=${value}:`]);
}

for (const [mode, change] of Object.entries(MODES)) {
  t.test(`${mode}: no descriptors left`, { skip: !canLimit && 'needs prlimit' }, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { ...change, maxRestarts: 2 });
    const { spec, child } = primary;
    const [pid] = await primary.pids();
    limit(child.pid, 'nofile', '3');
    process.kill(pid, 'SIGKILL');
    const refusals = new Set();
    const waiting = await until(async () => {
      const slot = await primary.slot();
      if (/EMFILE/.test(slot.lastExit?.reason)) refusals.add(slot.lastExit.at);
      return refusals.size > 2 * spec.maxRestarts && slot;
    }, 'more refusals than restarts are allowed');
    t.match(waiting, { pid: null, restarts: 0, lastExit: { code: null, signal: null } });
    limit(child.pid, 'nofile', '1024');
    const after = await primary.whenSlot(({ status }) => status === 'online', 'it to be back');
    t.equal(after.restarts, 1);
    t.ok((await until(() => ask(primary.port), 'an answer')).pid);
  });
}

t.test('a reload without descriptors leaves the old worker', { skip: !canLimit }, async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs');
  const { child } = primary;
  const [before] = await primary.pids();
  limit(child.pid, 'nofile', '3');
  const outcome = await primary.ask('reload', { generation: 2 });
  t.match(outcome, { ok: false, kept: [0], failed: [{ slot: 0 }] });
  t.matchSnapshot(outcome.failed[0].reason, 'reason');
  t.equal((await primary.slot()).pid, before);
  limit(child.pid, 'nofile', '1024');
  t.match(await primary.ask('reload', { generation: 3 }), { ok: true, done: [0] });
});

t.test('a program that uses up its descriptors runs on', { skip: !canLimit }, async (t) => {
  const primary = await startedPrimary(t, 'uses-up-descriptors.cjs');
  // Both limits: Node raises the soft one.
  execFileSync('prlimit', ['--pid', String(primary.child.pid), '--nofile=200']);
  t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0] });
  const { pid } = await primary.slot();
  await until(async () => /EMFILE/.test(await primary.log('out')), 'no descriptor to be left');
  process.kill(pid, 'SIGUSR2');
  t.equal((await until(() => ask(primary.port), 'an answer')).pid, pid);
  t.match(await primary.slot(), { pid, restarts: 0, lastExit: null });
});
