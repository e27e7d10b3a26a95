/** A blocked worker is looked into once without being asked, and its stack is shown until it turns again. */
import { join } from 'node:path';
import t from 'tap';
import { ask } from '../../../../support/http-ask.js';
import { startedPrimary } from '../../../primary-under-test.js';

t.test('before hang_timeout replaces it', async (t) => {
  const change = { instances: 2, hangTimeoutMs: 8000 };
  const primary = await startedPrimary(t, 'spins-three-deep.cjs', change);
  const { pid } = await ask(primary.port, `/spin?${join(primary.paths.home, 'never')}`);
  const blocked = await primary.when(
    ({ slots }) => slots.find((slot) => slot.pid === pid && slot.stack),
    'a stack',
  );
  t.equal(blocked.status, 'unresponsive');
  t.equal(blocked.stack.state, 'blocked');
  const own = blocked.stack.frames.filter(({ origin }) => origin === 'program');
  t.same(
    own.slice(0, 3).map(({ name }) => name),
    ['inner', 'middle', 'outer'],
  );

  const { lastExit } = await primary.when(
    ({ slots }) => slots.find((slot) => slot.lastExit?.lastLines.length > 0),
    'it to be replaced',
  );
  t.match(
    lastExit.reason,
    /^event loop blocked for \d+s in inner \(spins-three-deep\.cjs:12:\d+\)$/,
  );
  t.match(lastExit.lastLines.join('\n'), /at inner .*\n.*at middle .*\n.*at outer /);
  const place = 'spins-three-deep\\.cjs:\\d+:\\d+\\)';
  const text = `is in inner \\(\\S+${place}, called from middle \\(\\S+${place}, called from outer`;
  t.match(
    primary.events.filter(({ type }) => type === 'worker.stack'),
    [{ pid, reason: new RegExp(text) }],
  );
  const log = await primary.log('error');
  t.match(
    log,
    new RegExp(`app:\\d \\(pid ${pid}\\) ${text}.*; its event loop has been blocked for \\d+s`),
  );
  t.notMatch(log, /[Dd]ebugger/);
});
