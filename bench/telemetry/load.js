/**
 * A client that uses less CPU than the server, so that the server is the bottleneck: it sends
 * prepared bytes and does not parse responses. node bench/telemetry/load.js <port> <clients>
 * It replies to every message with the number of responses received so far.
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
