/** How a worker is stopped while /proc does not answer, as on a file system that hangs. */
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import t from 'tap';
import { WorkerProcess } from '../../../src/primary/worker/process.js';

const isLinux = process.platform === 'linux';

t.test('the signal comes before SIGKILL', { skip: !isLinux && 'no /proc' }, async (t) => {
  const { readdir } = fs.promises;
  fs.promises.readdir = () => new Promise(() => {});
  syncBuiltinESMExports();
  t.teardown(() => {
    fs.promises.readdir = readdir;
    syncBuiltinESMExports();
  });
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
