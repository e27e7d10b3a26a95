import t from 'tap';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { processesOf } from '../support/processes.js';
import { until } from '../support/until.js';
import { daemonUnderTest, webSpec } from './daemon-under-test.js';

t.test('kill ends an app that is just being launched', async (t) => {
  const daemon = daemonUnderTest(t);
  await daemon.start();
  const [interpreter, go] = ['slow-node', 'go'].map((name) => path.join(daemon.root, name));
  const wait = `while [ ! -e '${go}' ]; do sleep 0.05; done`;
  writeFileSync(interpreter, `#!/bin/sh\n${wait}\nexec '${process.execPath}' "$@"\n`);
  chmodSync(interpreter, 0o755);

  const starter = await daemon.dial();
  const started = starter.request('start', { specs: [await webSpec({ interpreter })] });
  started.catch(() => {});
  await until(() => existsSync(daemon.paths.app('web').record), 'the launch to begin');
  const killer = await daemon.dial();
  const killed = killer.request('kill');
  await until(() => JSON.parse(daemon.desired()).apps[0].stopped, 'the kill to begin');
  writeFileSync(go, '');
  t.strictSame(await killed, { apps: ['web'] });
  await until(() => processesOf(daemon.root).length === 0, 'every process to end');
});
