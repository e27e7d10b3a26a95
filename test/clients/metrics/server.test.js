import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { serveEndpoint } from '../../../src/clients/metrics/outlets.js';
import { answerOf } from '../../support/http-ask.js';

const yes = { ok: true, reasons: [] };
const no = {
  ok: false,
  reasons: [
    { app: 'api', reason: '0 of 1 worker ready, 1 needed (worker 0: exited with code 1)' },
    { app: null, reason: 'no app runs' },
  ],
};

const verdictsOf = (ready) => ({ live: yes, ready, startup: yes });

const serve = async (t, verdicts = verdictsOf(no), measure = async () => null) => {
  const { server, address } = await serveEndpoint(
    { host: '127.0.0.1', port: 0, allowedHosts: ['metrics.internal'] },
    { probe: async () => verdicts, measure },
  );
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return Number(address.split(':')[1]);
};

t.test('probes by GET and HEAD, as text and as JSON, under every name', async (t) => {
  const port = await serve(t);
  t.match(await fetchText(port, '/live'), { status: 200, body: 'live\n', cache: 'no-store' });
  t.match(await fetchText(port, '/startup?x=1'), { status: 200, body: 'started\n' });
  t.match(await fetchText(port, '/ready'), {
    status: 503,
    type: /^text\/plain/,
    body: 'not ready\napi: 0 of 1 worker ready, 1 needed (worker 0: exited with code 1)\nno app runs\n',
  });
  const json = await fetchText(port, '/ready', { headers: { accept: 'application/json' } });
  t.match(json, { status: 503, type: 'application/json' });
  t.same(JSON.parse(json.body), { probe: 'ready', ...no });
  t.match(await fetchText(port, '/ready', { method: 'HEAD' }), { status: 503, body: '' });
  t.match(await fetchText(port, '/live', { headers: { host: 'pod.example' } }), { status: 200 });
  t.match(await fetchText(port, '/live', { method: 'POST' }), { status: 405 });
});

t.test('a reason that quotes secrets', async (t) => {
  const reason = 'GET /health: 503 no postgres://shop:hunter2@db/shop, run with --token hunter2';
  const port = await serve(t, verdictsOf({ ok: false, reasons: [{ app: 'api', reason }] }));
  for (const accept of ['text/plain', 'application/json']) {
    const { body } = await fetchText(port, '/ready', { headers: { accept } });
    t.match(body, 'postgres://shop:********@db/shop, run with --token ********');
    t.notMatch(body, 'hunter2');
  }
});

t.test('metrics only under allowed names, and nothing else', async (t) => {
  const port = await serve(t);
  t.match(await fetchText(port, '/metrics'), {
    status: 200,
    type: /^text\/plain; version=0\.0\.4/,
    body: /nodecluster_daemon_up 0/,
  });
  t.match(await fetchText(port, '/metrics', { method: 'POST' }), { status: 405 });
  const named = (host) => fetchText(port, '/metrics', { headers: { host } });
  t.match(await named('metrics.internal:9464'), { status: 200 });
  t.match(await named('evil.example'), { status: 403, body: /^(?!nodecluster_).*--allow-host/ });
  t.match(await fetchText(port, '/'), { status: 404, body: /\/live, \/ready and \/startup/ });
  t.match(await fetchText(port, '/constructor'), { status: 404 });
  t.match(await fetchText(port, `/${'x'.repeat(20_000)}`), { status: 431 });
});

t.test('a client that floods closes only its own connections', async (t) => {
  const port = await serve(t);
  const prober = connect(port, '127.0.0.1');
  await once(prober, 'connect');
  const heard = Promise.race([once(prober, 'data'), once(prober, 'close')]);
  const flood = Array.from({ length: 200 }, () =>
    connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {}),
  );
  await Promise.all(flood.map((socket) => once(socket, 'connect')));
  // Accepted after all of them.
  await fetchText(port, '/live', { localAddress: '127.0.0.2' });
  prober.write('GET /live HTTP/1.1\r\nHost: pod\r\n\r\n');
  const [reply] = await heard;
  t.match(String(reply), /^HTTP\/1.1 200/);
  for (const socket of [prober, ...flood]) socket.destroy();
});

t.test('a source that fails', async (t) => {
  const port = await serve(t, undefined, () => Promise.reject(new Error('no figures')));
  t.match(await fetchText(port, '/metrics'), { status: 503 });
});

async function fetchText(port, path, options) {
  const { status, headers, body } = await answerOf({ port, path, ...options });
  return { status, type: headers['content-type'], cache: headers['cache-control'], body };
}
