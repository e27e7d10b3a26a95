import t from 'tap';
import { startedDaemon, webSpec } from '../../daemon-under-test.js';

t.test('as many subscribers as there are places do not keep commands out', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  for (let count = 0; count < 64; count++) {
    const client = await daemon.dial();
    client.request(count % 2 ? 'watch' : 'events', {}).catch(() => {});
  }
  await t.rejects(daemon.ask('events'), { code: 'E_PROTOCOL_CLIENTS' });
  t.match(await daemon.ask('list'), { apps: [{ name: 'web' }] });
  t.match(await daemon.ask('stop', { selectors: ['web'] }), { apps: [{ ok: true }] });
  t.match(await daemon.ask('kill'), { apps: [] });
});
