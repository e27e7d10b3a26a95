import t from 'tap';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { ask, beginTraffic, placeFor } from '../../src/clients/prove/measure.js';
import * as verdict from '../../src/clients/prove/verdict.js';
import { listening } from '../support/listening.js';
import { until } from '../support/until.js';

const tls = (name) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

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

const PLAIN = { width: null, colours: false };
const KILLED_AT = 10_000;
const usual = { status: null, code: '', reused: false, askedAt: KILLED_AT - 5, waitMs: 900 };
const answered = (status = 200, waitMs = 5) => ({ ...usual, askedAt: KILLED_AT, status, waitMs });
const lost = (code, more = {}) => ({ ...usual, code, ...more });
const killed = (kind) => ({ kind, exitedAt: KILLED_AT });

const late = lost('ECONNRESET', { askedAt: KILLED_AT + 50, reused: true });
const kept = lost('ECONNRESET', { reused: true });
const rows = [
  ['a status of the app', [answered(503), answered()], null, [1, 0]],
  ['404, as before', [answered(404)], null, [0, 0], [404]],
  ['404, which is new', [answered(404)], null, [1, 0]],
  ['a limited rate', [answered(429)], null, [0, 0]],
  ['reset in a reload', [lost('ECONNRESET')], null, [1, 0]],
  ['sent to the worker that was killed', [lost('ECONNRESET')], killed('worker'), [1, 1]],
  ['being sent to it on a unix socket', [lost('EPIPE')], killed('worker'), [1, 1]],
  ['refused', [lost('ECONNREFUSED')], killed('worker'), [1, 0]],
  ['503 of a dead worker', [answered(503)], killed('worker'), [1, 0]],
  ['sent later', [lost('ECONNRESET', { askedAt: KILLED_AT + 1 })], killed('worker'), [1, 0]],
  ['sent on a kept connection before its end was seen', [late], killed('worker'), [1, 1]],
  ['accepted by the primary', [lost('ECONNRESET')], killed('primary'), [1, 1]],
  ['a worker has it when the primary is killed', [kept], killed('primary'), [1, 0]],
  ['nothing goes through the daemon', [lost('ECONNRESET')], killed('other'), [1, 0]],
];
for (const [name, asked, loss, [all, inFlight], known = []] of rows) {
  const event = verdict.eventOf('worker', asked, { known: new Set([200, ...known]), loss });
  t.match(event, { requests: asked.length, lost: all, inFlight }, name);
  t.equal(verdict.lostBeyond(event), all - inFlight, name);
  t.equal(verdict.isProven([event]), all === inFlight, name);
}

t.test('an event that fails proves nothing', async (t) => {
  const event = verdict.eventOf('reload', [answered()], { known: new Set(), trouble: 'it failed' });
  t.equal(verdict.isProven([event]), false);
});

t.test('what is shown', async (t) => {
  const known = new Set([200]);
  const all = [
    verdict.eventOf('before', [answered(), answered()], { known }),
    verdict.eventOf('reload', [answered(200, 31)], { known, wholeMs: 2310 }),
    verdict.eventOf('worker', [answered(), lost('ECONNRESET')], {
      known,
      loss: killed('worker'),
      wholeMs: 90,
    }),
  ];
  const late = { wholeMs: 65_000, trouble: 'the app was not whole again within 60 s' };
  const refused = lost('ECONNREFUSED');
  const failed = verdict.eventOf('daemon', [refused, refused, answered(503)], { known, ...late });
  t.matchSnapshot(verdict.renderEvents([...all, failed], PLAIN), 'table');
  t.matchSnapshot(verdict.renderVerdict('api', all.slice(0, 2), PLAIN), 'nothing lost');
  t.matchSnapshot(verdict.renderVerdict('api', all, PLAIN), 'lost in flight');
  t.matchSnapshot(verdict.renderVerdict('api', [...all, failed], PLAIN), 'not proven');
});

const appOn = (...listeners) => {
  const listening = listeners.map(([address, protocol = 'http']) =>
    protocol === null ? { address } : { address, protocol },
  );
  return { name: 'api', workers: [{ listening }] };
};
const places = [
  [[['*:3000']], {}, 'http://127.0.0.1:3000/'],
  [[['0.0.0.0:3000'], ['[::]:3000']], {}, 'http://[::1]:3000/'],
  [[['10.0.0.5:3000', 'https']], {}, 'https://10.0.0.5:3000/'],
  [[['*:3000'], ['*:9000', null]], {}, 'http://127.0.0.1:3000/'],
  [[['/run/api.sock']], { url: '/a' }, '/a on /run/api.sock'],
  [[], { url: 'https://shop.example/x' }, 'https://shop.example/x'],
];
for (const [listeners, options, text] of places)
  t.equal(placeFor(appOn(...listeners), options).text, text, text);

t.test('what cannot be requested', async (t) => {
  const app = appOn(['*:3000'], ['*:9000']);
  t.throws(() => placeFor(app, {}), {
    code: 'E_USAGE',
    message: /listens on \*:3000, \*:9000/,
  });
  const zone = { code: 'E_USAGE', message: /listens on \[fe80::1%eth0\]:3000/ };
  t.throws(() => placeFor(appOn(['[fe80::1%eth0]:3000']), {}), zone);
  t.throws(() => placeFor(appOn(), {}), { code: 'E_USAGE', message: /no worker listens/ });
  for (const url of ['ftp://x/', 'localhost:3000', 'x']) {
    t.throws(() => placeFor(app, { url }), { code: 'E_USAGE' }, url);
  }
  t.equal(placeFor(app, { url: 'https://x/' }).how.rejectUnauthorized, undefined, 'Node checks it');
});
