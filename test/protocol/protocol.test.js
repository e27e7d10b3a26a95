/** Messages between processes: frames, requests, replies and streams. */
import t from 'tap';
import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { NodeclusterError } from '../../src/errors/error.js';
import { connect } from '../../src/protocol/client.js';
import { encodeFrame, frameReader } from '../../src/protocol/frames.js';
import { serve } from '../../src/protocol/server.js';
import { OWN_VERSIONS } from '../../src/shared/version.js';
import { listening } from '../support/listening.js';
import { ioError, replaceFs } from '../support/replaced-fs.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Of one message. */
const MAX_BYTES = 4 * 1024 * 1024;
const { protocol, oldest } = OWN_VERSIONS;
const hello = { role: 'test', version: '1.2.3' };
const greeting = {
  jsonrpc: '2.0',
  id: 0,
  method: 'hello',
  params: { ...hello, protocol, oldest },
};
const methods = {
  echo: async (params) => params,
  never: () => new Promise(() => {}),
  fail: async () => {
    throw new NodeclusterError('E_PROTOCOL_TIMEOUT', { what: 'lunch', ms: 5 });
  },
  surprise: async () => {
    throw new TypeError('no such luck');
  },
  huge: async () => 'x'.repeat(5 * 1024 * 1024),
  count: async ({ to }, ctx) => {
    for (let n = 1; n <= to; n++) ctx.notify('number', { n });
    setImmediate(() => ctx.notify('late', { role: ctx.peer.role }));
    return 'counted';
  },
};

async function start(t, options = {}) {
  const socket = path.join(temporaryDirectory(t), 's.sock');
  const server = await serve(socket, { methods, hello, ...options });
  t.teardown(() => server.close());
  const newClient = async () => {
    const client = await connect(socket, { hello });
    t.teardown(() => client.close());
    return client;
  };
  return { socket, server, newClient };
}

function framesIn(text) {
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** What a client that writes raw bytes gets until the server hangs up. */
async function raw(socket, ...frames) {
  const connection = net.connect(socket);
  for (const frame of frames) {
    const plain = typeof frame === 'string' || Buffer.isBuffer(frame);
    connection.write(plain ? frame : `${JSON.stringify(frame)}\n`);
  }
  let text = '';
  connection.on('data', (chunk) => (text += chunk));
  connection.on('error', () => {});
  await once(connection, 'close');
  return framesIn(text);
}

t.test('requests, answers, errors and notifications', async (t) => {
  const { socket, server, newClient } = await start(t);
  t.equal(fs.lstatSync(socket).mode & 0o777, 0o600);
  const client = await newClient();
  t.match(client.peer, { ...hello, pid: process.pid, protocol });
  t.strictSame(await client.request('echo', { a: 'ü' }), { a: 'ü' });
  await t.rejects(client.request('fail'), { code: 'E_PROTOCOL_TIMEOUT', data: { what: 'lunch' } });
  await t.rejects(client.request('surprise'), { code: 'E_INTERNAL', message: /no such luck/ });
  await t.rejects(client.request('nonsense'), { code: 'E_PROTOCOL_METHOD' });
  await t.rejects(client.request('constructor'), { code: 'E_PROTOCOL_METHOD' });
  await t.rejects(client.request('huge'), { code: 'E_PROTOCOL_FRAME_SIZE' });
  await t.rejects(client.request('never', {}, { timeoutMs: 1 }), { code: 'E_PROTOCOL_TIMEOUT' });

  const late = once(client, 'notification');
  const seen = [];
  const onNotification = (method, params) => seen.push([method, params]);
  t.equal(await client.request('count', { to: 2 }, { onNotification }), 'counted');
  t.strictSame(seen, [
    ['number', { n: 1 }],
    ['number', { n: 2 }],
  ]);
  t.strictSame(await late, ['late', { role: 'test' }], 'after the answer it is an event');

  const waiting = t.rejects(client.request('never'), { code: 'E_PROTOCOL_CLOSED' });
  const closed = once(client, 'close');
  await server.close();
  await Promise.all([waiting, closed]);
  await t.rejects(client.request('echo'), { code: 'E_PROTOCOL_CLOSED' });
  await t.rejects(connect(socket, { hello }), { code: 'E_PROTOCOL_UNREACHABLE' });
});

t.test('a path that the system would truncate', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'x'.repeat(200));
  fs.mkdirSync(directory);
  const socket = path.join(directory, 'daemon.sock');
  const served = serve(socket, { methods, hello });
  if (process.platform !== 'linux') {
    const data = { reason: 'ENAMETOOLONG' };
    await t.rejects(served, { code: 'E_PROTOCOL_SOCKET', data });
    return;
  }
  const server = await served;
  (await connect(socket, { hello })).close();
  t.strictSame(fs.readdirSync(directory), ['daemon.sock']);
  t.equal(await server.isReachable(), true);
  await server.close();
  t.strictSame(fs.readdirSync(directory), []);
  await t.rejects(connect(socket, { hello }), { data: { reason: 'ENOENT' } });
});

