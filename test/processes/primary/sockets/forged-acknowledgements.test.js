/** A worker that acknowledges connections of others takes none of them away. */
import t from 'tap';
import { startLoad } from '../../../support/http-load.js';
import { startedPrimary } from '../../primary-under-test.js';

for (const forge of [true, false]) {
  t.test(`accepted: ${forge}`, async (t) => {
    const change = { instances: 3, scheduling: 'round-robin' };
    const primary = await startedPrimary(t, 'forges-acknowledgements.cjs', change);
    const load = startLoad(t, { port: primary.port, clients: 24, keepAlive: false });
    await load.answers(20);
    t.match(await primary.ask('send', { slots: [0], message: { forge } }), { sent: [0] });
    await load.answers(600);
    t.match(await load.stop(), { failed: 0, failures: [] });
    const online = { status: 'online', restarts: 0 };
    t.match((await primary.state()).slots, [online, online, online]);
  });
}
