import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { EventHub } from '../../src/daemon/events.js';
import { alarms as feature } from '../../src/features/alarms/daemon.js';
import { deliver } from '../../src/features/alarms/daemon-deliver.js';
import { listening } from '../support/listening.js';
import { isRunning } from '../support/processes.js';
import { specWith } from '../support/spec.js';
import { until } from '../support/until.js';
import { exit, said } from '../support/snapshot.js';

const alarm = (parts) => ({
  ...{ event: ['worker.*'], failed: false, run: null, post: null, headers: {} },
  ...{ timeoutMs: 5000, intervalMs: 60_000 },
  ...parts,
});

/** @param parts of the alarm of the app `api`, which events are published of unless another one is given */
async function scene(t, parts = {}) {
  const bodies = [];
  const answer = { status: 200, hold: Promise.resolve() };
  const server = createServer(async (request, response) => {
    bodies.push(await json(request));
    await answer.hold;
    response.writeHead(answer.status).end();
  });
  const post = `http://127.0.0.1:${await listening(t, server)}/s3cret`;
  const logged = [];
  const log = { warn: (...args) => logged.push(args), error: (...args) => logged.push(args) };
  const events = new EventHub();
  const { record, event, ending: end } = feature({ paths: { home: '/the/home' }, log });
  events.onEvent = (app, happened, isAgain) => event(app, happened, isAgain) ?? happened;
  t.teardown(() => end());
  const spec = specWith({ on: [alarm({ post, ...parts })] });
  const newApp = () => ({ name: 'api', namespace: 'x', ids: { 0: 7 }, spec });
  const api = newApp();
  const publish = (type, more = {}, app = api) =>
    events.publish(app, {
      type,
      ...(type.startsWith('worker') ? { slot: 0, reason: exit(1) } : {}),
      ...more,
    });
  const view = (app = api) => record(app, ['details']).alarms;
  const untilDelivered = (app = api) => until(() => view(app)[0].delivered === 1, 'the delivery');
  return { api, newApp, events, publish, view, untilDelivered, end, bodies, post, logged, answer };
}

t.test('events of the types that an alarm names, the same ones together', async (t) => {
  const { publish, view, untilDelivered, bodies } = await scene(t);
  publish('worker.exited');
  publish('reload.begun');
  publish('worker.event', { name: 'x' });
  await untilDelivered();
  t.equal(bodies.length, 1);
  t.match(bodies[0], { count: 1, event: { type: 'worker.exited', slot: 0, id: 7 } });
  for (let n = 0; n < 50; n += 1) publish('worker.exited');
  const to = /^POST http:\/\/127\.0\.0\.1:\d+\/\*+$/;
  t.match(view(), [{ to, delivered: 1, waiting: 50, trouble: undefined }]);
});

t.test('only failures', async (t) => {
  const { publish, untilDelivered, bodies } = await scene(t, { event: ['*.ended'], failed: true });
  publish('job.ended', { ok: true });
  publish('job.ended', { ok: false, reason: exit(1) });
  await untilDelivered();
  const text = `${hostname()}: api job ended: failed, exited with code 1`;
  t.match(bodies, [{ text, event: { ok: false } }]);
});

t.test('what is not delivered when its setting changes is counted and logged', async (t) => {
  const { api, publish, view, answer, logged } = await scene(t, { event: ['*'] });
  answer.status = 410;
  publish('primary.lost');
  await until(() => view()[0].trouble !== undefined, 'it to fail');
  const shown = view();
  const reason = 'the server answered 410';
  t.match(shown, [{ delivered: 0, waiting: 1, trouble: reason }]);
  api.spec = specWith({ on: [] });
  t.same(view(), []);
  const facts = { app: 'api', of: 'primary.lost', count: 1, attempts: 1, reason };
  t.match(logged, [['alarm.undelivered', facts]]);
  t.notMatch(JSON.stringify([logged, shown]), 's3cret');
});

t.test('changed settings hold at once, and the others keep what they know', async (t) => {
  const { api, publish, view, untilDelivered, post, bodies } = await scene(t);
  const [stays] = api.spec.on;
  api.spec = specWith({ on: [stays, alarm({ event: ['primary.lost'], post })] });
  publish('worker.exited');
  await untilDelivered();
  api.spec = specWith({ on: [{ ...stays }] });
  publish('primary.lost');
  t.match(view(), [{ delivered: 1 }]);
  t.equal(view().length, 1);
  api.spec = specWith({ on: [] });
  publish('worker.errored');
  t.same(view(), []);
  t.equal(bodies.length, 1);
});

t.test('events from before this daemon count if they may have been lost', async (t) => {
  const { publish, untilDelivered, bodies } = await scene(t);
  const at = (ms) => Math.round(performance.timeOrigin) + ms;
  publish('worker.exited', { at: at(-60_000), again: true });
  publish('worker.errored', { at: at(-5000), again: true });
  await untilDelivered();
  const types = bodies.map(({ event }) => event.type);
  t.same(types, ['worker.errored']);
});

t.test('at the end what is due is still delivered, and the rest is given up', async (t) => {
  const { publish, end, bodies, logged } = await scene(t);
  publish('worker.exited');
  publish('worker.exited');
  await end();
  t.equal(bodies.length, 1);
  t.match(logged, [['alarm.undelivered', { count: 1, reason: 'the daemon ended' }]]);
});

t.test('if all apps fail at once, not all alarms are delivered at once', async (t) => {
  const { newApp, publish, view, bodies, answer } = await scene(t);
  const warnings = [];
  const note = (warning) => warnings.push(warning);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  let release = () => {};
  answer.hold = new Promise((resolve) => (release = resolve));
  const apps = Array.from({ length: 40 }, newApp);
  for (const app of apps) publish('worker.exited', {}, app);
  await until(() => bodies.length >= 16, 'the first ones');
  t.equal(bodies.length, 16);
  release();
  await until(() => apps.every((app) => view(app)[0].delivered === 1), 'all of them');
  t.equal(bodies.length, 40);
  t.same(warnings, []);
});

