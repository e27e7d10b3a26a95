/** Daemon and primaries run with a small heap; the programs of their apps do not. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { spawnDetached } from '../../../src/shared/processes/launch.js';
import { commandOf } from '../../support/processes.js';
import { startedDaemon, webSpec } from '../daemon-under-test.js';

const FLAG = '--optimize-for-size';

t.test('a process that outlives its parent has it', async (t) => {
  const command = [process.execPath, '-p', 'process.execArgv[0]'];
  const child = spawnDetached(command, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = await once(child.stdout, 'data');
  t.equal(String(text).trim(), FLAG);
});

t.test('no worker inherits it', { skip: process.platform !== 'linux' }, async (t) => {
  const daemon = await startedDaemon(t);
  const fork = { execMode: 'fork', interpreter: process.execPath, instances: 1 };
  const specs = [await webSpec({ name: 'web' }), await webSpec({ name: 'lone', ...fork })];
  t.match(await daemon.ask('start', { specs }), { apps: [{ ok: true }, { ok: true }] });
  const { apps } = await daemon.ask('list');
  for (const { pid } of apps.flatMap(({ workers }) => workers)) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    t.match(commandOf(pid), /node /);
    t.notMatch(`${commandOf(pid)} ${environment}`, /optimize-for-size|MALLOC_/);
  }
});
