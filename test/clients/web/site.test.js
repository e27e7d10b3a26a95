import t from 'tap';
import { bundlePage } from '../../../scripts/bundle-page.js';
import * as sites from '../../../src/clients/web/site.js';
import { projectFiles } from '../../support/sources.js';

const LOCAL = { listen: '127.0.0.1:9477' };
const PROXY = { listen: '9477', behindProxy: 'https://ops.example/nodecluster' };

t.test('where it may be served', async (t) => {
  const read = (listen, behindProxy) => () => sites.readPlace({ listen, behindProxy });
  for (const listen of ['9477', '[::1]:9477', 'unix:/run/web.sock'])
    t.doesNotThrow(read(listen), listen);
  for (const listen of ['unix:web.sock', 'here'])
    t.throws(read(listen), { message: /it is not an address/ }, listen);
  for (const host of ['0.0.0.0', '[::]', '10.0.0.5', 'ops.example', '127.evil.example'])
    t.throws(read(`${host}:9477`), { message: /without TLS, anyone/ }, host);
  t.doesNotThrow(read('10.0.0.5:9477', 'https://ops.example/'), 'behind a proxy');
  const proxies = ['', 'ftp://', 'https://me:pw@'].map((start) => `${start}ops.example`);
  for (const proxy of [...proxies, 'https://ops.example/?a'])
    t.throws(read('9477', proxy), { message: /is not the URL of a page/ }, proxy);
});

t.test('the Host of a request', async (t) => {
  const [local, proxy] = [LOCAL, PROXY].map((place) => sites.siteOf(sites.readPlace(place)));
  // The port may be a forwarded one.
  for (const host of ['127.0.0.1:9477', 'localhost:9477', 'localhost:8000', '[::1]:9477'])
    t.ok(local.isOwnHost(host), host);
  const like = ['localhost.evil.example:9477', '127.0.0.1.evil.example'];
  for (const host of [...like, '127.0.0.1:9477@evil.example', 'evil.example:9477', undefined])
    t.notOk(local.isOwnHost(host), host);
  for (const host of ['ops.example', 'OPS.example:443']) t.ok(proxy.isOwnHost(host), host);
  for (const host of ['localhost:9477', '127.0.0.1:9477', 'evil.example', 'x y', undefined])
    t.notOk(proxy.isOwnHost(host), `${host}: only the proxy`);
});

t.test('the origin of a request to the API', async (t) => {
  const own = 'http://127.0.0.1:9477';
  const rows = [
    [LOCAL, true, { origin: own }, true],
    [LOCAL, true, { origin: own, 'sec-fetch-site': 'same-origin' }, true],
    [LOCAL, true, {}, false, 'a change must say where it comes from'],
    [LOCAL, false, {}, true],
    [LOCAL, false, { 'sec-fetch-site': 'same-origin' }, true],
    [LOCAL, false, { 'sec-fetch-site': 'none' }, false],
    [LOCAL, false, { 'sec-fetch-site': 'same-site' }, false, 'another port of this machine'],
    [LOCAL, true, { origin: own, 'sec-fetch-site': 'cross-site' }, false],
    [LOCAL, true, { origin: 'http://127.0.0.1:1234' }, false],
    [LOCAL, true, { origin: 'http://localhost:9477' }, false, 'another name than in Host'],
    [LOCAL, true, { origin: 'https://127.0.0.1:9477' }, false],
    [LOCAL, true, { origin: 'null' }, false, 'a file, or a frame without an origin'],
    [LOCAL, false, { origin: 'http://evil.example' }, false],
    [PROXY, true, { origin: 'https://ops.example' }, true],
    [PROXY, true, { origin: 'http://ops.example' }, false],
    [PROXY, true, { origin: 'https://127.0.0.1:9477' }, false],
  ];
  for (const [place, isChange, headers, passes, why = ''] of rows) {
    const site = sites.siteOf(sites.readPlace(place));
    const isForeign = sites.isForeign({ host: '127.0.0.1:9477', ...headers }, site, isChange);
    t.equal(!isForeign, passes, `${place.listen} ${JSON.stringify(headers)} ${why}`);
  }
});

t.test('cookies', async (t) => {
  const [local, proxy] = [LOCAL, PROXY].map((place) => sites.siteOf(sites.readPlace(place)));
  t.equal(sites.cookieFor('n', 'v', local), 'n=v; Path=/; HttpOnly; SameSite=Strict');
  const secure = 'n=v; Path=/nodecluster/; HttpOnly; SameSite=Strict; Secure';
  t.equal(sites.cookieFor('n', 'v', proxy), secure);
  t.equal(sites.cookieFor('n', '', local), 'n=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  const named = (cookie) => sites.cookieNamed({ cookie }, 'n');
  for (const cookie of ['n=1', 'a=2; n=1; b=3']) t.equal(named(cookie), '1', cookie);
  for (const cookie of [undefined, 'nn=1', 'n=1; n=2']) t.equal(named(cookie), null, cookie);
  t.equal(named('n=a=b'), 'a=b');
});

const PAGE = 'src/clients/web/page/';
const { inputs } = bundlePage();

t.test('the page loads each of its files, and no package but those that draw', async (t) => {
  const own = projectFiles().filter((path) => path.startsWith(PAGE) && /\.(js|css)$/.test(path));
  const wrong = own.filter((path) => !inputs.includes(path));
  t.same(wrong, []);
  const packages = inputs.flatMap((path) => /^node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
  t.same([...new Set(packages)].sort(), ['htm', 'preact']);
});
