import t from 'tap';
import { bundlePage } from '../../../scripts/bundle-page.js';
import { readAssets } from '../../../src/clients/web/respond.js';
import * as sites from '../../../src/clients/web/site.js';
import { projectFiles } from '../../support/sources.js';

const LOCAL = { listen: '127.0.0.1:9477' };
const PROXY = { listen: '9477', behindProxy: 'https://ops.example/nodecluster' };

t.test('where it may be served', async (t) => {
  const places = [
    ['9477', {}, null],
    ['[::1]:9477', {}, null],
    ['unix:/run/web.sock', {}, null],
    ['unix:web.sock', {}, 'E_LISTEN_ADDRESS'],
    ['here', {}, 'E_LISTEN_ADDRESS'],
    ['0.0.0.0:9477', {}, 'E_WEB_PUBLIC'],
    ['[::]:9477', {}, 'E_WEB_PUBLIC'],
    ['10.0.0.5:9477', {}, 'E_WEB_PUBLIC'],
    ['ops.example:9477', {}, 'E_WEB_PUBLIC'],
    ['127.evil.example:9477', {}, 'E_WEB_PUBLIC'],
    ['10.0.0.5:9477', { behindProxy: 'https://ops.example/' }, null],
    ['9477', { behindProxy: 'ops.example' }, 'E_WEB_PROXY_URL'],
    ['9477', { behindProxy: 'ftp://ops.example/' }, 'E_WEB_PROXY_URL'],
    ['9477', { behindProxy: 'https://me:pw@ops.example/' }, 'E_WEB_PROXY_URL'],
    ['9477', { behindProxy: 'https://ops.example/?a' }, 'E_WEB_PROXY_URL'],
  ];
  for (const [listen, more, code] of places) {
    const read = () => sites.readPlace({ listen, ...more });
    const name = `${listen} ${more.behindProxy ?? ''}`;
    if (code === null) t.doesNotThrow(read, name);
    else t.throws(read, { code }, name);
  }
});

t.test('the Host of a request', async (t) => {
  const rows = [
    [LOCAL, '127.0.0.1:9477', true],
    [LOCAL, 'localhost:9477', true],
    [LOCAL, 'localhost:8000', true, 'through a forwarded port'],
    [LOCAL, '[::1]:9477', true],
    [LOCAL, undefined, false],
    [LOCAL, 'evil.example:9477', false],
    [LOCAL, 'localhost.evil.example:9477', false],
    [LOCAL, '127.0.0.1.evil.example', false],
    [LOCAL, '127.0.0.1:9477@evil.example', false],
    [PROXY, 'ops.example', true],
    [PROXY, 'OPS.example:443', true],
    [PROXY, 'localhost:9477', false, 'only the proxy'],
    [PROXY, '127.0.0.1:9477', false],
    [PROXY, 'evil.example', false],
    [PROXY, 'x y', false],
    [PROXY, undefined, false],
  ];
  for (const [place, host, passes, why = ''] of rows) {
    const { isOwnHost } = sites.siteOf(sites.readPlace(place));
    t.equal(isOwnHost(host), passes, `${place.listen} ${host} ${why}`);
  }
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
  t.equal(
    sites.cookieFor('n', 'v', proxy),
    'n=v; Path=/nodecluster/; HttpOnly; SameSite=Strict; Secure',
  );
  t.equal(sites.cookieFor('n', '', local), 'n=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  const rows = [
    [undefined, null],
    ['n=1', '1'],
    ['a=2; n=1; b=3', '1'],
    ['nn=1', null],
    ['n=1; n=2', null],
    ['n=a=b', 'a=b'],
  ];
  for (const [cookie, value] of rows)
    t.equal(sites.cookieNamed({ cookie }, 'n'), value, String(cookie));
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

t.test('a browser gets three files', async (t) => {
  const assets = await readAssets();
  t.same([...assets.keys()], ['index.html', 'bundle.css', 'bundle.js']);
  for (const [name, { body }] of assets) t.ok(body.length > 0, name);
});
