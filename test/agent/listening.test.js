/** What the agent adds to the servers of a program, seen by the program. */
import { createRequire } from 'node:module';
import net from 'node:net';
import t from 'tap';
import { eventOf } from '../support/until.js';

const { countUnopened, watchListening } = createRequire(import.meta.url)(
  '../../src/agent/listening.cjs',
);

t.test('a server that listens, or could not, has only the listeners of the program', async (t) => {
  const { prototype } = net.Server;
  const { _listen2: open } = prototype;
  t.teardown(() => (prototype._listen2 = open));
  watchListening();
  t.not(prototype._listen2, open);

  const server = net.createServer({ pauseOnConnect: true });
  t.equal(countUnopened(), 1, 'it was noticed');
  t.same(Object.getOwnPropertyDescriptor(server, 'pauseOnConnect'), {
    ...{ value: true, configurable: true, enumerable: true, writable: true },
  });
  server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await eventOf(server, 'listening');
  t.same(server.eventNames(), []);
  t.equal(countUnopened(), 0);

  const second = net.createServer().on('connection', () => {});
  second.on('error', () => {});
  const failing = eventOf(second, 'error');
  second.listen(server.address().port, '127.0.0.1');
  const [fault] = await failing;
  t.match(fault, { code: 'EADDRINUSE' });
  t.same(second.eventNames(), ['connection', 'error']);
});
