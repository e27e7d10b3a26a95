/** A first start of a program whose event loop is blocked while it is loaded. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { freePort } from '../../../support/ports.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const REASON = 'event loop blocked since its start';

const blockedPrimary = async (t, { script = 'blocks-at-load.cjs', env = {}, ...change }) => {
  const BLOCK = join(t.testdir(), 'block');
  writeFileSync(BLOCK, '');
  const spec = await specOf(script, {
    listenTimeoutMs: 5000,
    env: { BLOCK, ...env },
    ...change,
  });
  return { primary: await startPrimary(t, spec), goOn: () => rmSync(BLOCK) };
};

const esModule = {
  script: 'listens-late-after-blocking.mjs',
  env: { PORT: '', OWN_PORT: String(await freePort()) },
};
for (const [title, change] of [
  ['is reported and left alone', {}],
  ['also an ES module, before which the loop has turned once', esModule],
]) {
  t.test(title, async (t) => {
    const { primary, goOn } = await blockedPrimary(t, change);
    t.match(await primary.ask('start'), {
      ok: false,
      failed: [{ slot: 0, reason: REASON, lastLines: ['loading'] }],
    });
    const [{ status, reason, pid }] = (await primary.state()).slots;
    t.match({ status, reason }, { status: 'starting', reason: REASON });
    goOn();
    const slot = await primary.when(({ slots: [slot] }) => slot.status === 'online' && slot, 'it');
    t.match(slot, { pid, reason: null, restarts: 0, listening: [{}] });
  });
}

t.test('is killed with hang_timeout', async (t) => {
  const { primary, goOn } = await blockedPrimary(t, { hangTimeoutMs: 6000, killTimeoutMs: 500 });
  await primary.ask('start');
  const dead = await primary.when(
    ({ slots: [slot] }) => slot.restarts > 0 && slot.lastExit && slot,
    'its death',
  );
  t.match(dead.lastExit, { reason: `${REASON} for 6 s` });
  goOn();
  await primary.when(({ slots: [slot] }) => slot.status === 'online', 'its successor');
});

t.test('one that a signal has stopped fails, and is started again', async (t) => {
  const change = { env: { SIGNAL: 'SIGSTOP' }, listenTimeoutMs: 1000, killTimeoutMs: 200 };
  const primary = await startedPrimary(t, 'signals-itself-at-load.cjs', change);
  t.match(primary.outcome, {
    ok: false,
    failed: [{ slot: 0, reason: 'was stopped by a signal during its start' }],
  });
  await primary.when(({ slots: [slot] }) => slot.restarts > 0, 'the next one');
});
