/** Programs that ask again after a failed bind: that leaves nothing which answers them, or the next worker. */
import dgram from 'node:dgram';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { freePort } from '../../../support/ports.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { eventOf, until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

/** Reserved for documentation, so no machine has it (RFC 5737). */
const NO_HOST = '192.0.2.1';
const SLOTS = [0, 1];

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  const retry = async (t, env, code, free = () => {}) => {
    const change = { env, scheduling, instances: SLOTS.length };
    const primary = await startPrimary(t, await specOf('retries-a-busy-address.cjs', change));
    const outcome = primary.ask('start');
    const says = (line) =>
      until(async () => (await primary.log('out').catch(() => '')).includes(line), line);
    for (const slot of SLOTS) await says(`${slot} ${code}`);
    free();
    const { slots } = await primary.state();
    for (const { slot, pid } of slots) {
      process.kill(pid, 'SIGUSR2');
      await says(`${slot} listens`);
    }
    t.match(await outcome, { ok: true, done: SLOTS });
  };

  for (const kind of ['port', 'unix socket', 'udp']) {
    t.test(`a ${kind} that another process has for a while: ${scheduling}`, async (t) => {
      const at = await addressOf(t, kind);
      const holder = hold(at);
      await eventOf(holder, 'listening');
      await retry(t, { AT: JSON.stringify(at) }, 'EADDRINUSE', () => holder.close());
    });
  }

  t.test(`a port, after a host that is not there: ${scheduling}`, async (t) => {
    const port = await freePort();
    const env = { FAILS_AT: JSON.stringify({ host: NO_HOST, port }), AT: JSON.stringify({ port }) };
    await retry(t, env, 'EADDRNOTAVAIL');
  });

  t.test(`a server that fails while another one of the worker closes: ${scheduling}`, async (t) => {
    const primary = await startedPrimary(t, 'replaces-its-server.cjs', { scheduling });
    const { port, outcome } = primary;
    t.match(outcome, { ok: true });
    await until(async () => (await ask(port)).server === 2, 'the second server to listen');
    t.equal(primary.child.exitCode, null, 'the primary goes on');
  });
}

/** @returns what a server of that kind listens on */
async function addressOf(t, kind) {
  if (kind === 'unix socket') return { path: join(temporaryDirectory(t), 'socket') };
  const port = await freePort();
  return kind === 'udp' ? { port, protocol: 'udp' } : { port };
}

function hold({ protocol, ...at }) {
  return protocol === 'udp' ? dgram.createSocket('udp4').bind(at) : net.createServer().listen(at);
}
