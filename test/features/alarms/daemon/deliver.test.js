/** One attempt of an alarm: a real command, or a real server. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { deliver } from '../../../../src/features/alarms/daemon-deliver.js';
import { listening } from '../../../support/listening.js';
import { isRunning } from '../../../support/processes.js';
import { specWith } from '../../../support/spec.js';
import { until } from '../../../support/until.js';

const notice = {
  type: 'worker.errored',
  event: {
    type: 'worker.errored',
    at: 1_700_000_000_000,
    app: 'api',
    namespace: 'default',
    slot: 1,
    reason: 'failed 16\ntimes\0',
  },
  count: 3,
  firstAt: 1_700_000_000_000,
  attempts: 0,
  reason: null,
  dueMs: 0,
};
const NODE = process.execPath;
const never = new AbortController().signal;

function attempt(alarm, { event = {}, ended = never, ...spec } = {}) {
  const whole = { run: null, post: null, headers: {}, timeoutMs: 20_000, ...alarm };
  const about = { ...notice, event: { ...notice.event, ...event } };
  return deliver(specWith(spec), whole, about, '/the/home', ended);
}

t.test('a command gets the event, the environment of the app, and no shell', async (t) => {
  const cwd = t.testdir();
  const program = `
    const input = require('node:fs').readFileSync(0, 'utf8');
    require('node:fs').writeFileSync('got', JSON.stringify({
      input: JSON.parse(input), args: process.argv.slice(1), env: process.env }));`;
  const run = [NODE, '-e', program, '$HOME; exit 1'];
  t.equal(await attempt({ run }, { cwd, env: { OWN: 'mine' } }), null);
  const { input, args, env } = JSON.parse(readFileSync(join(cwd, 'got'), 'utf8'));
  t.same(args, ['$HOME; exit 1']);
  const text = `api:1 errored on ${hostname()}: failed 16 times (3 events)`;
  t.same(input, { text, host: hostname(), count: 3, firstAt: notice.firstAt, event: notice.event });
  t.match(env, {
    OWN: 'mine',
    NODECLUSTER_HOME: '/the/home',
    NODECLUSTER_EVENT_TYPE: 'worker.errored',
    NODECLUSTER_EVENT_APP: 'api',
    NODECLUSTER_EVENT_WORKER: '1',
    NODECLUSTER_EVENT_COUNT: '3',
    NODECLUSTER_EVENT_REASON: 'failed 16 times',
    NODECLUSTER_EVENT_TEXT: text,
  });
});

t.test('commands that fail', async (t) => {
  const cwd = t.testdir();
  const program = (text) => [NODE, '-e', text];
  const rows = [
    [program('console.error("no\\nluck"); process.exit(3)'), /exited with code 3: luck$/],
    [['sh', '-c', 'kill -TERM $$'], /was killed by SIGTERM$/],
    [['no-such-command'], 'no-such-command could not be started (ENOENT)'],
    [['true', 'x'.repeat(200_000)], /E2BIG: the argument x+… takes 195.3K, and the limit/],
    [['a\0b'], /could not be started \(ERR_INVALID_ARG_VALUE\)$/],
  ];
  for (const [run, reason] of rows) t.match(await attempt({ run }, { cwd }), reason, run[0]);
});

t.test('a command that hangs is killed', async (t) => {
  const failure = await attempt({ run: ['sleep', '100'], timeoutMs: 300 });
  t.equal(failure, 'sleep did not exit within 0.3 s');
});

t.test('what a command leaves behind is killed', async (t) => {
  const cwd = t.testdir();
  t.equal(await attempt({ run: ['sh', '-c', 'sleep 100 & echo $! > pid'] }, { cwd }), null);
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
  await until(() => !isRunning(pid), 'its child to end');
});

t.test('at the end of the daemon nothing goes on', async (t) => {
  const cwd = t.testdir();
  const ending = new AbortController();
  const program = "require('node:fs').writeFileSync('begun', ''); setInterval(() => {}, 1000)";
  const attempted = attempt({ run: [NODE, '-e', program] }, { cwd, ended: ending.signal });
  await until(() => existsSync(join(cwd, 'begun')), 'it to begin');
  ending.abort(new Error('the daemon ended'));
  t.match(await attempted, /SIGKILL/);
  const later = await attempt({ run: ['no-such-command'] }, { ended: ending.signal });
  t.equal(later, 'the daemon ended');
});

t.test('a command that reads nothing and writes without end', async (t) => {
  const event = { reason: 'x'.repeat(200_000) };
  t.equal(await attempt({ run: ['true'] }, { event }), null);
  const flood = await attempt({ run: ['yes'], timeoutMs: 300 });
  // Either may be first.
  t.match(flood, /^yes (did not exit within 0\.3 s|wrote more than 16 MB): y$/);
  const fast = await attempt({ run: ['yes'] }, { event });
  t.equal(fast, 'yes wrote more than 16 MB: y');
});

async function serving(t, answer, server = createServer()) {
  const requests = [];
  server.on('request', async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    answer(request, response);
  });
  return { requests, port: await listening(t, server) };
}

t.test('a request has the event, and headers with variables', async (t) => {
  const { requests, port } = await serving(t, (_request, response) => response.end('taken'));
  const env = { TOKEN: 's3cret', HOOK: `http://127.0.0.1:${port}/hook?x=1` };
  const alarm = { post: '${HOOK}', headers: { Authorization: 'Bearer ${TOKEN}' } };
  t.equal(await attempt(alarm, { env }), null);
  t.match(requests[0], {
    method: 'POST',
    url: '/hook?x=1',
    headers: {
      authorization: 'Bearer s3cret',
      'content-type': 'application/json',
      'user-agent': /^nodecluster\//,
    },
  });
  const { count, event } = JSON.parse(requests[0].body);
  t.match({ count, event }, { count: 3, event: { type: 'worker.errored', app: 'api' } });
  t.equal(await attempt({ post: '${NOWHERE}' }), 'the variable NOWHERE is not set');
  for (const headers of [{ 'a b': '${TOKEN}' }, { A: 'b\r\nC: ${TOKEN}' }]) {
    const wrong = await attempt({ post: '${HOOK}', headers }, { env });
    t.match(wrong, /header/i);
    t.notMatch(wrong, 's3cret');
  }
});

t.test('what servers answer', async (t) => {
  const { requests, port } = await serving(t, (request, response) => {
    const status = Number(request.url.slice(1));
    response.writeHead(status, { location: `http://127.0.0.1:${port}/200` }).end();
  });
  const rows = [
    [200, null],
    [204, null],
    [307, 'the server answered 307'],
    [404, 'the server answered 404'],
    [503, 'the server answered 503'],
  ];
  for (const [status, expected] of rows) {
    t.equal(await attempt({ post: `http://127.0.0.1:${port}/${status}` }), expected, `${status}`);
  }
  t.equal(requests.length, rows.length, 'no redirect was followed');
});

t.test('servers that do not answer', async (t) => {
  const { port } = await serving(t, () => {});
  const post = `http://127.0.0.1:${port}/`;
  const late = await attempt({ post, timeoutMs: 300 });
  t.equal(late, 'no answer within 0.3 s');
  const ending = new AbortController();
  const attempted = attempt({ post }, { ended: ending.signal });
  setImmediate(() => ending.abort());
  t.match(await attempted, 'aborted');
  t.match(await attempt({ post: 'http://127.0.0.1:1/' }), /ECONNREFUSED/);
});

t.test('servers that answer something else', async (t) => {
  const rows = [
    [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      /no answer within 0.5 s|RESET|EPIPE/,
    ],
    ['SSH-2.0-OpenSSH_9.2\r\n', /Parse Error|RESET|EPIPE/],
    ['', /hang up|closed|RESET|EPIPE/],
  ];
  for (const [text, reason] of rows) {
    const server = createNetServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(text));
    });
    const post = `http://127.0.0.1:${await listening(t, server)}/`;
    t.match(await attempt({ post, timeoutMs: 500 }), reason, JSON.stringify(text));
  }
});

t.test('a server with an endless answer has taken it', async (t) => {
  const { port } = await serving(t, (_request, response) => {
    response.writeHead(200);
    const flood = () => response.destroyed || response.write('x'.repeat(65536), flood);
    flood();
  });
  t.equal(await attempt({ post: `http://127.0.0.1:${port}/` }), null);
});

t.test('a certificate must be trusted, whatever the environment says', async (t) => {
  const file = (name) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url));
  const tls = createTlsServer({ key: file('key.pem'), cert: file('cert.pem') });
  const { requests, port } = await serving(t, (_request, response) => response.end(), tls);
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.teardown(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  const failure = await attempt({ post: `https://localhost:${port}/` });
  t.match(failure, /certificate/);
  t.equal(requests.length, 0);
});

t.test('an event is sent bounded', async (t) => {
  const { requests, port } = await serving(t, (_request, response) => response.end());
  const post = `http://127.0.0.1:${port}/`;
  const lastLines = Array.from({ length: 5000 }, () => 'x'.repeat(5000));
  t.equal(await attempt({ post }, { event: { lastLines } }), null);
  t.ok(requests[0].body.length < 64 * 1024, `${requests[0].body.length}`);
  const { event } = JSON.parse(requests[0].body);
  t.match(event, { type: 'worker.errored', lastLines: { length: 20 } });
});
