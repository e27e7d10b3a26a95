/** A primary whose daemon was killed before it gave it an app. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import t from 'tap';
import { connect } from '../../../../src/protocol/client.js';
import { FRESH, spawnPrimary, specOf } from '../../primary-under-test.js';

async function startEmpty(t) {
  const empty = spawnPrimary(t, { most: 10 }, ['ignore', 'inherit', 'inherit', 'pipe'], 3);
  t.teardown(async () => {
    empty.child.kill('SIGTERM');
    await empty.ended;
  });
  await once(empty.child.stdio[3], 'data');
  return { ...empty, exitStarter: () => empty.child.stdio[3].destroy() };
}

t.test('it exits, unless it has got one', async (t) => {
  const [empty, used] = await Promise.all([startEmpty(t), startEmpty(t)]);
  const hello = { role: 'daemon', version: '0' };
  const connection = await connect(used.place.socket, { hello, timeoutMs: 30_000 });
  const spec = await specOf('http-pid.cjs', { instances: 1 });
  await connection.request('host', { spec, generation: 1, slots: [0], sockets: 0, ...FRESH });
  connection.close();
  used.exitStarter();
  empty.exitStarter();
  t.strictSame(await empty.ended, [null, 'SIGKILL']);
  t.same(readdirSync(empty.paths.primariesDir), [], 'and leaves nothing');
  t.match(used.child, { exitCode: null, signalCode: null });
});
