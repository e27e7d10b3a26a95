/** By what daemons find a primary. */
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import t from 'tap';
import { Presence } from '../../src/primary/presence.js';
import { RecordFile } from '../../src/primary/processes/record.js';
import { ensureHome } from '../../src/shared/home.js';
import { Keeper } from '../../src/shared/presence.js';
import { identify } from '../../src/shared/processes/identity.js';

const [SOON_MS, CHECK_MS] = [2000, 30_000];
const nextTurn = () => new Promise(setImmediate);

t.test('a primary that ends leaves nothing, even during a check', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  for (let turns = 0; turns < 300; turns += 10) {
    const home = path.join(t.testdir({ primaries: { 1: {} } }), '.');
    for (const directory of [home, `${home}/primaries`]) chmodSync(directory, 0o700);
    const paths = ensureHome(home).primary(1);
    const own = { ...identify(process.pid), socket: '-', apps: {} };
    const record = new RecordFile(paths.record, own);
    const presence = new Presence({}, paths, record, { home });
    await presence.listen();
    t.ok(existsSync(paths.record));
    mock.timers.tick(CHECK_MS);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    await presence.close();
    for (let turn = 0; turn < 1000; turn += 1) await nextTurn();
    t.same(readdirSync(`${home}/primaries`), [], `closed ${turns} turns after a check began`);
  }
});

t.test('files are looked after soon where something changes or fails', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const dir = t.testdir();
  let isUndone = false;
  let looks = 0;
  const restore = async () => {
    looks += 1;
    return isUndone;
  };
  const keeper = new Keeper([dir], restore, t.fail);
  const after = async (ms) => {
    mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    return looks;
  };
  t.equal(await after(CHECK_MS - 1), 0);
  t.equal(await after(1), 1);
  const watcher = watch(dir);
  const changed = once(watcher, 'change');
  writeFileSync(`${dir}/file`, '');
  await changed;
  watcher.close();
  isUndone = true;
  t.equal(await after(SOON_MS), 2, 'something has changed');
  isUndone = false;
  t.equal(await after(SOON_MS), 3, 'it could not be restored');
  t.equal(await after(SOON_MS), 3);
  await keeper.end();
  t.equal(await after(CHECK_MS), 3);
});