t.test('only a socket on which nobody listens is replaced', async (t) => {
  const { socket, server } = await start(t);
  const data = { reason: 'EADDRINUSE' };
  await t.rejects(serve(socket, { methods, hello }), { code: 'E_PROTOCOL_SOCKET', data });
  t.equal(await server.isReachable(), true);
  const stale = `${socket}.stale`;
  leaveStaleSocket(stale);
  const second = await serve(stale, { methods, hello });
  (await connect(stale, { hello })).close();
  await second.close();
  fs.writeFileSync(stale, 'a file of somebody else');
  const third = await serve(stale, { methods, hello });
  (await connect(stale, { hello })).close();
  t.equal(fs.readFileSync(`${stale}.aside`, 'utf8'), 'a file of somebody else');
  await third.close();
});

t.test('a server whose path was removed listens again and keeps its connections', async (t) => {
  const { socket, server, newClient } = await start(t);
  const client = await newClient();
  fs.unlinkSync(socket);
  t.equal(await server.isReachable(), false);
  await server.listenAgain();
  t.equal(await server.isReachable(), true);
  t.same(await client.request('echo', { said: 1 }), { said: 1 });
  await newClient();
});

t.test('a server that closes while its path is restored does not listen again', async (t) => {
  const { socket, server } = await start(t);
  fs.unlinkSync(socket);
  const restored = server.listenAgain().catch(({ code }) => code);
  await server.close();
  t.equal(await restored, 'E_PROTOCOL_SOCKET');
  await t.rejects(connect(socket, { hello }), { data: { reason: 'ENOENT' } });
  await t.rejects(server.listenAgain(), { code: 'E_PROTOCOL_SOCKET' });
  t.strictSame(fs.readdirSync(path.dirname(socket)), []);
});

t.test('a server removes no socket of another', async (t) => {
  const { socket, server } = await start(t);
  fs.unlinkSync(socket);
  const second = await serve(socket, { methods, hello });
  await t.rejects(server.listenAgain(), { data: { reason: 'EADDRINUSE' } });
  await server.close();
  (await connect(socket, { hello })).close();
  await second.close();
});

/** As a process leaves it that was killed. */
function leaveStaleSocket(socket) {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script, socket]);
}

t.test('a server whose path cannot be removed closes, and the next one replaces it', async (t) => {
  const { socket, server: first } = await start(t);
  replaceFs(t, 'unlinkSync', () => () => {
    throw ioError('unlink');
  });
  await first.close();
  const second = await serve(socket, { methods, hello });
  t.ok(await second.isReachable());
  await second.close();
});

t.test('a client of another protocol may use the core methods only', async (t) => {
  const list = async () => ({ apps: [] });
  const daemon = { ...hello, role: 'daemon' };
  const { socket } = await start(t, { methods: { ...methods, list }, hello: daemon });
  const connection = net.connect(socket);
  const send = (frame) => connection.write(`${JSON.stringify(frame)}\n`);
  send({ ...greeting, params: { ...greeting.params, protocol: 99, oldest: 98 } });
  send({ jsonrpc: '2.0', id: 1, method: 'list' });
  send({ jsonrpc: '2.0', id: 2, method: 'echo' });
  let text = '';
  for await (const chunk of connection) if ((text += chunk).split('\n').length > 3) break;
  const replies = framesIn(text);
  const [welcome, listed, refused] = [0, 1, 2].map((id) => replies.find((each) => each.id === id));
  t.match(welcome.result, { role: 'daemon', protocol });
  t.strictSame(listed.result, { apps: [] });
  t.match(refused.error.data, {
    code: 'E_PROTOCOL_VERSION',
    data: { client: { protocol: 99 }, server: { protocol, pid: process.pid } },
  });
});

t.test('garbage ends the connection with an error, and nobody else notices', async (t) => {
  const { socket, newClient } = await start(t);
  const good = await newClient();
  const request = { jsonrpc: '2.0', id: 1, method: 'echo' };
  for (const [code, ...frames] of [
    ['E_PROTOCOL_FRAME', 'GET / HTTP/1.1\r\n\r\n'],
    ...['', '{"id":1', 'null', '[]', '7', '{"jsonrpc":"1.0"}'].map((text) => {
      return ['E_PROTOCOL_FRAME', `${text}\n`];
    }),
    ['E_PROTOCOL_FRAME', Buffer.from([0xff, 0xfe, 0, 0x0a])],
    ['E_PROTOCOL_FRAME', request],
    ['E_PROTOCOL_FRAME', greeting, { ...request, id: undefined }],
    ['E_PROTOCOL_FRAME', greeting, { ...request, id: {} }],
    ['E_PROTOCOL_FRAME', greeting, { ...request, params: [1] }],
    ['E_PROTOCOL_FRAME_SIZE', 'x'.repeat(MAX_BYTES + 1)],
  ]) {
    t.equal((await raw(socket, ...frames)).at(-1)?.error.data.code, code);
  }
  t.strictSame(await good.request('echo', { still: 'here' }), { still: 'here' });
});

