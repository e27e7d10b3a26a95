/** A worker is free for the next profile before a command is told that its own is complete. */
import { once } from 'node:events';
import net from 'node:net';
import { dirname, join } from 'node:path';
import t from 'tap';
import { startedPrimary } from '../../../primary-under-test.js';

t.test('although the process that took it is still there', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 1 });
  const { spec } = primary;
  const directory = dirname(primary.paths.app(spec.name).workers);
  for (const socket of ['a.sock', 'b.sock']) {
    await primary.ask('profile', { slot: 0, kind: 'cpu', durationMs: 20, socket });
    // It keeps its side open, and so the process.
    const command = net.connect({ path: join(directory, socket), allowHalfOpen: true });
    t.teardown(() => command.destroy());
    let text = '';
    command.setEncoding('utf8').on('data', (data) => (text += data));
    await once(command, 'end');
    t.match(text, /\{"done":\{\}\}\n$/);
  }
});
