import t from 'tap';
import { degraded } from '../../../src/features/degraded/daemon.js';

const late = () => Promise.reject(new Error('timed out'));
const failing = async () => ({ workers: [{ pid: 7, degraded: 'errors' }] });
const fine = async () => ({ workers: [{ pid: 7 }] });

/** how its primary answers, the state of the link to it, the status of the worker, and what is known of it */
const rows = [
  [failing, 'connected', 'online', 'errors'],
  [fine, 'connected', 'online', undefined],
  [late, 'connected', 'online', 'unknown'],
  [late, 'connected', 'backoff', undefined],
  [late, 'unknown', 'unknown', undefined],
];

for (const [request, state, status, expected] of rows) {
  t.test(`${request.name}, ${state}, ${status}: ${expected}`, async (t) => {
    const app = { link: { state, request } };
    const worker = { pid: 7, status };
    const add = await degraded().measure([app], ['usage']);
    add(app, { workers: [worker] });
    t.equal(worker.degraded, expected);
  });
}

t.test('what has finished its work has not crashed', async (t) => {
  const { worker } = degraded();
  const reason = 'exited with code 0';
  const exits = { lastExit: { at: Date.now(), code: 0, reason }, earlierExits: [] };
  t.same(worker({ ...exits, status: 'exited' }), {});
  t.same(worker({ ...exits, status: 'backoff' }), { recentCrashes: 1, crashCause: reason });
});

t.test('a crash has the reason that its program wrote, or else how it ended', async (t) => {
  const { worker } = degraded();
  for (const [exit, expected] of [
    [{ code: 1, reason: 'exited with code 1', cause: 'no database' }, 'no database'],
    [{ code: 17, reason: 'exited with code 17', cause: null }, 'exited with code 17'],
    [{ signal: 'SIGKILL', reason: 'was killed by SIGKILL' }, 'was killed by SIGKILL'],
    [{ signal: 'SIGABRT', reason: 'hung', cause: null }, 'hung'],
  ]) {
    const lastExit = { at: Date.now(), ...exit };
    const crashCause = worker({ lastExit, earlierExits: [], status: 'online' }).crashCause;
    t.equal(crashCause, expected);
  }
});
