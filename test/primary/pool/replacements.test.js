import { EventEmitter } from 'node:events';
import t from 'tap';
import { makeLaunch } from '../../../src/primary/pool/launch.js';
import { Replacements } from '../../../src/primary/pool/replacements.js';
import { Slot } from '../../../src/primary/pool/slot.js';
import { specWith } from '../../support/spec.js';

t.test('what replaced a worker by a command has not failed to be replaced', async (t) => {
  const [before, next] = [1, 2].map((generation) => makeLaunch(specWith({}), generation));
  const workerOf = (launch) => ({
    slot: 0,
    launch,
    status: 'online',
    listening: { areShared: true },
    reportEvent: () => {},
    end: () => {},
  });
  const [old, other] = [workerOf(before), workerOf(next)];
  const pool = Object.assign(new EventEmitter(), { changed: () => {} });
  const slot = Object.assign(new Slot(0, before, pool), { workers: [old] });
  Object.assign(pool, { slots: new Map([[0, slot]]), slotsOf: () => [slot] });
  const replacements = new Replacements(pool, () => false);
  for (const worker of [old, other]) replacements.markDue(worker, 'is old');
  pool.emit('change');
  pool.emit('replacement-failed', slot, { failure: 'exited with code 1' });
  t.match(replacements.failuresOf(old), { count: 1, why: 'is old', reason: 'exited with code 1' });
  t.equal(replacements.failuresOf(other), null);
  replacements.cancel();
});
