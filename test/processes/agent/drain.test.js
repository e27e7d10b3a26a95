import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import t from 'tap';
import { answerOf } from '../../support/http-ask.js';
import { eventOf, until, within } from '../../support/until.js';
import { startedPrimary } from '../primary-under-test.js';

/** Node closes a connection that is idle for 5 s, in which a busy machine may not come to its next request. */
const KEPT = { keepAliveTimeoutMs: 600_000 };
/** A client with one connection that is kept alive. */
const keptClient = (t, port) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  return async (path) => {
    const { body, headers, reused } = await answerOf({ port, path, agent });
    return { ...JSON.parse(body), headers, reused };
  };
};
/** Begins a reload and resolves when the old worker drains; `ended` is the reload's outcome. */
const beginReload = async (primary) => {
  let ended;
  await within(
    new Promise((resolve) => {
      ended = primary.ask('reload', {}, ({ kind }) => kind === 'draining' && resolve());
    }),
    'the drain to begin',
  );
  return { ended };
};

const request = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
/** Once it has been answered, its connection belongs to the worker. */
const firstAnswer = async (socket) => {
  const answered = eventOf(socket, 'data');
  socket.write(request('/first'));
  await answered;
};

t.test('an idle connection is left to its next request, its last', async (t) => {
  const change = { minUptimeMs: 1, ...KEPT };
  const primary = await startedPrimary(t, 'sets-keep-alive.cjs', change);
  const { pid: old } = await primary.slot();
  const paths = ['/plain', '/set-header', '/object', '/flat'];
  const clients = paths.map((path) => ({ path, ask: keptClient(t, primary.port) }));
  for (const { path, ask } of clients)
    t.match(await ask(path), { pid: old, headers: { connection: 'keep-alive' } });
  const { ended } = await beginReload(primary);
  for (const { path, ask } of clients) {
    // The word to drain and the next request race: the answer that says close is the last.
    let last;
    do last = await ask(path);
    while (last.headers.connection === 'keep-alive');
    t.match(last, { pid: old, reused: true, headers: { connection: 'close' } }, path);
    if (path !== '/plain' && path !== '/set-header') t.equal(last.headers['x-own'], 'kept');
  }
  t.match(await ended, { ok: true, longLivedCut: 0 });
  const { pid } = await primary.slot();
  for (const { path, ask } of clients) t.match(await ask(path), { pid, reused: false });
});

t.test('the last response closes the connection, and nothing after it counts', async (t) => {
  const change = { minUptimeMs: 1, drainTimeoutMs: 60_000 };
  const primary = await startedPrimary(t, 'answers-on-demand.cjs', change);
  const begin = async (text) => {
    const socket = net.connect({ port: primary.port, allowHalfOpen: true });
    t.teardown(() => socket.destroy());
    await firstAnswer(socket);
    const seen = { received: '', error: null };
    socket.setEncoding('utf8').on('data', (data) => (seen.received += data));
    socket.on('error', (cause) => (seen.error = cause));
    const hungUp = eventOf(socket, 'end');
    socket.write(text);
    return { socket, seen, hungUp, ...(await beginReload(primary)) };
  };
  const isOver = async (ended) =>
    t.match(await within(ended, 'the end of the reload'), { ok: true, longLivedCut: 0 });

  const pipelined = await begin(request('/slow1') + request('/slow2') + request('/slow3'));
  await pipelined.hungUp;
  pipelined.socket.end();
  t.same(pipelined.seen.received.match(/\/slow\d|Connection: \S+/g), [
    ...['Connection: keep-alive', '/slow1', 'Connection: keep-alive', '/slow2'],
    ...['Connection: close', '/slow3'],
  ]);
  await isOver(pipelined.ended);

  const { socket, seen, ...late } = await begin(request('/slow1'));
  const closed = eventOf(socket, 'close');
  await late.hungUp;
  for (const path of ['/slow2', '/slow3']) {
    await new Promise((resolve) => socket.write(request(path), resolve));
  }
  socket.end();
  await closed;
  t.equal(seen.error, null, 'a later request is not reset');
  t.same(seen.received.match(/\/slow\d/g), ['/slow1'], 'nor executed');
  await isOver(late.ended);

  const open = await begin(request('/slow'));
  await isOver(open.ended);
});

t.test('a silent connection is closed at the deadline, and counted', async (t) => {
  const change = { minUptimeMs: 1, drainTimeoutMs: 300, ...KEPT };
  const primary = await startedPrimary(t, 'http-pid.cjs', change);
  const socket = net.connect(primary.port);
  await eventOf(socket, 'connect');
  const warm = keptClient(t, primary.port);
  await warm('/');
  const closed = eventOf(socket, 'close');
  t.match(await primary.ask('reload'), { ok: true, longLivedCut: 2 });
  await closed;
});

