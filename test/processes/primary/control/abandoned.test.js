/** A primary whose daemon was killed before it gave it an app. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { connect } from '../../../../src/protocol/client.js';
import { ensureHome } from '../../../../src/shared/home.js';
import { NODE } from '../../../support/home.js';
import { plainEnv, spawnClean } from '../../../support/spawn-clean.js';
import { eventOf } from '../../../support/until.js';
import { FRESH, specOf } from '../../primary-under-test.js';

const MAIN = fileURLToPath(new URL('../../../../src/primary/main.js', import.meta.url));

async function startEmpty(t) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nc-')));
  const paths = ensureHome(join(root, 'home'));
  const { dir, socket } = paths.primary(1);
  mkdirSync(dir, { mode: 0o700 });
  const daemon = { execPath: '/bin/true', script: '-', isManaged: false };
  const launch = { id: 1, home: paths.home, mode: 'cluster', most: 10, daemon };
  const child = spawnClean(NODE, [MAIN, JSON.stringify(launch), '{"starter":3}'], {
    env: plainEnv(),
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const ended = eventOf(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  await once(child.stdio[3], 'data');
  return { child, socket, paths, ended, exitStarter: () => child.stdio[3].destroy() };
}

t.test('it exits, unless it has got one', async (t) => {
  const [empty, used] = await Promise.all([startEmpty(t), startEmpty(t)]);
  const hello = { role: 'daemon', version: '0' };
  const connection = await connect(used.socket, { hello, timeoutMs: 30_000 });
  const spec = await specOf('http-pid.cjs', { instances: 1 });
  await connection.request('host', { spec, generation: 1, slots: [0], sockets: 0, ...FRESH });
  connection.close();
  used.exitStarter();
  empty.exitStarter();
  t.strictSame(await empty.ended, [null, 'SIGKILL']);
  t.same(readdirSync(empty.paths.primariesDir), [], 'and leaves nothing');
  t.match(used.child, { exitCode: null, signalCode: null });
});
