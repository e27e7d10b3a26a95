/** axe finds nothing serious in any view, in both colour schemes and at two widths. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHome } from '../../support/home.js';
import { faultsOf, loadAxe } from './axe.js';
import { openBrowser, openPage, skip } from './browser.js';
import { startWeb } from './web.js';

const WIDTHS = [1280, 390];
const SCHEMES = /** @type {const} */ (['light', 'dark']);
const VIEWS = [
  { name: 'table', hash: '#/', shows: 'tbody tr' },
  { name: 'app', hash: '#/app/api', shows: '#settings-title' },
  { name: 'logs', hash: '#/logs/api', shows: '.line' },
  { name: 'events', hash: '#/events', shows: '#events-title' },
  { name: 'question', hash: '#/', shows: 'tbody tr', key: 'r' },
  { name: 'help', hash: '#/', shows: 'tbody tr', key: '?' },
];

t.test('every view', { skip }, async (t) => {
  const home = testHome(t);
  const lines = ['one', '{"level":50,"msg":"two"}', 'WARN three'];
  const program = `${lines.map((line) => `console.log(${JSON.stringify(line)});`).join('')}setInterval(() => {}, 1000);`;
  writeFileSync(join(home.root, 'app.js'), program);
  writeFileSync(
    join(home.root, 'crash.js'),
    'throw new Error("no database at 10.0.0.7:5432, from which the price list is loaded");',
  );
  await home.ok(['start', 'app.js', '--name', 'api', '-i', '2']);
  await home.run(['start', 'crash.js', '--name', 'job', '--max-restarts', '0']);
  const web = await startWeb(home, t);
  const browser = await openBrowser(t);
  const { page, problems } = await openPage(browser, { bypassCSP: true });
  await page.goto(web.link);
  await page.locator('tbody tr').first().waitFor();
  await loadAxe(page);
  for (const { name, hash, shows, key } of VIEWS) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator(shows).first().waitFor();
    if (key) await page.keyboard.press(key);
    if (key) await page.getByRole('dialog').waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        t.same(await faultsOf(page), [], `${name}, ${width} px, ${colorScheme}`);
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      t.ok(wider <= 0, `${name} fits ${width} px`);
      if (width === 390) t.same(await page.evaluate(cutStates), [], `${name}: states are whole`);
    }
    if (key) await page.keyboard.press('Escape');
  }
  t.same(problems, []);
});

/** Runs in the page. */
function cutStates() {
  return [...document.querySelectorAll('.state')]
    .filter((it) => it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight)
    .map((it) => it.textContent);
}
