/**
 * A client that costs less than the server, or the server would never be busy: bytes that are
 * ready, and no look at what comes back. node bench/telemetry/load.js <port> <clients>; answers every
 * message with how many answers it has had.
 */
import net from 'node:net';

const [port, clients] = process.argv.slice(2).map(Number);
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
let answers = 0;
for (let number = 0; number < clients; number++) {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(request);
  socket.on('data', () => {
    answers += 1;
    socket.write(request);
  });
}
process.on('message', () => process.send?.(answers));
process.on('disconnect', () => process.exit());
