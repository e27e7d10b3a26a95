/** A daemon that has reached its limit of file descriptors, which prlimit(1) sets from outside. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { until } from '../../support/until.js';
import { startedDaemon, webSpec } from '../daemon-under-test.js';

function limitDescriptors(pid, limit) {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
}

const skip = process.platform !== 'linux' && 'prlimit(1) is part of Linux';

t.test('an app whose primary could not be started is started later', { skip }, async (t) => {
  const daemon = await startedDaemon(t);
  const { pid } = await daemon.ask('ping');
  limitDescriptors(pid, readdirSync(`/proc/${pid}/fd`).length + 2);
  const { apps } = await daemon.ask('start', { specs: [await webSpec({ instances: 1 })] });
  t.match(apps, [{ ok: false, failed: [{ reason: /could not be started: .*EMFILE/ }] }]);
  t.match(await daemon.view('web'), { status: 'errored', primaryPid: null });
  limitDescriptors(pid, 1000);
  await until(async () => (await daemon.view('web')).status === 'online', 'the daemon to retry');
  t.equal((await daemon.ask('ping')).pid, pid);
});
