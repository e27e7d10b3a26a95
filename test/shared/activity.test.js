import t from 'tap';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { activityOf, cpuWaitOf } from '../../src/shared/processes/activity.js';
import { until } from '../support/until.js';

t.test('CPU time and being stopped are seen from outside', async (t) => {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  t.teardown(() => loop.kill('SIGKILL'));
  await until(() => activityOf(loop.pid).cpuMs >= 100, 'a loop to use CPU time');
  t.equal(activityOf(loop.pid).isStopped, false);
  loop.kill('SIGSTOP');
  await until(() => activityOf(loop.pid).isStopped, 'it to be stopped');
  const { cpuMs } = activityOf(loop.pid);
  t.equal(activityOf(loop.pid).cpuMs, cpuMs);
  loop.kill('SIGKILL');
  await once(loop, 'exit');
  t.equal(activityOf(loop.pid), null);
});

const skip = process.platform === 'linux' ? false : 'only Linux says how long a thread waited';
t.test(
  'a thread that ends meanwhile does not hide how long others waited for a CPU',
  { skip },
  async (t) => {
    const { readdirSync } = fs;
    t.teardown(() => {
      fs.readdirSync = readdirSync;
      syncBuiltinESMExports();
    });
    fs.readdirSync = (directory) => [...readdirSync(directory), 'ended'];
    syncBuiltinESMExports();
    t.ok(cpuWaitOf(process.pid) > 0);
  },
);
