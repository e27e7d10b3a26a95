/** Servers in the process of a test. */
import { eventOf } from './until.js';

export async function listening(t, server, where = { port: 0, host: '127.0.0.1' }) {
  t.teardown(() => {
    server.close();
    server.closeAllConnections?.();
  });
  server.listen(where);
  await eventOf(server, 'listening');
  return server.address().port;
}
