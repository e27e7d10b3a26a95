/** Workers whose event loop is blocked: in a start, while they serve, in a drain; and primaries that stood still themselves. */
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { ask, pidsThatAnswer } from '../../../support/http-ask.js';
import { freePort } from '../../../support/ports.js';
import { until } from '../../../support/until.js';
import { MODES, specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

// Each waits most of the time until a silence has been long enough: they do so together.
t.jobs = 6;

/** Longer than a test may take. */
const FOR_EVER = 600_000;
/** The shortest that there is. */
const HANG_TIMEOUT_MS = 5000;
const BLOCKED = /^event loop blocked for \d+s( in .*)?$/;
const BLOCKED_IN_DRAIN = /^event loop blocked for \d+s/;

async function blockable(t, change) {
  const primary = await startedPrimary(t, 'blocks-on-demand.cjs', change);
  const file = join(primary.paths.home, 'awake');
  const wake = () => writeFileSync(file, '');
  t.teardown(wake);
  const path = `/block?${file}`;
  return { ...primary, wake, path, block: async () => (await ask(primary.port, path)).pid };
}

/** A client whose request is not whole, so that a drain waits for it. */
async function unfinished(t, { port }, text) {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  await ask(port);
  return socket;
}

t.test('it is shown as blocked, and left alone', async (t) => {
  const primary = await blockable(t, { instances: 2 });
  const pid = await primary.block();
  const isOf = (slot) => slot.pid === pid;
  const { slots } = await primary.when(
    (state) => state.slots.find(isOf).status === 'blocked' && state,
    'the worker to count as blocked',
  );
  t.match(slots.find(isOf), { blockedSinceMs: Number, reason: null, restarts: 0 });
  const other = slots.findIndex((slot) => !isOf(slot));
  t.match(slots[other], { status: 'online' }, 'nobody else is taken for blocked');
  const reload = await primary.ask('reload', { generation: 2, slots: [other] });
  t.match(reload, { ok: true, minReady: 1 }, 'a blocked worker is not ready');
  primary.wake();
  const awake = await primary.when(
    (state) => state.slots.find((slot) => isOf(slot) && slot.status === 'online'),
    'it to respond again',
  );
  t.match(awake, { blockedSinceMs: null, lastExit: null });
  const events = primary.events.filter(({ type }) => /blocked$|responsive$/.test(type));
  t.match(events, [
    { type: 'worker.blocked', pid, durationMs: Number },
    { type: 'worker.responsive', pid, durationMs: Number },
  ]);
});

t.test('with hang_timeout it is replaced', async (t) => {
  const primary = await blockable(t, { instances: 2, hangTimeoutMs: HANG_TIMEOUT_MS });
  const before = await pidsThatAnswer(primary.port, 2);
  const pid = await primary.block();
  const slots = await primary.when(({ slots }) => {
    const isReplaced = slots.every((slot) => slot.pid !== pid && slot.status === 'online');
    return isReplaced && slots.some(({ lastExit }) => lastExit) && slots;
  }, 'the hung worker to be replaced');
  const [hung] = slots.filter(({ lastExit }) => lastExit);
  t.match(hung, { restarts: 1, lastExit: { code: null, signal: 'SIGABRT', reason: BLOCKED } });
  const [other] = slots.filter(({ lastExit }) => !lastExit);
  t.ok(before.includes(other.pid));
  t.equal(other.restarts, 0);
});

t.test('why says that hang_timeout is stopping it', async (t) => {
  const primary = await blockable(t, { hangTimeoutMs: HANG_TIMEOUT_MS, killTimeoutMs: 60_000 });
  const { pid } = await primary.slot();
  // It cannot even be ended by SIGABRT.
  process.kill(pid, 'SIGSTOP');
  await primary.whenSlot((slot) => slot.pid === pid && slot.status === 'stopping', 'its stop');
  const { workers } = await primary.ask('why', {});
  process.kill(pid, 'SIGKILL');
  t.match(workers, [{ pid, state: 'unknown', note: 'is being stopped' }]);
});

t.test('one that hangs too often is given up, with the reason', async (t) => {
  const change = { maxRestarts: 0, restartWindowMs: FOR_EVER };
  const primary = await blockable(t, { hangTimeoutMs: HANG_TIMEOUT_MS, ...change });
  await primary.block();
  const { reason } = await primary.whenSlot(
    ({ status, lastExit }) => status === 'errored' && lastExit,
    'the slot to be errored',
  );
  t.matchSnapshot(reason.replace(/for \d+s.*$/, 'for Ns'), 'reason');
});

t.test('a new one that hangs once it is proven is restarted, and the reload goes on', async (t) => {
  const primary = await blockable(t, { hangTimeoutMs: HANG_TIMEOUT_MS });
  // The old worker waits for this request, so the reload is not over.
  const client = await unfinished(t, primary, 'GET / HTTP/1.1\r\n');
  const outcome = primary.ask('reload', { generation: 2 }, ({ kind, generation }) => {
    if (kind === 'draining') primary.block();
    if (kind === 'failed' && generation === 2) client.destroy();
  });
  t.match(await outcome, { ok: true, done: [0], failed: [] });
  t.match(await primary.state(), {
    generation: 2,
    slots: [{ generation: 2, restarts: 1, lastExit: { signal: 'SIGABRT', reason: BLOCKED } }],
  });
});

const isBlocked = ({ status }) => status === 'blocked';
/** Where it is blocked may have been found by then. */
const cleanReason = ({ reason = '' }) => reason.replace(/for \d+s( in \S+:\d+:\d+)?/, 'for Ns');

for (const command of ['stop', 'restart', 'reload']) {
  t.test(`${command}: a blocked worker has kill_timeout to recover`, async (t) => {
    const primary = await blockable(t, { drainTimeoutMs: FOR_EVER, killTimeoutMs: 1000 });
    const pid = await primary.block();
    await primary.whenSlot(isBlocked, 'it to be blocked');
    const said = [];
    const outcome = await primary.ask(command, {}, (progress) => {
      if (progress.pid === pid) said.push(progress);
    });
    t.match(outcome, { ok: true, done: [0] });
    t.match(said, [{ kind: 'draining' }, { kind: 'stopping' }, { kind: 'stopped' }]);
    t.matchSnapshot(said.map(cleanReason), 'reasons');
    const { status, lastExit, restarts } = await primary.slot();
    t.same([lastExit, restarts], [null, 0], 'its end was wanted');
    t.equal(status, command === 'stop' ? 'stopped' : 'online');
  });
}

t.test('one that blocks while it drains is not waited for either', async (t) => {
  const primary = await blockable(t, { drainTimeoutMs: FOR_EVER, killTimeoutMs: 0 });
  const client = await unfinished(t, primary, `GET ${primary.path} HTTP/1.1\r\n`);
  const said = [];
  const outcome = await primary.ask('stop', {}, (progress) => {
    said.push(progress);
    if (progress.kind === 'draining') client.write('Host: localhost\r\n\r\n');
  });
  t.match(outcome, { ok: true });
  t.notOk(said[0].reason);
  t.match(said.slice(-2), [{ kind: 'stopping', reason: BLOCKED_IN_DRAIN }, { kind: 'stopped' }]);
});

t.test('one that recovers drains, and loses nothing', async (t) => {
  const change = { drainTimeoutMs: FOR_EVER, killTimeoutMs: FOR_EVER };
  const primary = await blockable(t, change);
  await primary.block();
  const waiting = ask(primary.port);
  await primary.whenSlot(isBlocked, 'it to be blocked');
  const said = [];
  const outcome = primary.ask('stop', {}, ({ kind, reason }) => {
    said.push([kind, reason]);
    if (kind === 'draining' && reason) primary.wake();
  });
  t.match(await outcome, { ok: true, longLivedCut: 0 });
  t.type((await waiting).pid, 'number');
  t.match(said.at(0), ['draining', BLOCKED_IN_DRAIN]);
  t.match(said.slice(-2), [
    ['stopping', undefined],
    ['stopped', undefined],
  ]);
});

const AT_START = 'event loop blocked since its start';

const blockedAtStart = async (t, { script = 'blocks-at-load.cjs', env = {}, ...change }) => {
  const BLOCK = join(t.testdir(), 'block');
  writeFileSync(BLOCK, '');
  const all = { listenTimeoutMs: 3000, env: { BLOCK, ...env }, ...change };
  const primary = await startPrimary(t, await specOf(script, all));
  return { ...primary, goOn: () => rmSync(BLOCK) };
};

const esModule = {
  script: 'listens-late-after-blocking.mjs',
  env: { PORT: '', OWN_PORT: String(await freePort()) },
};
for (const [title, change] of [
  ['a start of one is reported, and left alone', {}],
  ['also of an ES module, before which the loop has turned once', esModule],
]) {
  t.test(title, async (t) => {
    const primary = await blockedAtStart(t, change);
    const failure = { slot: 0, reason: AT_START, lastLines: ['loading'] };
    t.match(await primary.ask('start'), { ok: false, failed: [failure] });
    const { status, reason, pid } = await primary.slot();
    t.match({ status, reason }, { status: 'starting', reason: AT_START });
    primary.goOn();
    const slot = await primary.whenSlot((one) => one.status === 'online', 'it to be online');
    t.match(slot, { pid, reason: null, restarts: 0, listening: [{}] });
  });
}

t.test('a start of one is killed with hang_timeout', async (t) => {
  const primary = await blockedAtStart(t, { hangTimeoutMs: 6000, killTimeoutMs: 500 });
  await primary.ask('start');
  const dead = await primary.whenSlot((one) => one.restarts > 0 && one.lastExit, 'its death');
  t.match(dead.lastExit, { reason: `${AT_START} for 6 s` });
  primary.goOn();
  t.ok(await primary.whenSlot(({ status }) => status === 'online', 'its successor'));
});

t.test('one that a signal has stopped in its start fails, and is started again', async (t) => {
  const change = { env: { SIGNAL: 'SIGSTOP' }, listenTimeoutMs: 1000, killTimeoutMs: 200 };
  const primary = await startedPrimary(t, 'signals-itself-at-load.cjs', change);
  const failure = { slot: 0, reason: 'was stopped by a signal during its start' };
  t.match(primary.outcome, { ok: false, failed: [failure] });
  t.ok(await primary.whenSlot(({ restarts }) => restarts > 0, 'the next one'));
});

const LONGER_MS = HANG_TIMEOUT_MS + 6000;

t.test('a primary that was stopped with all its workers takes none for hung', async (t) => {
  const change = { instances: 2, hangTimeoutMs: HANG_TIMEOUT_MS, killTimeoutMs: 500 };
  const primary = await startedPrimary(t, 'http-pid.cjs', change);
  const [first, second] = await primary.pids();
  const all = [primary.child.pid, first, second];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  await pause(LONGER_MS);
  for (const pid of all) process.kill(pid, 'SIGCONT');
  // A real hang is found afterwards; workers wrongly taken for hung would show by then.
  process.kill(first, 'SIGSTOP');
  const slots = await primary.when(({ slots }) => {
    const [{ pid, lastExit, status }] = slots;
    return pid !== first && lastExit && status === 'online' && slots;
  }, 'the worker that was stopped to be replaced');
  t.match(slots[0], { restarts: 1, lastExit: { reason: BLOCKED } });
  t.match(slots[1], { restarts: 0, lastExit: null, pid: second });
});

/** Node's own exit may wait forever for one of its threads: the process of a worker that exits stays. */
for (const [name, how] of [
  ['cluster', 'exit'],
  ['fork', 'throw'],
]) {
  t.test(`${name}: one that does not exit after /${how} is killed and replaced`, async (t) => {
    const primary = await startedPrimary(t, 'hangs-at-exit.cjs', MODES[name]);
    const { pid } = await until(() => ask(primary.port, `/${how}`), 'it to listen');
    await primary.successor(pid);
    t.not((await until(() => ask(primary.port), 'the next one to listen')).pid, pid);
    const reasons = primary.events.map(({ reason }) => reason).filter(Boolean);
    t.ok(reasons.includes('did not exit within 10 s'), reasons.join('; '));
  });
}
