/** A drain waits for connections that a worker has handed over, since they may come back. */
import { createRequire } from 'node:module';
import t from 'tap';
import { until } from '../support/until.js';

const { Drain } = createRequire(import.meta.url)('../../src/agent/drain.cjs');

t.test('it ends when the primary has them', async (t) => {
  const servers = { listening: new Set(), http2Sessions: new Set(), onSession: new Set() };
  let handedOver = 1;
  const drain = new Drain(servers, () => handedOver);
  t.teardown(() => clearInterval(drain.timer));
  let hasEnded = false;
  drain.onDrained(() => (hasEnded = true));
  drain.begin({});
  t.notOk(hasEnded, 'no server has a connection, but one may come back');
  handedOver = 0;
  await until(() => hasEnded, 'the end of the drain');
});
