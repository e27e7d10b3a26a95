import t from 'tap';
import { listApps } from '../../../src/daemon/queries/apps.js';
import { figuresOf } from '../../../src/show/rows.js';

t.test('a worker that was started during the measurement has its figures too', async (t) => {
  const slot = {
    ...{ slot: 0, status: 'online', isReady: true, health: null, generation: 1, restarts: 0 },
    ...{ startedMs: 0, reason: null, retryAtMs: null, blockedSinceMs: null, stack: null },
    listening: [],
    beside: [],
  };
  const snapshot = { slots: [{ ...slot, pid: 1 }], connectionsGivenUp: 0, reloads: {} };
  const app = {
    changes: [],
    ...{ name: 'web', slots: [0], ids: { 0: 0 }, generation: 1, stopped: false, queue: {} },
    spec: { namespace: 'default', execMode: 'cluster', script: '/web.js', scheduling: 'fair' },
    link: { state: 'connected', pid: 9, trouble: null, snapshot },
  };
  const sample = async (/** @type {number[]} */ pids) => {
    if (pids.includes(1)) snapshot.slots = [{ ...slot, pid: 2, beside: [1] }];
    return new Map(pids.map((pid) => [pid, { cpu: 1, memory: pid * 1000, ctime: 0 }]));
  };
  const features = { ask: () => [], record: (_app, known) => known };
  const daemon = { metrics: { sample }, features, table: { notes: [] } };
  const { apps } = await listApps(/** @type {any} */ (daemon), [app], { fields: ['usage'] });
  const [{ workers }] = apps;
  t.match(workers, [{ pid: 2, memory: 2000, beside: [{ pid: 1, memory: 1000 }] }]);
  t.match(figuresOf(workers), { memory: 3000, cpu: 2 }, 'the worker that it replaces still serves');
});
