/** A primary that was stopped itself (SIGSTOP, a frozen machine) takes no worker for hung. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { startedPrimary } from '../../primary-under-test.js';

// Each stands still most of the time: they do so together.
t.jobs = 4;

/** The shortest that there is. */
const HANG_TIMEOUT_MS = 5000;
const LONGER_MS = HANG_TIMEOUT_MS + 6000;

const standing = async (t) => {
  const change = { instances: 2, hangTimeoutMs: HANG_TIMEOUT_MS, killTimeoutMs: 500 };
  const primary = await startedPrimary(t, 'http-pid.cjs', change);
  const { slots } = await primary.state();
  const pids = slots.map(({ pid }) => pid);
  t.teardown(() => [primary.child.pid, ...pids].forEach(goOn));
  return { primary, pids };
};
const stop = (pid) => process.kill(pid, 'SIGSTOP');
const goOn = (pid) => {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended.
  }
};
/** Afterwards a real hang is found; workers wrongly taken for hung would show by then. */
const onlyTheFirstHangs = async (t, { primary, pids: [first, second] }) => {
  stop(first);
  const slots = await primary.when(({ slots }) => {
    const [{ pid, lastExit, status }] = slots;
    return pid !== first && lastExit && status === 'online' && slots;
  }, 'the worker that was stopped to be replaced');
  t.match(slots[0], {
    restarts: 1,
    lastExit: { reason: /^event loop blocked for \d+s( in .*)?$/ },
  });
  t.match(slots[1], { restarts: 0, lastExit: null, pid: second });
};

for (const [name, times, stopMs] of [
  ['twice for 4 s', 2, 4000],
  ['for longer than hang_timeout', 1, LONGER_MS],
]) {
  t.test(`the primary was stopped ${name}`, async (t) => {
    const { primary, pids } = await standing(t);
    for (let time = 0; time < times; time++) {
      stop(primary.child.pid);
      await pause(stopMs);
      goOn(primary.child.pid);
      await primary.state();
    }
    await onlyTheFirstHangs(t, { primary, pids });
  });
}

for (const [name, order] of [
  ['the primary goes on first', (primary, workers) => [primary, ...workers]],
  ['the workers go on first', (primary, workers) => [...workers, primary]],
]) {
  t.test(`all were stopped, and ${name}`, async (t) => {
    const { primary, pids } = await standing(t);
    const all = order(primary.child.pid, pids);
    for (const pid of all) stop(pid);
    await pause(LONGER_MS);
    for (const pid of all) goOn(pid);
    await onlyTheFirstHangs(t, { primary, pids });
  });
}
