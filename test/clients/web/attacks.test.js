/** Attacks on the server of the page and its answers. No daemon runs: nothing gets that far. */
import t from 'tap';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { homePaths } from '../../../src/shared/home.js';
import { readPlace } from '../../../src/clients/web/site.js';
import { serveWeb } from '../../../src/clients/web/serve.js';
import { freePort } from '../../support/ports.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { webClient } from '../../support/web/client.js';

async function serve(t, place = {}) {
  const home = temporaryDirectory(t);
  const port = await freePort();
  const verdicts = [];
  const given = readPlace({ listen: `127.0.0.1:${port}`, ...place });
  const onLink = (verdict) => verdicts.push(verdict);
  const web = await serveWeb(homePaths(home), given, { isReadOnly: false, onLink });
  t.teardown(() => web.close());
  return { home, web, port, verdicts, client: webClient({ port }) };
}

t.test('a link signs in once, and its cookie is for this page alone', async (t) => {
  const { web, port, client, verdicts } = await serve(t);
  const link = web.makeLink();
  t.match(link, new RegExp(`^http://127\\.0\\.0\\.1:${port}/#token=[\\w-]{43}$`));
  t.match(await client.ask('/api/session'), { status: 401, body: /Open the newest link/ });
  const { headers } = await client.signIn(link);
  const own = new RegExp(`^nodecluster-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`);
  t.match(String(headers['set-cookie']), own);
  t.match(await client.ask('/api/session'), { status: 204 });
  const thief = webClient({ port });
  await t.rejects(thief.signIn(link), /401 This link was used before/);
  await t.rejects(thief.signIn(`#token=${'x'.repeat(43)}`), /401 This link is not valid/);
  t.match(await thief.post('/api/session', { token: 7 }), { status: 401 });
  t.same(verdicts, ['ok', 'used', 'unknown', 'unknown']);
  const { cookie, 'x-nodecluster-key': key } = client.session;
  const withKey = { 'x-nodecluster-key': key };
  for (const [headers, status, what] of [
    [{ cookie }, 401, 'cookie alone'],
    [withKey, 401, 'key alone'],
    [{ cookie, ...withKey }, 204, 'both'],
  ])
    t.match(await thief.ask('/api/session', { headers }), { status }, what);
  t.match(await client.ask('/api/session', { method: 'DELETE' }), { status: 204 });
  t.match(await client.ask('/api/session'), { status: 401 });
});

