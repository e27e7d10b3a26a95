/** A primary that runs out of descriptors or processes keeps running, and recovers. */
import { execFileSync, spawnSync } from 'node:child_process';
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { MODES, startedPrimary } from '../../primary-under-test.js';

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

function limit(pid, limit, value) {
  execFileSync('prlimit', ['--pid', String(pid), `--${limit}=${value}:`]);
}

for (const [mode, change] of Object.entries(MODES)) {
  t.test(`${mode}: no descriptors left`, { skip: !canLimit && 'needs prlimit' }, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { ...change, maxRestarts: 2 });
    const { spec } = primary;
    const { pid: primaryPid, slots } = await primary.state();
    limit(primaryPid, 'nofile', '3');
    process.kill(slots[0].pid, 'SIGKILL');
    const refusals = new Set();
    const waiting = await until(async () => {
      const slot = await primary.slot();
      if (slot.lastExit?.error === 'EMFILE') refusals.add(slot.lastExit.at);
      return refusals.size > 2 * spec.maxRestarts && slot;
    }, 'more refusals than restarts are allowed');
    t.match(waiting, { pid: null, restarts: 0, lastExit: { code: null, signal: null } });
    limit(primaryPid, 'nofile', '1024');
    const after = await primary.whenSlot(({ status }) => status === 'online', 'it to be back');
    t.equal(after.restarts, 1);
    t.ok((await until(() => ask(primary.port), 'an answer')).pid);
  });
}

t.test('a reload without descriptors leaves the old worker', { skip: !canLimit }, async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs');
  const before = await primary.state();
  limit(before.pid, 'nofile', '3');
  const outcome = await primary.ask('reload', { generation: 2 });
  t.match(outcome, { ok: false, kept: [0], failed: [{ slot: 0 }] });
  t.matchSnapshot(outcome.failed[0].reason, 'reason');
  t.equal((await primary.slot()).pid, before.slots[0].pid);
  limit(before.pid, 'nofile', '1024');
  t.match(await primary.ask('reload', { generation: 3 }), { ok: true, done: [0] });
});

t.test('a program that uses up its descriptors runs on', { skip: !canLimit }, async (t) => {
  const primary = await startedPrimary(t, 'uses-up-descriptors.cjs');
  const { pid: primaryPid } = await primary.state();
  // Both limits: Node raises the soft one.
  execFileSync('prlimit', ['--pid', String(primaryPid), '--nofile=200']);
  t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0] });
  const { pid } = await primary.slot();
  await until(async () => /EMFILE/.test(await primary.log('out')), 'no descriptor to be left');
  process.kill(pid, 'SIGUSR2');
  t.equal((await until(() => ask(primary.port), 'an answer')).pid, pid);
  t.match(await primary.slot(), { pid, restarts: 0, lastExit: null });
});
