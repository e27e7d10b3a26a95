/** `npm run docs:site`: a site that works as files, without a server, at any address. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../../support/sources.js';
import { faultsOf, loadAxe } from '../browser/axe.js';
import { openBrowser, openPage, skip as noBrowser } from '../browser/browser.js';

const SITE = join(ROOT, 'site');
const PYTHON = join(ROOT, 'node_modules/.cache/docs-site/bin/python');
/** Those with the most kinds of content: text, tables, examples, pictures. */
const LOOKED_AT = [
  'docs/README',
  'docs/explanations/how-a-worker-is-judged',
  'docs/guides/metrics',
  'docs/decisions/README',
];
/** They are made for each site, or lead to the first page, and are no page of ours. */
const EXTRA = ['genindex.html', 'search.html', 'index.html'];

t.test('the site', { skip: noBrowser || noGenerator() }, async (t) => {
  execFileSync(join(ROOT, 'packaging/site/build.sh'), { stdio: ['ignore', 'ignore', 'inherit'] });
  const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((file) => file.endsWith('.html') && !EXTRA.includes(file)).sort();
  const browser = await openBrowser(t);
  const { page, problems } = await openPage(browser, { viewport: { width: 390, height: 800 } });
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) problems.push(`requests ${request.url()}`);
  });
  page.on('requestfailed', (request) => problems.push(`does not find ${request.url()}`));
  const open = (file) => page.goto(address(file));

  await t.test('each page: links lead somewhere, nothing is wider than a phone', async (t) => {
    const broken = [];
    const wide = [];
    for (const file of pages) {
      await open(file);
      const { links, width } = await page.evaluate(readPage);
      broken.push(...links.filter((link) => !leadsSomewhere(link)).map((to) => `${file} → ${to}`));
      if (width > 390) wide.push(file);
    }
    t.ok(pages.length > 50);
    t.same(broken, []);
    t.same(wide, []);
  });

  await t.test('each page is in the sidebar of each', async (t) => {
    await open('docs/decisions/why.html');
    const listed = await page.evaluate(readSidebar);
    const named = listed.map((link) => fileURLToPath(link.replace(/#.*/, '')));
    const others = pages.map((file) => join(SITE, file)).filter((path) => !named.includes(path));
    t.same(others, []);
  });

  await t.test('the search finds a setting', async (t) => {
    await open('docs/README.html');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByPlaceholder('Search').fill('hang_timeout');
    await page.keyboard.press('Enter');
    await page.locator('#search-results a').filter({ hasText: 'hang_timeout' }).first().click();
    await page.waitForURL(/#/);
    t.match(page.url(), /docs\/reference\/configuration\.html#/);
  });

  t.same(problems, []);

  await t.test('axe finds nothing serious, in both colour schemes and at two widths', async (t) => {
    // axe itself asks for the style sheets, which a page from a file may not.
    const { page } = await openPage(browser);
    for (const name of LOOKED_AT) {
      await page.goto(address(`${name}.html`));
      await loadAxe(page);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          t.same(await faultsOf(page), [], `${name}, ${width} px, ${colorScheme}`);
        }
      }
    }
  });
});

function address(file) {
  return pathToFileURL(join(SITE, file)).href;
}

/** In the browser. */
function readPage() {
  const links = [...document.querySelectorAll('a[href]')].map(({ href }) => href);
  // The theme lets the text scroll, not the page.
  const parts = [document.documentElement, ...document.querySelectorAll('.content')];
  return { links, width: Math.max(...parts.map(({ scrollWidth }) => scrollWidth)) };
}

/** In the browser. */
function readSidebar() {
  return [...document.querySelectorAll('.sidebar-drawer a')].map(({ href }) => href);
}

/** Of each page that was asked for: the names of its places. */
const places = new Map();

function leadsSomewhere(link) {
  if (!link.startsWith('file:')) return /^https?:/.test(link);
  const { pathname, hash } = new URL(link);
  const path = decodeURIComponent(pathname);
  if (!path.startsWith(`${SITE}/`) || !existsSync(path)) return false;
  if (hash === '') return true;
  if (!places.has(path)) {
    const ids = readFileSync(path, 'utf8').matchAll(/\bid="([^"]+)"/g);
    places.set(path, new Set([...ids].map(([, id]) => id)));
  }
  return places.get(path)?.has(decodeURIComponent(hash.slice(1)));
}

function noGenerator() {
  try {
    execFileSync(PYTHON, ['-c', 'import furo, myst_parser'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'Sphinx is not installed: npm run docs:site';
  }
}
