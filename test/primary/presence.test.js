import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import t from 'tap';
import { Host } from '../../src/primary/host.js';
import { ensureHome } from '../../src/shared/home.js';

const CHECK_MS = 30_000;
const nextTurn = () => new Promise(setImmediate);

t.test('a primary that ends leaves nothing, even during a check', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  // Others find this process by its command line.
  t.intercept(process, 'title', { value: '', writable: true });
  let host;
  for (let turns = 0; turns < 300; turns += 10) {
    const home = path.join(t.testdir({ primaries: { 1: {} } }), '.');
    for (const directory of [home, `${home}/primaries`]) chmodSync(directory, 0o700);
    const paths = ensureHome(home).primary(1);
    const exited = new Promise((resolve) => {
      host = new Host({ home, id: 1 }, { close: () => {} }, {}, [], resolve);
    });
    await host.listen();
    t.ok(existsSync(paths.record));
    mock.timers.tick(CHECK_MS);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    host.shutDown();
    await exited;
    for (let turn = 0; turn < 1000; turn += 1) await nextTurn();
    t.same(readdirSync(`${home}/primaries`), [], `closed ${turns} turns after a check began`);
  }
});
