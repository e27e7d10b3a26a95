/** By what daemons find a primary. */
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import t from 'tap';
import { Presence } from '../../src/primary/presence.js';
import { SocketSet } from '../../src/protocol/socket-set.js';

const CHECK_MS = 2000;
const KEEPING = {
  launchText: 'launch',
  isControlled: () => true,
  onRestored() {},
  onSuperseded() {},
};
const nextTurn = () => new Promise(setImmediate);

t.test('an app that leaves a shared primary leaves nothing, even during a check', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  for (let turns = 0; turns < 300; turns += 10) {
    const home = t.testdir({ launch: KEEPING.launchText });
    chmodSync(home, 0o700);
    const place = (name) => path.join(home, name);
    const names = ['launch', 'record', 'workers', 'socket', 'handover'];
    const paths = Object.fromEntries(names.map((name) => [name, place(name)]));
    const presence = new Presence({}, new SocketSet(), 'cluster');
    await presence.listen(paths);
    await presence.record(paths);
    presence.keep(paths, { home, ...KEEPING });
    t.ok(existsSync(paths.record));
    mock.timers.tick(CHECK_MS);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    await presence.close();
    for (let turn = 0; turn < 1000; turn += 1) await nextTurn();
    t.notOk(existsSync(paths.record), `closed ${turns} turns after a check began`);
    t.same(readdirSync(home), ['launch']);
  }
});
