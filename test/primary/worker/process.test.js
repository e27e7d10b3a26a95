import t from 'tap';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import { WorkerProcess } from '../../../src/primary/worker/process.js';
import { ReadinessWatch } from '../../../src/primary/worker/readiness.js';
import { replaceFs } from '../../support/replaced-fs.js';

/** A watch of a worker that is to say 'ready' in time; what it decides is emitted. */
function watchOf(listenTimeoutMs) {
  const startedMs = performance.now();
  const spec = { waitReady: true, minUptimeMs: 0, listenTimeoutMs, hangTimeoutMs: null };
  const worker = {
    launch: { spec },
    expected: 'none',
    replaces: false,
    listening: Object.assign(new Map(), { addresses: [], below: [] }),
    fault: null,
    parts: { firstCheck: () => null },
    get uptimeMs() {
      return performance.now() - startedMs;
    },
    becomeOnline: () => verdicts.emit('verdict', 'online'),
    end: ({ reason }) => verdicts.emit('verdict', reason),
  };
  const verdicts = new EventEmitter();
  const watch = new ReadinessWatch(worker);
  watch.look();
  return { watch, verdicts };
}

t.test('after a standstill of the primary the deadline is extended', async (t) => {
  const { watch, verdicts } = watchOf(500);
  const verdict = once(verdicts, 'verdict');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000); // as SIGSTOP would
  // Timers come before what has been said meanwhile.
  setTimeout(() => setImmediate(() => watch.saidReady()), 1);
  t.same(await verdict, ['online']);
});

t.test('without a standstill it is not', async (t) => {
  const { verdicts } = watchOf(500);
  t.same(await once(verdicts, 'verdict'), ["did not send 'ready' within 0.5 s"]);
});

// How a worker is stopped while /proc does not answer, as on a file system that hangs.

const isLinux = process.platform === 'linux';

t.test('the signal comes before SIGKILL', { skip: !isLinux && 'no /proc' }, async (t) => {
  replaceFs(t, 'readdir', () => () => new Promise(() => {}), fs.promises);
  const signals = [];
  const child = new EventEmitter();
  child.pid = process.pid;
  child.kill = (signal) => {
    signals.push(signal);
    child.emit(signal);
  };
  // Less time than the list of the processes below it may take.
  const spec = { execMode: 'fork', killTimeoutMs: 400, killSignal: 'SIGTERM', treekill: true };
  new WorkerProcess(child, { launch: { spec } }).stop();
  await once(child, 'SIGKILL');
  t.strictSame(signals, ['SIGTERM', 'SIGKILL']);
});
