/** A connection below `net.Socket`, as the primary has it. */
import { once } from 'node:events';
import net from 'node:net';

export async function rawConnection() {
  const server = net.createServer((accepted) => accepted.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address();
  const socket = net.connect(port, '127.0.0.1').unref();
  await once(socket, 'connect');
  return socket._handle;
}