t.test('everything but the files of the page needs a session', async (t) => {
  const { client } = await serve(t);
  const paths = ['session', 'events', 'details?app=api', 'logs?target=api', 'past'];
  for (const each of paths) t.match(await client.ask(`/api/${each}`), { status: 401 }, each);
  t.match(await client.post('/api/actions', { action: 'stop', target: 'api' }), { status: 401 });
  const page = await client.ask('/');
  t.match(page, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  t.match(await client.ask('/index.html', { method: 'HEAD' }), { status: 200, body: '' });
  const etag = { 'if-none-match': page.headers.etag };
  t.match(await client.ask('/', { headers: etag }), { status: 304, body: '' });
});

t.test('the headers of every answer', async (t) => {
  const { client } = await serve(t);
  for (const each of ['/', '/api/session', '/none']) {
    const { headers } = await client.ask(each);
    const policy = String(headers['content-security-policy']);
    for (const what of ['default-src', 'frame-ancestors', 'base-uri', 'form-action']) {
      t.ok(policy.split('; ').includes(`${what} 'none'`), `${each} ${what}`);
    }
    for (const what of ['script-src', 'style-src', 'connect-src']) {
      t.ok(policy.split('; ').includes(`${what} 'self'`), `${each} ${what}`);
    }
    t.notMatch(policy, /unsafe|\*/);
    t.match(headers, {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    t.notOk(headers['access-control-allow-origin']);
  }
});

t.test('names of other servers are refused before anything else', async (t) => {
  const { client } = await serve(t);
  for (const each of ['/', '/api/session', '/none']) {
    const reply = await client.ask(each, { headers: { host: 'evil.example' } });
    t.match(reply, { status: 403, body: /name of the server is not allowed/ }, each);
  }
});

t.test('requests of other sites are refused, with a session too', async (t) => {
  const { client, web } = await serve(t);
  await client.signIn(web.makeLink());
  const stop = (headers) =>
    client.post('/api/actions', { action: 'stop', target: 'a' }, { headers });
  t.match(await stop({ origin: 'http://evil.example' }), { status: 403, body: /another site/ });
  const others = { headers: { 'sec-fetch-site': 'same-site' } };
  t.match(await client.ask('/api/events', others), { status: 403 });
  t.match(await stop({ 'content-type': 'text/plain' }), { status: 415 });
  t.match(await stop({}), { status: 204 }, 'its own gets through');
});

t.test('paths and methods that are not there', async (t) => {
  const { client, web } = await serve(t);
  await client.signIn(web.makeLink());
  for (const each of [
    ...['/../../package.json', '/%2e%2e/%2e%2e/package.json', '/..%2f..%2fpackage.json'],
    ...['//etc/passwd', '/constructor', '/api/__proto__', '/api/details?app=..%2f..', '*'],
  ]) {
    const { status, body } = await client.ask(each);
    t.ok([400, 404, 503].includes(status), `${each}: ${status}`);
    t.notMatch(body, /"hostname"|root:|import /, each);
  }
  for (const [method, each, allow] of [
    ['POST', '/', 'GET, HEAD'],
    ['OPTIONS', '/api/actions', 'POST'],
    ['DELETE', '/api/events', 'GET'],
  ]) {
    const reply = await client.ask(each, { method });
    t.match(reply, { status: 405, headers: { allow } }, `${method} ${each}`);
  }
});

t.test('bodies that are too large or no JSON', async (t) => {
  const { client, web } = await serve(t);
  const send = (body) => client.ask('/api/session', { method: 'POST', body });
  t.match(await send(`{"token":"${'x'.repeat(5_000_000)}"}`), { status: 413 });
  t.match(await send('{'), { status: 400, body: /not a JSON object/ });
  t.match(await send('[]'), { status: 400 });
  t.match(await send('null'), { status: 400 });
  t.match(await send('{"__proto__":{"token":"x"}}'), { status: 401 });
  await client.signIn(web.makeLink());
  const big = await client.ask(`/api/session?${'x'.repeat(20_000)}`);
  t.equal(big.status, 431);
});

t.test('a flood of connections that say nothing does not close the page', async (t) => {
  const { port, client, web } = await serve(t);
  await client.signIn(web.makeLink());
  const page = await client.stream('/api/events');
  await page.next('snapshot');
  const flood = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(flood.map((socket) => once(socket, 'connect')));
  for (const socket of flood) socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ');
  t.match(await client.ask('/api/session'), { status: 204 }, 'and new requests are answered');
  t.notOk(page.response.destroyed);
  for (const socket of flood) socket.destroy();
  page.close();
});

t.test('idle connections of somebody who is signed in do not keep the next one out', async (t) => {
  const { client, web, port } = await serve(t);
  await client.signIn(web.makeLink());
  const page = await client.stream('/api/events');
  await page.next('snapshot');
  const idle = Array.from({ length: 63 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  const { cookie, 'x-nodecluster-key': key } = client.session;
  const asked = `GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nX-Nodecluster-Key: ${key}\r\n\r\n`;
  for (const socket of idle) socket.write(asked);
  for (const answer of await Promise.all(idle.map((socket) => once(socket, 'data')))) {
    t.match(String(answer), /^HTTP\/1.1 204/);
  }
  t.match(await client.ask('/api/session'), { status: 204 });
  t.notOk(page.response.destroyed, 'nor does the next one close a page');
  for (const socket of idle) socket.destroy();
  page.close();
});

t.test('behind a proxy only its name and its path exist', async (t) => {
  const { client, web, port } = await serve(t, { behindProxy: 'https://ops.example/nodecluster' });
  t.match(web.makeLink(), /^https:\/\/ops\.example\/nodecluster\/#token=/);
  const host = 'ops.example';
  t.match(await client.ask('/nodecluster/', { headers: { host } }), { status: 200 });
  t.match(await client.ask('/', { headers: { host } }), { status: 404 });
  const moved = await client.ask('/nodecluster', { headers: { host } });
  t.match(moved, { status: 308, headers: { location: '/nodecluster/' } });
  const direct = { host: `127.0.0.1:${port}` };
  const forwarded = { ...direct, 'x-forwarded-host': host, forwarded: `host=${host}` };
  t.match(await client.ask('/nodecluster/', { headers: forwarded }), { status: 403 });
  const headers = { host, origin: 'https://ops.example' };
  const token = web.makeLink().split('#token=')[1];
  const reply = await client.post('/nodecluster/api/session', { token }, { headers });
  const cookie = String(reply.headers['set-cookie']);
  t.match(cookie, /; Path=\/nodecluster\/; HttpOnly; SameSite=Strict; Secure$/);
});

t.test('a unix socket is for its user alone', async (t) => {
  const directory = temporaryDirectory(t);
  const socketPath = path.join(directory, 'web.sock');
  const { web } = await serve(t, { listen: `unix:${socketPath}` });
  t.equal(statSync(socketPath).mode & 0o777, 0o600);
  const client = webClient({ socketPath });
  await client.signIn(web.makeLink());
  t.match(await client.ask('/api/session'), { status: 204 });
  web.removeSocket();
  t.throws(() => statSync(socketPath));
});
