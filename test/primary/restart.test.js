/** Clients wait while a restart ends the old workers, however long the slowest of them takes. */
import net from 'node:net';
import t from 'tap';
import { eventOf } from '../support/until.js';
import { freePort } from '../support/ports.js';
import { specOf, startPrimary } from './primary-under-test.js';

/** Far longer than hold_timeout, which counts from when the last old worker has gone. */
const DRAIN_MS = 2000;

for (const scheduling of ['round-robin', 'shared']) {
  t.test(`${scheduling}: a connection that is not ended, and one that comes`, async (t) => {
    const TCP_PORT = String(await freePort());
    const change = { drainTimeoutMs: DRAIN_MS, holdTimeoutMs: 700, env: { TCP_PORT } };
    const spec = { ...(await specOf('long-lived.cjs', change)), instances: 2, scheduling };
    const primary = await startPrimary(t, spec);
    await primary.ask('start');
    const lasting = await echoed(t, TCP_PORT);
    const before = (await primary.state()).slots.map(({ pid }) => String(pid));
    t.ok(before.includes(lasting), 'an old worker has the connection');
    let late;
    const outcome = await primary.ask('restart', {}, ({ kind }) => {
      if (kind === 'stopping') late ??= echoed(t, TCP_PORT);
    });
    t.match(outcome, { ok: true, done: [0, 1], longLivedCut: 1, minReady: 0 });
    t.ok(outcome.durationMs >= DRAIN_MS, `it says ${outcome.durationMs} ms`);
    t.notOk(before.includes(await late), 'a new worker has the other');
  });
}

/** @returns {Promise<string>} who echoes what is written to a connection, which stays open */
async function echoed(t, port) {
  const socket = net.connect(Number(port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.write('hello\n');
  const [answer] = await eventOf(socket, 'data');
  return String(answer).split(' ')[0];
}