t.test('an app that is deleted is forgotten', async (t) => {
  const { events, newApp, untilDelivered } = await scene(t, { event: ['delete.ended'] });
  let deleted = newApp();
  const known = new WeakRef(deleted);
  deleted.deleted = true;
  events.onEvent(deleted, { type: 'delete.ended', at: Date.now() }, false);
  await untilDelivered(deleted);
  deleted = null;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  await until(() => (collect(), known.deref() === undefined), 'its memory to be free');
});

const errored = {
  ...{ type: 'worker.errored', at: 1_700_000_000_000, app: 'api', namespace: 'default', slot: 1 },
  reason: said('failed 16\ntimes\0'),
};
const NODE = process.execPath;
const never = new AbortController().signal;

function attempt(parts, { event = {}, ended = never, ...spec } = {}) {
  const notice = { event: { ...errored, ...event }, count: 3, firstAt: errored.at };
  const whole = alarm({ timeoutMs: 20_000, ...parts });
  return deliver(specWith(spec), whole, notice, '/the/home', ended);
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
  const text = String.raw`${hostname()}: api:1 errored: failed 16\x0atimes\x00 (3 events)`;
  t.same(input, { text, host: hostname(), count: 3, firstAt: errored.at, event: errored });
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

t.test('commands that fail, hang, or leave something behind', async (t) => {
  const cwd = t.testdir();
  const rows = [
    [['sh', '-c', 'echo "no\nluck" >&2; exit 3'], /exited with code 3: luck$/],
    [['sh', '-c', 'kill -TERM $$'], /was killed by SIGTERM$/],
    [['no-such-command'], 'no-such-command could not be started (ENOENT)'],
    [
      ['true', 'x'.repeat(200_000)],
      /E2BIG: an argument or variable, or all of them, are too large/,
    ],
    [['a\0b'], /could not be started \(ERR_INVALID_ARG_VALUE\)$/],
  ];
  for (const [run, reason] of rows) t.match(await attempt({ run }, { cwd }), reason, run[0]);
  const ended = { type: 'reload.ended', ok: false };
  const none = { ...ended, reason: null, failed: [{ reason: said('no disk') }] };
  const print = [
    'sh',
    '-c',
    'echo "$NODECLUSTER_EVENT_TEXT <$NODECLUSTER_EVENT_REASON>" >&2; exit 1',
  ];
  t.match(await attempt({ run: print }, { cwd, event: none }), /: no disk \(3 events\) <>$/);
  const event = { reason: said('x'.repeat(200_000)) };
  t.equal(await attempt({ run: ['true'] }, { event }), null, 'it reads nothing');
  const late = await attempt({ run: ['sleep', '100'], timeoutMs: 300 });
  t.equal(late, 'sleep did not exit within 0.3 s');
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
  const headers = {
    authorization: 'Bearer s3cret',
    ...{ 'content-type': 'application/json', 'user-agent': /^nodecluster\// },
  };
  t.match(requests[0], { method: 'POST', url: '/hook?x=1', headers });
  const { count, event } = JSON.parse(requests[0].body);
  t.match({ count, event }, { count: 3, event: { type: 'worker.errored', app: 'api' } });
  t.equal(await attempt({ post: '${NOWHERE}' }), 'the variable NOWHERE is not set');
  for (const headers of [{ 'a b': '${TOKEN}' }, { A: 'b\r\nC: ${TOKEN}' }]) {
    const wrong = await attempt({ post: '${HOOK}', headers }, { env });
    t.match(wrong, /header/i);
    t.notMatch(wrong, 's3cret');
  }
});

t.test('what servers answer, whatever it is', async (t) => {
  const { requests, port } = await serving(t, (request, response) => {
    const path = request.url.slice(1);
    const location = `http://127.0.0.1:${port}/200`;
    const flood = () => response.destroyed || response.write('x'.repeat(65536), flood);
    if (path === 'endless') flood();
    else if (path !== 'silent') response.writeHead(Number(path), { location }).end();
  });
  for (const [path, expected] of [
    ['200', null],
    ['204', null],
    ['307', 'the server answered 307'],
    ['404', 'the server answered 404'],
    ['endless', null],
    ['silent', 'no answer within 0.5 s'],
  ]) {
    const post = `http://127.0.0.1:${port}/${path}`;
    t.equal(await attempt({ post, timeoutMs: path === 'silent' ? 500 : 20_000 }), expected, path);
  }
  t.equal(requests.length, 6, 'no redirect was followed');
  const ending = new AbortController();
  const attempted = attempt({ post: `http://127.0.0.1:${port}/silent` }, { ended: ending.signal });
  setImmediate(() => ending.abort());
  t.match(await attempted, 'aborted');
  t.match(await attempt({ post: 'http://127.0.0.1:1/' }), /ECONNREFUSED/);
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';
  for (const [text, reason] of [
    [upgrade, /no answer within 0.5 s|RESET|EPIPE/],
    ['SSH-2.0-OpenSSH_9.2\r\n', /Parse Error|RESET|EPIPE/],
    ['', /hang up|closed|RESET|EPIPE/],
  ]) {
    const server = createNetServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(text));
    });
    const post = `http://127.0.0.1:${await listening(t, server)}/`;
    t.match(await attempt({ post, timeoutMs: 500 }), reason, JSON.stringify(text));
  }
});

t.test('a certificate must be trusted, whatever the environment says', async (t) => {
  const file = (name) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
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
