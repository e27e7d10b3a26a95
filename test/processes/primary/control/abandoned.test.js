/** A second primary of an app, whose daemon was killed before it connected. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { connect } from '../../../../src/protocol/client.js';
import { ensureHome } from '../../../../src/shared/home.js';
import { identify } from '../../../../src/shared/processes/identity.js';
import { NODE } from '../../../support/home.js';
import { processesOf } from '../../../support/processes.js';
import { plainEnv, spawnClean } from '../../../support/spawn-clean.js';
import { eventOf, until } from '../../../support/until.js';
import { specOf } from '../../primary-under-test.js';

const MAIN = fileURLToPath(new URL('../../../../src/primary/main.js', import.meta.url));

/** @param {any} t @param {string} name whose first primary is this process */
async function startSecond(t, name) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nc-')));
  const paths = ensureHome(join(root, 'home'));
  const { dir, launch, socket } = paths.successor(name);
  mkdirSync(dir, { mode: 0o700 });
  const order = {
    ...{ generation: 1, home: paths.home, slots: [0], after: identify(process.pid) },
    ...{ stoppedSlots: [], listeningRecord: null, createdAt: null },
  };
  const spec = { ...(await specOf('http-pid.cjs')), name };
  const daemon = { execPath: '/bin/true', script: '-' };
  writeFileSync(launch, JSON.stringify({ ...order, spec, daemon }));
  const child = spawnClean(NODE, [MAIN, launch, '{"starter":3}'], {
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
  return { child, socket, root, ended, exitStarter: () => child.stdio[3].destroy() };
}

t.test('it exits, unless a daemon has connected once', async (t) => {
  const [unknown, known] = await Promise.all([startSecond(t, 'a'), startSecond(t, 'b')]);
  const hello = { role: 'daemon', version: '0' };
  const connection = await connect(known.socket, { hello, timeoutMs: 5000 });
  await connection.request('subscribe', {});
  connection.close();
  known.exitStarter();
  unknown.exitStarter();
  t.strictSame(await unknown.ended, [null, 'SIGKILL']);
  await until(() => processesOf(unknown.root).length === 0, 'its worker to exit');
  t.match(known.child, { exitCode: null, signalCode: null });
});
