/** The file that `nodecluster web --record` writes, opened as a file. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testHome } from '../../support/home.js';
import { openBrowser, openPage, skip } from './browser.js';

t.test('a recording shows what was, at any moment of it', { skip }, async (t) => {
  const home = testHome(t);
  writeFileSync(join(home.root, 'app.js'), 'setInterval(() => {}, 1000);');
  await home.ok(['start', 'app.js', '--name', 'api', '-i', '2']);
  const file = join(home.root, 'recorded.html');
  await home.ok(['web', '--record', '3s', '--output', file]);
  const { page, problems } = await openPage(await openBrowser(t));
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  const { href } = pathToFileURL(file);
  await page.goto(href);
  await page.getByRole('status').filter({ hasText: 'A recording' }).waitFor();
  const cells = page.locator('[data-key="api:0"]').getByRole('gridcell');
  await cells.filter({ hasText: /^\s*[\d.]+M\s*$/ }).waitFor();
  t.equal(await page.getByRole('button', { name: 'Reload' }).count(), 0, 'nothing can be changed');
  const slider = page.getByRole('slider', { name: 'Moment of the recording' });
  const last = await slider.getAttribute('aria-valuetext');
  await slider.press('Home');
  await page.waitForFunction(
    (text) => document.querySelector('[type=range]').ariaValueText !== text,
    last,
  );
  await page.evaluate(() => (location.hash = '#/app/api'));
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page
    .getByRole('img', { name: /memory/ })
    .locator('canvas')
    .waitFor();
  t.same(
    requests.filter((url) => url !== href),
    [],
    'it asks for nothing',
  );
  t.same(problems, []);
});
