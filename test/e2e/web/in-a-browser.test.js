/** The page of `nodecluster web` in a browser, with a real daemon behind it. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { openBrowser, openPage, skip } from './browser.js';
import { startWeb } from './web.js';

const PROGRAM = `
const http = require('node:http');
console.log('<img src=x onerror="document.title=\\'hacked\\'"> \\u001b[31mred\\u001b[0m');
console.log('ready to serve');
http.createServer((request, response) => response.end('ok')).listen(process.env.PORT);
`;
const CRASHES = `console.error('the database is <b>gone</b>'); process.exit(3);`;

t.test('the page', { skip }, async (t) => {
  const home = testHome(t);
  writeFileSync(join(home.root, 'shop.js'), PROGRAM);
  writeFileSync(join(home.root, 'crash.js'), CRASHES);
  const env = { PORT: String(await freePort()) };
  await home.ok(['start', 'shop.js', '--name', 'api', '-i', '2', '-k', '2s'], { env });
  await home.run(['start', 'crash.js', '--name', 'job', '--max-restarts', '3']);
  const web = await startWeb(home, t);
  const browser = await openBrowser(t);
  const { page, problems } = await openPage(browser);
  await page.goto(web.link);
  const table = page.getByRole('treegrid');

  await t.test('the table shows every app and worker; the token leaves the address', async (t) => {
    await table.getByText('2 online').waitFor();
    const keys = await table
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.dataset.key));
    t.same(keys.sort(), ['api', 'api:0', 'api:1', 'job']);
    t.equal(new URL(page.url()).hash, '');
    await table
      .locator('[data-key=job]')
      .getByText(/errored: the database is <b>gone<\/b>/)
      .waitFor();
    const cells = table.locator('[data-key="api:0"]').getByRole('gridcell');
    await cells.filter({ hasText: /^\s*[\d.]+M\s*$/ }).waitFor();
    await table.locator('[data-key="api:0"] .spark path').first().waitFor({ state: 'attached' });
    await table.getByTitle('HTTP requests answered', { exact: true }).getByText('req/s').waitFor();
  });

  await t.test('what is wrong is above it and in the title, and leads to the app', async (t) => {
    const problems = page.getByRole('list', { name: 'Problems' }).getByRole('link');
    t.equal(await problems.first().innerText(), 'job');
    t.equal(await problems.first().getAttribute('href'), '#/app/job');
    const list = page.getByRole('list', { name: 'Problems' });
    await list.getByText('exited with code 3: the database is <b>gone</b>').waitFor();
    await list.getByText('nodecluster logs job').waitFor();
    t.equal(await list.getByRole('listitem').count(), 1);
    t.equal(await page.title(), '1 problem · nodecluster');
    const icon = page.locator('link[rel=icon]');
    t.match(decodeURIComponent(await icon.getAttribute('href')), /#dc3d33/);
  });

  await t.test('the keyboard moves, folds, filters and opens the help', async (t) => {
    const selected = () => table.locator('tr.is-selected').getAttribute('data-key');
    await page.keyboard.press('g');
    t.equal(await selected(), 'job', 'what is broken is at the top');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await table.locator('tr.is-selected[data-key="api:0"]:focus').waitFor();
    await page.keyboard.press(' ');
    await table.locator('[data-key="api:0"]').waitFor({ state: 'detached' });
    await page.keyboard.press(' ');
    await page.keyboard.press('/');
    await page.keyboard.type('errored');
    await table.locator('[data-key=api]').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await table.locator('[data-key=api]').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('of the event loop, p99').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  await t.test('an app: charts, recent exits, settings', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Recent exits' }).waitFor();
    await page.locator('pre', { hasText: 'the database is <b>gone</b>' }).first().waitFor();
    await page.getByRole('region', { name: 'Diagnosis' }).getByText('start job').waitFor();
    await table.locator('[data-key=job]').waitFor();
    await page.keyboard.press('q');
    await table.getByRole('link', { name: 'api', exact: true }).click();
    await page
      .getByRole('img', { name: /event loop busy/ })
      .locator('canvas')
      .waitFor();
    const setting = page
      .getByRole('table', { name: 'Settings' })
      .locator('tr', { hasText: 'instances' });
    await setting.getByText('flag').waitFor();
  });

  await t.test('a reload is asked first, and is among the events', async (t) => {
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Reload api?' });
    await dialog.getByText('no request is lost').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    t.equal((await home.appNamed('api')).generation, 1, 'Escape sends nothing');
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    await page.locator('.events li', { hasText: 'reload ended' }).waitFor();
    t.equal((await home.appNamed('api')).generation, 2);
    const label = page.getByRole('button', { name: 'Reload' });
    await label.hover();
    const { color, backgroundColor } = await label.evaluate((it) => ({ ...getComputedStyle(it) }));
    t.not(color, backgroundColor, 'under the pointer, its label can be read');
  });

  await t.test(
    'a question: the number can be typed, and what is lost is not one Enter away',
    async (t) => {
      await page.keyboard.press('+');
      const field = page.getByRole('dialog').getByLabel('number of workers');
      t.equal(await field.inputValue(), '3');
      await field.fill('0');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Scale api from 2 to 3?' }).waitFor();
      await field.fill('1');
      await page.keyboard.press('Enter');
      await page.locator('.message', { hasText: 'api' }).waitFor();
      await table.locator('[data-key="api:1"]').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete api?' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      t.equal((await home.appNamed('api')).workers.length, 1);
    },
  );

  await t.test('logs are text, never HTML, and can be searched', async (t) => {
    await page.keyboard.press('l');
    const log = page.getByRole('log');
    await log.getByText('<img src=x onerror=').first().waitFor();
    t.equal(await log.locator('img').count(), 0);
    t.notMatch(await log.innerText(), '[31m');
    await page.keyboard.press('/');
    await page.keyboard.type('READY');
    await log.getByText('<img').first().waitFor({ state: 'detached' });
    await log.locator('mark', { hasText: 'ready' }).first().waitFor();
    t.equal(await page.title(), '1 problem · nodecluster');
    t.match(page.url(), /#\/logs\/api\?search=READY$/);
    await page.evaluate(() => (location.hash = '#/logs/api'));
    await log.getByText('<img').first().waitFor();
    t.equal(await page.locator('#search').inputValue(), '', 'a link leads to all lines');
  });

  await t.test('events', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    const reload = page.getByRole('listitem').filter({ hasText: 'reload ended' });
    await reload.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('JOB');
    await reload.waitFor({ state: 'detached' });
    await page
      .getByRole('listitem')
      .filter({ hasText: 'job:0 exited with code 3' })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('q');
  });

  await t.test('the daemon is gone, and comes back', async () => {
    const { daemon } = await home.list();
    process.kill(daemon.pid, 'SIGKILL');
    await page.getByRole('status').filter({ hasText: 'No daemon since' }).waitFor();
    await page.locator('.stale').waitFor();
    await page.locator('.page:not(.stale)').waitFor();
    await table.locator('[data-key=api]').getByText('online').waitFor();
  });

  await t.test('a hidden tab closes its stream, a visible one opens it', async (t) => {
    const isStream = (/** @type {{url: () => string}} */ request) =>
      /api\/events/.test(request.url());
    const closed = page.waitForEvent('requestfailed', isStream);
    await setVisible(page, false);
    await closed;
    t.match(await page.title(), /^1 problem at \d\d:\d\d · nodecluster$/);
    const opened = page.waitForEvent('request', isStream);
    await setVisible(page, true);
    await opened;
  });

  await t.test('signing out ends the session', async (t) => {
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Open the last link that').waitFor();
    t.equal(await page.locator('.foot kbd').count(), 0, 'no key does anything');
    const link = await web.nextLink();
    await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
    await table.locator('[data-key=api]').getByText('online').waitFor();
  });

  await t.test('the server is gone', async () => {
    web.child.kill('SIGTERM');
    await page
      .getByRole('status')
      .filter({ hasText: 'connection to nodecluster web is lost' })
      .waitFor();
  });
  t.same(problems, [], 'the console stays empty');
});

/** @param {import('playwright-core').Page} page @param {boolean} isVisible */
function setVisible(page, isVisible) {
  return page.evaluate((visible) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !visible });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isVisible);
}
