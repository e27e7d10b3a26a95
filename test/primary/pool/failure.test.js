/** What is reported of a failure, without processes. */
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { onFailedExit, Slot } from '../../../src/primary/pool/slot.js';
import { makeLaunch } from '../../../src/primary/pool/launch.js';
import { specWith } from '../../support/spec.js';

/** @returns {any} a worker that was killed before it was online */
const killed = (launch) => ({
  launch,
  slot: 0,
  pid: 1234,
  generation: launch.generation,
  failure: 'was killed by SIGKILL',
  fault: null,
  uptimeMs: 10,
  onlineAtMs: null,
  hasFailedEarly: false,
  readiness: { hasStayedUp: false },
  output: { lastLines: async () => [] },
});

t.test('a reload that fails in a slot whose program had done its work before', async (t) => {
  const before = makeLaunch(specWith({ autorestart: false }), 1);
  const next = makeLaunch(specWith({ autorestart: false }), 2);
  const slot = new Slot(0, before);
  slot.blocked = 'exited';
  slot.reason = 'exited with code 0 and autorestart is off';
  slot.beginReload(next);
  const pool = Object.assign(new EventEmitter(), { changed: () => {} });
  pool.on('replacement-failed', () => slot.revertReload());
  const reports = [];
  pool.on('progress', (report) => reports.push(report));
  const event = once(pool, 'event');

  onFailedExit(slot, killed(next), { code: null, signal: 'SIGKILL' }, pool);

  const seen = { slot: 0, reason: 'was killed by SIGKILL', signal: 'SIGKILL' };
  t.match(reports, [{ kind: 'failed', ...seen }], 'its own failure, not what was before');
  t.match(await event, [{ type: 'worker.exited', ...seen }]);
  t.match(slot, { blocked: 'exited', reason: /^exited with code 0/ }, 'it is as before');
});
