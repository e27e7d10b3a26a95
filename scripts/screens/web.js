/**
 * Takes the pictures of `nodecluster web` in docs/screens/: five situations, at two widths, in both
 * colour schemes, and a canary. It needs Chromium, and pngquant in PATH. npm run screens:web
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage } from '../../test/e2e/browser/browser.js';
import { startWeb } from '../../test/e2e/browser/web.js';
import { inHome } from '../../test/support/home.js';
import { freePorts } from '../../test/support/ports.js';
import { until } from '../../test/support/until.js';
import { startLoad } from './load.js';
import { startReport, startShop } from './start-shop.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { testHome } from '../../test/support/home.js'
 * @import { ShopApp } from './start-shop.js'
 */

/** @typedef {ReturnType<typeof testHome>} Home */

const PICTURES = fileURLToPath(new URL('../../docs/screens/', import.meta.url));
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
/** One worker of `web` crashes as soon as it starts. @type {ShopApp[]} */
const APPS = [
  { name: 'api', workers: '8', env: { START_MS: '1500' } },
  { name: 'search', workers: '2..4' },
  { name: 'web', workers: '2', env: { CRASH_SLOT: '1' } },
  { name: 'mailer', workers: '1' },
];
const SCHEMES = /** @type {const} */ (['light', 'dark']);
/** Long enough for the curves of the table and of the charts. */
const WARM_MS = 75_000;

await inHome(async (home) => {
  const ports = await freePorts(APPS.length);
  const stopLoad = startLoad(ports);
  /** @type {(() => unknown)[]} */
  const ends = [stopLoad];
  const owner = { teardown: (/** @type {() => unknown} */ end) => ends.push(end) };
  try {
    await startShop(home, APPS, ports, ['--min-uptime', '3s']);
    await until(async () => (await home.appNamed('api')).status === 'online', 'api');
    await startReport(home);
    const web = await startWeb(home, owner);
    const { page } = await openPage(await openBrowser(owner), { reducedMotion: 'reduce' });
    await page.goto(web.link);
    await page.locator('tbody tr').first().waitFor();
    mkdirSync(PICTURES, { recursive: true });
    await takeAll(home, page);
  } finally {
    for (const end of ends.reverse()) await end();
  }
});

/** @param {Home} home @param {Page} page */
async function takeAll(home, page) {
  await pause(WARM_MS / 2);
  await home.ok(['reload', 'api']);
  const [victim] = await home.pidsOf('api');
  await pause(WARM_MS / 4);
  process.kill(victim, 'SIGKILL');
  await pause(WARM_MS / 4);
  await take(home, page, 'overview', '#/', 'tbody tr');
  await take(home, page, 'app', '#/app/api', '.chart svg', true);
  await take(home, page, 'crashes', '#/app/web', '.trouble');
  await page.evaluate(() => (location.hash = '#/logs/api'));
  await page.locator('#search').fill('payment');
  await take(home, page, 'logs', '#/logs/api', 'mark');
  const judged = home.begin(['reload', 'api', '--canary', '1', '--for', '30s', '--max-p99', '5x']);
  await page.evaluate(() => (location.hash = '#/app/api'));
  const canary = 'section[aria-label=Canary]';
  await page
    .locator(canary)
    .getByText(/^1\ds$/)
    .waitFor({ timeout: 60_000 });
  await take(home, page, 'canary', '#/app/api', canary);
  await judged.ended;
  const reload = home.begin(['reload', 'api']);
  await page.evaluate(() => (location.hash = '#/app/api'));
  await page.getByText('online, new').first().waitFor();
  await take(home, page, 'reload', '#/app/api', 'tbody tr');
  await reload.ended;
}

/**
 * @param {Home} home
 * @param {Page} page
 * @param {string} name
 * @param {string} hash
 * @param {string} shows what must be there
 * @param {boolean} [isBelow] whether it is further down
 */
async function take(home, page, name, hash, shows, isBelow = false) {
  await page.evaluate((to) => (location.hash = to), hash);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(shows).first().waitFor();
      if (isBelow)
        await page
          .locator(shows)
          .first()
          .evaluate((it) => it.scrollIntoView({ block: 'center' }));
      else await page.evaluate(() => scrollTo(0, 0));
      await page.evaluate(showDirectory, home.root);
      const input = await page.screenshot();
      const png = execFileSync('pngquant', ['--nofs', '256', '-'], { input });
      const file = `web-${name}-${size.width}-${colorScheme}.png`;
      writeFileSync(join(PICTURES, file), png);
      console.log(`docs/screens/${file}: ${(png.length / 1024).toFixed(0)} kB`);
    }
  }
}

/**
 * Runs in the page.
 * @param {string} root a temporary directory, which says nothing
 */
function showDirectory(root) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode);
    if (text.data.includes(root)) text.data = text.data.replaceAll(root, '/srv/shop');
  }
}