for (const TLS of ['', 'yes']) {
  const protocol = TLS ? 'tls' : 'tcp';
  /** @returns of a client that the worker has */
  const connect = async (t, { port }) => {
    const socket = TLS
      ? tls.connect({ port, rejectUnauthorized: false })
      : net.connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.on('error', () => {});
    await eventOf(socket, TLS ? 'secureConnect' : 'connect');
    return socket;
  };
  const say = async (socket, line) => {
    const answered = eventOf(socket, 'data');
    socket.write(line);
    return String(await answered);
  };

  t.test(`${protocol}: what is waited for, and what is not`, async (t) => {
    const change = { minUptimeMs: 1, drainTimeoutMs: 2000, env: { TLS } };
    const primary = await startedPrimary(t, 'talks-tcp.cjs', change);
    const silent = async () => {
      await connect(t, primary);
      // Comes after it, so the worker has both.
      await say(await connect(t, primary), 'a line\n');
    };
    await silent();
    t.match(await primary.ask('reload'), { ok: true, longLivedCut: 0 }, 'not silent connections');
    await primary.wrote('stops\n');

    const chatting = await connect(t, primary);
    const talk = setInterval(() => chatting.write('a line\n'), 50);
    t.teardown(() => clearInterval(talk));
    t.match(
      await primary.ask('reload'),
      { ok: true, longLivedCut: 1 },
      'bytes since it began count',
    );
    clearInterval(talk);

    await primary.configure({ ...primary.spec, drainTimeoutMs: 20_000 });
    const [first, second] = [await connect(t, primary), await connect(t, primary)];
    await say(second, 'a line\n');
    const answers = [first, second].map(async (socket) => {
      const answer = await say(socket, 'slow\n');
      socket.destroy();
      return answer;
    });
    // The worker has read the two before.
    await silent();
    t.match(await primary.ask('stop'), { ok: true, longLivedCut: 0 }, 'requests are answered');
    t.same(await Promise.all(answers), ['slow\n', 'slow\n']);
  });
}

t.test(`a program's own handler may close its server again, without an error`, async (t) => {
  const primary = await startedPrimary(t, 'own-sigterm-handler.cjs');
  const ask = keptClient(t, primary.port);
  await ask('/');
  t.match(await primary.ask('stop'), { ok: true });
  await primary.wrote('shutting down\nclosed\n');
  t.equal(await primary.log('error').catch(() => ''), '');
});

t.test('HTTP/2: streams in progress get a response, then the session closes', async (t) => {
  const change = { minUptimeMs: 1, env: { SLOW_MS: '400' } };
  const primary = await startedPrimary(t, 'http2-pid.cjs', change);
  const { pid: old } = await primary.slot();
  const session = http2.connect(`http://127.0.0.1:${primary.port}`);
  session.on('error', (error) => t.fail(error.message));
  const answer = async () => JSON.parse(await text(session.request({ ':path': '/' })));
  const closed = eventOf(session, 'close');
  const streams = [answer(), answer()];
  const { ended } = await beginReload(primary);
  t.match(await Promise.all(streams), [{ pid: old }, { pid: old }]);
  await closed;
  t.match(await ended, { ok: true, longLivedCut: 0 });
});

t.test(
  'HTTP/2: a session whose TLS handshake outlasts the order to drain ends as well',
  async (t) => {
    const env = { PROTOCOL: 'h2' };
    const change = { minUptimeMs: 1, drainTimeoutMs: 60_000, env };
    const primary = await startedPrimary(t, 'traffic.cjs', change);
    const taken = net.connect(primary.port, '127.0.0.1');
    await eventOf(taken, 'connect');
    const url = `https://127.0.0.1:${primary.port}`;
    const client = (options) => http2.connect(url, { rejectUnauthorized: false, ...options });
    const answer = (session) => text(session.request({ ':path': '/plain', 'x-request-id': 'one' }));
    // What came after it is served, so the worker has it in hand.
    const other = client({});
    t.equal(await answer(other), 'plain');
    other.close();
    const { ended } = await beginReload(primary);
    const session = client({
      createConnection: () =>
        tls.connect({ socket: taken, rejectUnauthorized: false, ALPNProtocols: ['h2'] }),
    });
    session.on('error', (error) => t.fail(error.message));
    const closed = eventOf(session, 'close');
    t.equal(await answer(session), 'plain');
    await closed;
    t.match(await within(ended, 'the end of the reload'), { ok: true, longLivedCut: 0 });
  },
);

/** GET / with http, of the static table of RFC 7541, from host x: the stream ends with its headers. */
const GET = [0x82, 0x84, 0x86, 0x41, 1, 0x78];

/** An HTTP/2 client that reads no frame before it writes. */
async function heedlessClient(port) {
  const socket = net.connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => (received = Buffer.concat([received, chunk])));
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(Buffer.from([0, 0, 0, /* SETTINGS */ 4, 0, 0, 0, 0, 0]));
  await until(() => received.length > 0, 'the settings of the server');
  return {
    socket,
    ask: (stream) => {
      const before = received.length;
      socket.write(Buffer.from([0, 0, GET.length, /* HEADERS */ 1, 5, 0, 0, 0, stream, ...GET]));
      return until(() => received.includes('"pid"', before), 'the response');
    },
  };
}

async function witnessOf(port) {
  const witness = http2.connect(`http://127.0.0.1:${port}`);
  await eventOf(witness.request({ ':path': '/' }).resume(), 'close');
  return witness;
}

t.test('HTTP/2: a client that has just connected may still send its first request', async (t) => {
  const primary = await startedPrimary(t, 'http2-pid.cjs', { minUptimeMs: 1 });
  const { socket, ask } = await heedlessClient(primary.port);
  const closed = eventOf(socket, 'close');
  const witness = await witnessOf(primary.port);
  const { ended } = await beginReload(primary);
  await eventOf(witness, 'goaway');
  await ask(1);
  socket.end();
  await closed;
  t.match(await ended, { ok: true });
});

t.test('HTTP/2: a request that is sent when the drain begins is answered', async (t) => {
  const primary = await startedPrimary(t, 'http2-pid.cjs', { minUptimeMs: 1 });
  const { socket, ask } = await heedlessClient(primary.port);
  await ask(1);
  const closed = eventOf(socket, 'close');
  const { pid } = await primary.slot();
  // It reads the order and the request together.
  process.kill(pid, 'SIGSTOP');
  const { ended } = await beginReload(primary);
  const answered = ask(3);
  process.kill(pid, 'SIGCONT');
  await answered;
  socket.end();
  await closed;
  t.match(await ended, { ok: true, longLivedCut: 0 });
});
