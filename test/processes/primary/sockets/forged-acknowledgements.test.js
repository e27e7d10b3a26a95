/** A worker that acknowledges connections of others takes none of them away. */
import t from 'tap';
import { startLoad } from '../../../support/http-load.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

for (const forge of [true, false]) {
  t.test(`accepted: ${forge}`, async (t) => {
    const change = { instances: 3, scheduling: 'round-robin' };
    const spec = await specOf('forges-acknowledgements.cjs', change);
    const primary = await startPrimary(t, spec);
    await primary.ask('start');
    const load = startLoad({ port: primary.port, clients: 24, keepAlive: false });
    await load.answers(20);
    t.match(await primary.ask('send', { slots: [0], message: { forge } }), { sent: [0] });
    await load.answers(600);
    t.match(await load.stop(), { failed: 0, failures: [] });
    const online = { status: 'online', restarts: 0 };
    t.match((await primary.state()).slots, [online, online, online]);
  });
}
