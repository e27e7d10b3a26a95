/** A start that fails by listen_timeout counts as a death, though the worker did not exit by itself. */
import t from 'tap';
import { app } from '../../../support/home.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const REASON = /^did not send 'ready' within 1 s$/;

const neverReady = (change) =>
  specOf('never-says-ready.cjs', { waitReady: true, listenTimeoutMs: 1000, ...change });

const text = (length) => 'x'.repeat(length);
// Linux says what is too large; others may take more.
const skip = process.platform !== 'linux' && 'other limits';
for (const execMode of ['cluster', 'fork']) {
  const interpreter = execMode === 'fork' ? process.execPath : null;
  t.test(`${execMode}: too large a variable or argument is named, once`, { skip }, async (t) => {
    const rows = [
      [{ env: { A: 'a', BIG: text(200_000) } }, 'variable BIG'],
      [{ args: ['--rows', text(200_000)] }, 'argument xxxxxxxxxxxxxxxxxxxxxxx…'],
    ];
    for (const [change, name] of rows) {
      const spec = await specOf('http-pid.cjs', { execMode, interpreter, ...change });
      const primary = await startPrimary(t, spec);
      const reason = `could not be started (E2BIG: the ${name} takes 195.3K, and the limit for one is 128K)`;
      t.match(await primary.ask('start'), { ok: false, failed: [{ slot: 0, reason }] });
      const [slot] = await primary.when(({ slots }) => slots, 'the slots');
      t.match(slot, { status: 'errored', restarts: 0, reason });
    }
  });

  t.test(`${execMode}: thousands of variables and arguments`, async (t) => {
    const env = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`SVC_${at}`, 'tcp']));
    const args = Array.from({ length: 12_000 }, (_, at) => `${at}`);
    const spec = await specOf('http-pid.cjs', { execMode, interpreter, env, args });
    const primary = await startPrimary(t, spec);
    t.match(await primary.ask('start'), { ok: true });
  });

  t.test(`${execMode}: the slot becomes errored, with the reason`, async (t) => {
    // The window is shorter than the starts together.
    const change = { execMode, interpreter, maxRestarts: 3, restartWindowMs: 2000 };
    const primary = await startPrimary(t, await neverReady(change));
    t.match(await primary.ask('start'), { ok: false, failed: [{ slot: 0, reason: REASON }] });
    const slot = await primary.when(
      ({ slots: [slot], retiring }) => slot.status === 'errored' && retiring.length === 0 && slot,
      'the slot to be errored',
    );
    t.match(slot, { restarts: 3, lastExit: { reason: REASON } });
    t.matchSnapshot(slot.reason, 'reason');
  });
}

t.test('the first command also reports what failed before it', async (t) => {
  const change = { execMode: 'fork', interpreter: process.execPath, maxRestarts: 0 };
  const primary = await startPrimary(t, await specOf('exits-1.cjs', change));
  await primary.when(({ slots: [{ status }] }) => status === 'errored', 'the slot to be errored');
  const reports = [];
  await primary.ask('start', {}, (progress) => reports.push(progress));
  t.match(reports, [{ kind: 'failed', slot: 0, pid: Number, reason: /^exited with code / }]);
});

t.test('the successor waits for what the restart policy says', async (t) => {
  const change = { restartDelayMs: 600_000, killTimeoutMs: 60_000 };
  const primary = await startPrimary(t, await neverReady(change));
  await primary.ask('start');
  const slot = await primary.when(
    ({ slots: [slot], retiring }) => slot.status === 'backoff' && retiring.length === 0 && slot,
    'the slot to wait',
  );
  t.match(slot, { restarts: 0, reason: REASON }, 'a start that is still to come is no restart');
});

t.test('in a reload it fails at once: no other worker is started', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs');
  const { spec } = primary;
  const change = { env: spec.env, maxSurge: 2, killTimeoutMs: 500 };
  const next = await neverReady({ ...change, script: app('ignores-sigterm.cjs') });
  const started = [];
  const outcome = await primary.ask('reload', { generation: 2, spec: next }, (progress) => {
    if (progress.kind === 'starting') started.push(progress.pid);
  });
  t.match(outcome, { ok: false, kept: [0], failed: [{ reason: REASON }], minReady: 1 });
  t.equal(started.length, 1);
});

t.test('a program of another language is looked at for as long as one of Node', async (t) => {
  const change = { execMode: 'fork', interpreter: '/bin/sh', maxRestarts: 0, minUptimeMs: 1000 };
  const spec = await specOf('fails-late.sh', change);
  const primary = await startPrimary(t, { ...spec, env: {} });
  t.match(await primary.ask('start'), { ok: false, failed: [{ reason: /^exited with code 3/ }] });
});
