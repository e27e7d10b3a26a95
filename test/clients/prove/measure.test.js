import t from 'tap';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import { join } from 'node:path';
import { placeFor } from '../../../src/clients/prove/place.js';
import { ask, beginTraffic } from '../../../src/clients/prove/measure.js';
import { listening } from '../../support/listening.js';
import { until } from '../../support/until.js';

const tls = (name) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));

async function served(t, answer, { where = undefined, isSecure = false } = {}) {
  const keys = { key: tls('key'), cert: tls('cert') };
  const server = isSecure ? createTlsServer(keys, answer) : createServer(answer);
  const port = await listening(t, server, where);
  const address = where ?? `127.0.0.1:${port}`;
  const listener = { address, protocol: isSecure ? 'https' : 'http' };
  return { server, place: placeFor({ name: 'api', workers: [{ listening: [listener] }] }, {}) };
}

t.test('steady, on kept connections and on new ones', async (t) => {
  let connections = 0;
  let requests = 0;
  const { server, place } = await served(t, (_request, response) => {
    requests += 1;
    response.end('ok');
  });
  server.on('connection', () => (connections += 1));
  const endTraffic = beginTraffic(place, 100);
  await until(() => requests >= 50, '50 requests');
  const asked = await endTraffic();
  t.equal(asked.length, requests);
  t.same([...new Set(asked.map(({ status }) => status))], [200]);
  t.ok(asked.some(({ reused }) => reused));
  t.ok(connections < requests && connections > 20, `${connections} connections`);
});

t.test('a slow app gets as many, and none waits for a connection', async (t) => {
  const waiting = [];
  let isFree = false;
  const { place } = await served(t, (_request, response) => {
    if (isFree) response.end('late');
    else waiting.push(response);
  });
  const endTraffic = beginTraffic(place, 200);
  await until(() => waiting.length >= 60, '60 requests');
  const ended = endTraffic();
  isFree = true;
  for (const response of waiting) response.end('ok');
  const asked = await ended;
  t.ok(asked.length >= 60);
  t.notOk(asked.some(({ reused }) => reused));
});

t.test('over TLS, and on a unix socket', async (t) => {
  const answer = (_request, response) => response.end('ok');
  const secure = await served(t, answer, { isSecure: true });
  t.match(await ask(secure.place), { status: 200, code: '' });
  const own = await served(t, answer, { where: join(t.testdir(), 'api.sock') });
  t.match(await ask(own.place), { status: 200 });
});

t.test('what is lost', async (t) => {
  const reset = await served(t, (request) => request.socket.resetAndDestroy());
  t.match(await ask(reset.place), { status: null, code: 'ECONNRESET' });
  const cut = await served(t, (request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => request.socket.destroy());
  });
  t.match(await ask(cut.place), { status: null, code: 'ECONNRESET' });
  reset.server.close();
  reset.server.closeAllConnections();
  await once(reset.server, 'close');
  t.match(await ask(reset.place), { status: null, code: 'ECONNREFUSED' });
});
