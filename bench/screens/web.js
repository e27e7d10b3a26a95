/**
 * Takes the pictures of `nodecluster web` in docs/screens/: five situations, at two widths, in both
 * colour schemes. It needs Chromium. node bench/screens/web.js
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage } from '../../test/e2e/web/browser.js';
import { startWeb } from '../../test/e2e/web/web.js';
import { freePorts } from '../../test/support/ports.js';
import { until } from '../../test/support/until.js';
import { inHome } from '../bench-home.js';
import { smallPng } from './small-png.js';
import { startLoad } from './load.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { testHome } from '../../test/support/home.js'
 */

/** @typedef {ReturnType<typeof testHome>} Home */

const SHOP = fileURLToPath(new URL('./shop.cjs', import.meta.url));
const PICTURES = fileURLToPath(new URL('../../docs/screens/', import.meta.url));
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const SCHEMES = /** @type {const} */ (['light', 'dark']);
/** Long enough for the curves of the table and of the charts. */
const WARM_MS = 75_000;

await inHome(async (home) => {
  const ports = await freePorts(3);
  const stopLoad = startLoad(ports);
  /** @type {(() => unknown)[]} */
  const ends = [stopLoad];
  const owner = { teardown: (/** @type {() => unknown} */ end) => ends.push(end) };
  try {
    await startShop(home, ports);
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
  await take(page, 'overview', '#/', 'tbody tr');
  await take(page, 'app', '#/app/api', '.mark-band');
  await take(page, 'crashes', '#/app/web', '.exit pre', true);
  await page.evaluate(() => (location.hash = '#/logs/api'));
  await page.locator('#search').fill('payment');
  await take(page, 'logs', '#/logs/api', 'mark');
  const reload = home.begin(['reload', 'api']);
  await page.evaluate(() => (location.hash = '#/app/api'));
  await page.getByText('wave 1').first().waitFor();
  await take(page, 'reload', '#/app/api', '.steps');
  await reload.ended;
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {string} hash
 * @param {string} shows what must be there
 * @param {boolean} [isBelow] whether it is further down
 */
async function take(page, name, hash, shows, isBelow = false) {
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
      const png = smallPng(await page.screenshot());
      const file = `web-${name}-${size.width}-${colorScheme}.png`;
      writeFileSync(join(PICTURES, file), png);
      console.log(`docs/screens/${file}: ${(png.length / 1024).toFixed(0)} kB`);
    }
  }
}

/**
 * Three apps; one worker of `web` crashes as soon as it starts.
 * @param {Home} home
 * @param {number[]} ports
 */
async function startShop({ run, root, appNamed }, ports) {
  copyFileSync(SHOP, join(root, 'shop.cjs'));
  /** @type {{name: string, workers: number, env: Record<string, string>}[]} */
  const apps = [
    { name: 'api', workers: 8, env: { START_MS: '1500' } },
    { name: 'web', workers: 2, env: { CRASH_SLOT: '1' } },
    { name: 'mailer', workers: 1, env: {} },
  ];
  for (const [index, { name, workers, env }] of apps.entries()) {
    const args = ['start', 'shop.cjs', '--name', name, '-i', String(workers)];
    const restarts = ['--max-restarts', '1000', '--max-restart-delay', '5m'];
    await run([...args, '-k', '2s', '--min-uptime', '3s', ...restarts], {
      env: { PORT: String(ports[index]), ...env },
    });
  }
  await until(async () => (await appNamed('api')).status === 'online', 'api');
}
