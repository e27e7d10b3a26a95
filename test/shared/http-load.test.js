/** If the load generator missed failures, every "0 failed" would be worthless. */
import t from 'tap';
import { createServer } from 'node:http';
import { startLoad } from '../support/http-load.js';
import { listening } from '../support/listening.js';
import { eventOf } from '../support/until.js';

function good(request, response) {
  response.setHeader('x-request-id', request.headers['x-request-id']);
  response.end('{"pid":7}');
}

const bad = {
  ECONNRESET: (request) => request.socket.destroy(),
  HTTP_500: (request, response) => response.writeHead(500).end(),
  WRONG_ANSWER: (_request, response) => response.end('{"pid":7}'),
  CUT: (request, response) => {
    response.setHeader('content-length', '100');
    response.write('half', () => request.socket.destroy());
  },
  NO_ANSWER: () => {},
};

for (const [code, listener] of Object.entries(bad)) {
  t.test(`${code} is a failure, counted once`, async (t) => {
    let asked = 0;
    const server = createServer((request, response) =>
      ++asked === 5 ? listener(request, response) : good(request, response),
    );
    const port = await listening(t, server);
    const load = startLoad(t, { port, clients: 1, timeoutMs: code === 'NO_ANSWER' ? 300 : 30_000 });
    await load.answers(10);
    const { made, failures } = await load.stop();
    const found = failures.map((failure) => failure.code);
    t.same(found, [code]);
    t.equal(made, load.state.good + 1);
    t.equal(asked, made, 'nothing was asked again');
  });
}

t.test('nobody listens', async (t) => {
  const server = createServer();
  const port = await listening(t, server);
  server.close();
  await eventOf(server, 'close');
  const load = startLoad(t, { port, clients: 1 });
  const { failures } = await load.stop();
  const codes = failures.map(({ code }) => code);
  t.same(codes, ['ECONNREFUSED']);
});
