/** A connection on its way to the last worker of a socket: when both close, its client must notice. */
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { answerOf } from '../../../support/http-ask.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { within } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const kinds = {
  'a unix socket': (folder) => ({ env: { PORT: join(folder, 'app.sock') } }),
  'port 0': () => ({ env: { PORT: '0' } }),
  'a port of which nobody takes over': () => ({ autorestart: false }),
};
const policies = ['round-robin', 'fair'];
const cases = Object.entries(kinds).flatMap(([kind, changeOf]) =>
  policies.map((scheduling) => ({ kind, changeOf, scheduling })),
);
for (const { kind, changeOf, scheduling } of cases) {
  t.test(`${kind}: ${scheduling}`, async (t) => {
    const folder = temporaryDirectory(t);
    const change = { scheduling, ...changeOf(folder) };
    const primary = await startedPrimary(t, 'blocks-on-demand.cjs', change);
    const [{ pid, listening }] = (await primary.state()).slots;
    const address = addressOf(listening[0].address);
    await blocked(address, join(folder, 'never'));

    const client = net.connect(address).on('error', () => {});
    t.teardown(() => client.destroy());
    // From the kernel's queue it is reset.
    const closed = within(new Promise((resolve) => client.once('close', resolve)), 'its end');
    await once(client, 'connect');
    // If the primary accepts, it has accepted it when it has answered a second time.
    await primary.state();
    await primary.state();
    process.kill(pid, 'SIGKILL');
    await closed;
    t.pass('it is closed');
  });
}

/** @param listening as a worker tells of it */
function addressOf(listening) {
  if (listening.startsWith('/')) return { path: listening };
  return { port: Number(listening.slice(listening.lastIndexOf(':') + 1)), host: '127.0.0.1' };
}

/** @param file until it exists */
function blocked({ path: socketPath, ...address }, file) {
  return answerOf({ socketPath, ...address, path: `/block?${file}` });
}
