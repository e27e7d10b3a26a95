/** A worker whose process could not be forked: spawn returns a child without a pid, and reports the error later. */
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { makeLaunch } from '../../../src/primary/pool/launch.js';
import { WorkerHandle } from '../../../src/primary/worker/handle.js';
import { specWith } from '../../support/spec.js';

t.test('is never online, also if nothing more is asked of it than to run', async (t) => {
  const child = Object.assign(new EventEmitter(), { connected: false });
  const spec = specWith({ execMode: 'fork', minUptimeMs: 0 });
  const launch = { ...makeLaunch(spec, 1), listens: false };
  const services = /** @type {any} */ ({
    launcher: () => child,
    strays: { newMark: () => '', end: async () => ({ left: [] }) },
    logs: { flushed: async () => {} },
    partsOf: () => ({ trouble: null, firstCheck: null, variables: null }),
  });
  const order = { key: 1, slot: 0, launch, after: null, expected: 'none' };
  const worker = new WorkerHandle(/** @type {any} */ (order), services);
  worker.start();
  t.equal(worker.status, 'starting');
  const exited = once(worker, 'exit');
  child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' }));
  t.match(await exited, [{ code: null, error: 'EMFILE' }]);
  t.equal(worker.onlineAtMs, null);
});