t.test('random bytes never hurt', async (t) => {
  const { socket } = await start(t);
  let seed = 42;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const valid = Buffer.from(`${JSON.stringify(greeting)}\n`);
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 10 }, () => {
        const bytes = Buffer.from(valid);
        for (let n = 0; n < 5; n++) bytes[Math.floor(random() * bytes.length)] = random() * 256;
        return raw(socket, bytes, '}\n');
      }),
    );
  }
  const client = await connect(socket, { hello, timeoutMs: 30_000 });
  t.strictSame(await client.request('echo', {}), {});
  client.close();
});

t.test('a silent client is sent away', async (t) => {
  const { socket } = await start(t);
  t.match(await raw(socket), [{ error: { data: { code: 'E_PROTOCOL_FRAME' } } }]);
});

t.test('what is too large to be sent ends the connection of who would have got it', async (t) => {
  let told = false;
  const large = 'x'.repeat(MAX_BYTES);
  const { newClient } = await start(t, {
    methods: {
      ...methods,
      shout: async (_params, ctx) => {
        ctx.notify('state', { large });
        told = true;
      },
      fail: async () => {
        throw new NodeclusterError('E_PROTOCOL_TIMEOUT', { what: large, ms: 5 });
      },
    },
  });
  for (const method of ['shout', 'fail']) {
    const client = await newClient();
    await t.rejects(client.request(method), { code: 'E_PROTOCOL_FRAME_SIZE' });
  }
  t.ok(told, 'who told it does not notice');
});

t.test('the last places are for core methods; one client too many is refused', async (t) => {
  const refusal = { code: 'E_PROTOCOL_CLIENTS', hint: /`kill` work even now/ };
  const { newClient } = await start(t, {
    hello: { ...hello, role: 'daemon' },
    methods: { ...methods, ping: methods.never },
  });
  for (let place = 0; place < 64; place++) {
    const client = await newClient();
    client.request('never').catch(() => {});
    await client.request('echo', {});
  }
  for (let place = 0; place < 16; place++) {
    const client = await newClient();
    client.request('ping').catch(() => {});
    await t.rejects(client.request('echo'), refusal);
  }
  await t.rejects(newClient(), { code: 'E_PROTOCOL_CLIENTS' });
});

t.test('idle clients make room, those that wait for a reply stay', async (t) => {
  const { socket, newClient } = await start(t);
  const waiting = await newClient();
  waiting.request('never').catch(() => {});
  const silent = net.connect(socket);
  await once(silent, 'connect');
  const idle = await newClient();
  const closed = Promise.all([once(silent.resume(), 'close'), once(idle, 'close')]);
  const later = [];
  for (let count = 0; count < 70; count++) later.push(await newClient());
  await closed;
  t.same(await later.at(-1).request('echo', { a: 1 }), { a: 1 });
  await t.rejects(waiting.request('nonsense'), { code: 'E_PROTOCOL_METHOD' }, 'still connected');
});

t.test('requests of one client are bounded', async (t) => {
  const { newClient } = await start(t);
  const client = await newClient();
  const waiting = Array.from({ length: 64 }, () => client.request('never'));
  await t.rejects(client.request('echo'), { code: 'E_PROTOCOL_REQUESTS' });
  client.close();
  for (const { status } of await Promise.allSettled(waiting)) t.equal(status, 'rejected');
});

t.test('who does not read is dropped, never buffered without bound', async (t) => {
  let dropped = () => {};
  const drop = new Promise((resolve) => (dropped = resolve));
  const flood = (_params, ctx) => {
    const timer = setInterval(() => ctx.notify('line', { text: 'x'.repeat(50_000) }), 1);
    ctx.onClose(() => dropped(clearInterval(timer)));
  };
  const { socket } = await start(t, { methods: { flood } });
  const slow = net.connect(socket);
  slow.write(`${JSON.stringify(greeting)}\n`);
  slow.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'flood' })}\n`);
  await drop;
  slow.destroy();
});

t.test('a client gives up on a server that does not answer', async (t) => {
  const socket = path.join(temporaryDirectory(t), 'mute.sock');
  const mute = net.createServer((connection) => connection.resume());
  await listening(t, mute, { path: socket });
  await t.rejects(connect(socket, { hello, timeoutMs: 1000 }), { code: 'E_PROTOCOL_TIMEOUT' });
});

t.test('a line may be as long as allowed and not a byte longer', async (t) => {
  const message = { jsonrpc: '2.0', text: '' };
  message.text = 'x'.repeat(MAX_BYTES - JSON.stringify(message).length);
  const line = JSON.stringify(message);
  const read = frameReader();
  t.equal([...read(Buffer.from(`${line}\n${line}\n`))].length, 2);
  const code = 'E_PROTOCOL_FRAME_SIZE';
  t.throws(() => [...read(Buffer.from(`${line} \n`))], { code });
  t.throws(() => [...frameReader()(Buffer.from(`${line} `))], { code });
  t.throws(() => encodeFrame({ ...message, more: 1 }), { code });
});
