/** The page of `nodecluster web` in a browser, with a real daemon behind it; axe finds nothing serious in any view. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort, freePorts } from '../../support/ports.js';
import { faultsOf, loadAxe } from './axe.js';
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
      .locator('tbody tr[data-key]')
      .evaluateAll((rows) => rows.map((row) => row.dataset.key));
    t.same(keys.sort(), ['api', 'api:0', 'api:1', 'job']);
    t.equal(new URL(page.url()).hash, '');
    await table
      .locator('[data-key=job]')
      .getByText(/^errored \d+s ago$/)
      .waitFor();
    const cells = table.locator('[data-key="api:0"]').getByRole('gridcell');
    await cells.filter({ hasText: /^\s*[\d.]+M\s*$/ }).waitFor();
    await table.locator('[data-key="api:0"] .spark path').first().waitFor({ state: 'attached' });
    await table.getByTitle('HTTP requests answered', { exact: true }).getByText('req/s').waitFor();
  });

  await t.test('what is wrong is below the name of the app, and in the title', async (t) => {
    const trouble = table.locator('[data-key=job] + .trouble');
    await trouble.getByText('the database is <b>gone</b>').waitFor();
    await trouble.getByText('nodecluster start job').waitFor();
    t.equal(await table.locator('.trouble').count(), 1);
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
    await page.getByRole('dialog').getByText('fold or unfold an app').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  await t.test('an app: charts, recent exits, settings', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Recent exits' }).waitFor();
    await page.getByText(/^job:0 .* with exit code 3/).click();
    await page.locator('pre', { hasText: 'the database is <b>gone</b>' }).waitFor();
    await table.locator('[data-key=job] + .trouble').getByText('start job').waitFor();
    await page.keyboard.press('q');
    await table.getByRole('link', { name: 'api', exact: true }).click();
    await page.getByRole('img', { name: /loop busy: +\d/ }).waitFor();
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.locator('dt', { hasText: 'instances' }).waitFor();
    await settings.getByText('flag').first().waitFor();
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
    await page.locator('.events li', { hasText: 'reload done' }).waitFor();
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
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('dialog', { name: 'Stop api?' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      t.equal((await home.appNamed('api')).status, 'online');
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
    for (const hasText of ['reload done', 'job:0 exited with code 3'])
      await page.getByRole('listitem').filter({ hasText }).first().waitFor();
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

  await t.test('signing out ends the session', async () => {
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Open the last link that').waitFor();
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

function setVisible(page, isVisible) {
  return page.evaluate((visible) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !visible });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isVisible);
}

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

t.test('on the page', { skip }, async (t) => {
  const home = testHome(t);
  const [port, blocked, closed] = await freePorts(3);
  const file = (/** @type {string} */ name) => join(home.root, name);
  writeFiles(home.root, {
    'task.json': { ms: 10, code: 1 },
    'ecosystem.json': {
      apps: [
        {
          name: 'api',
          script: app('fails-sometimes.cjs'),
          instances: { min: 2, max: 3, elu: 0.9 },
          min_uptime: '200ms',
          env: { PORT: port },
        },
        { name: 'stuck', script: app('spins-three-deep.cjs'), env: { PORT: blocked } },
        {
          name: 'report',
          script: app('job.cjs'),
          schedule: '0 0 1 1 *',
          on: [{ event: 'job.ended', failed: true, post: `http://127.0.0.1:${closed}/hook` }],
          env: { RUNS: file('runs'), TASK: file('task.json') },
        },
      ],
    },
  });
  await home.ok(['start', 'ecosystem.json']);
  const web = await startWeb(home, t);
  const { page, problems } = await openPage(await openBrowser(t), { bypassCSP: true });
  const show = (/** @type {string} */ hash) => page.evaluate((to) => (location.hash = to), hash);
  // A setting of the same name is further down.
  const fact = (/** @type {string} */ name) =>
    page
      .locator('.facts div')
      .filter({ has: page.locator('dt', { hasText: name }) })
      .first();
  await page.goto(web.link);
  await page.locator('[data-key=report]').getByText('waiting').waitFor();
  await loadAxe(page);

  await t.test('an app that scales itself', async (t) => {
    await page.locator('[data-key=api]').getByText('2/2–3 online').waitFor();
    await show('#/app/api');
    await page.getByRole('heading', { name: 'Scaling' }).waitFor();
    await fact('workers').getByText('2 of 2–3').waitFor();
    await fact('event loops').getByText('busy, target 90%').waitFor();
    t.same(await faultsOf(page), []);
  });

  await t.test('a canary beside the old workers, until it is taken back', async (t) => {
    const load = startLoad(t, { port, keepAlive: false, clients: 2 });
    const order = ['reload', 'api', '--canary', '1', '--for', '10m', '--max-p99', '1000x'];
    const reload = home.begin(order);
    const canary = page.getByRole('region', { name: 'Canary' });
    await canary.getByText(/^[1-9]\d*, the old workers [1-9]/).waitFor();
    await canary.getByText('0 %, the old workers 0 %').waitFor();
    await canary.getByText(/^\d+m \d+s$/).waitFor();
    await page.locator('[data-key="api:0"]').getByText('online, new').waitFor();
    t.same(await faultsOf(page), []);
    await show('#/');
    await page.locator('[data-key=api]').getByText('reloading 0/2').waitFor();
    await show('#/app/api');
    await home.ok(['stop', 'api']);
    t.match(await reload.ended, { code: 5 });
    await page
      .getByText(/taken back: another command was given/)
      .first()
      .waitFor();
    await load.stop();
  });

  await t.test(
    'a job is run by a key; its outcome, and an alarm that is not delivered',
    async (t) => {
      await show('#/app/report');
      await fact('schedule').getByText('0 0 1 1 *').waitFor();
      await page.keyboard.press('n');
      await page
        .getByRole('dialog', { name: 'Run report?' })
        .getByText('outside its schedule')
        .waitFor();
      await page.keyboard.press('Enter');
      await fact('last run').getByText('failed: exited with code 1').waitFor();
      // It is closed as long as the cause stands above.
      await page.locator('details', { hasText: 'it has failed' }).first().waitFor();
      await fact('job.ended')
        .getByText(/1 waiting; the last attempt failed: .*ECONNREFUSED/)
        .waitFor();
      t.same(await faultsOf(page), []);
      writeFiles(home.root, { 'task.json': { ms: 10, code: 0 } });
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
      await fact('last run').getByText('succeeded').waitFor();
      t.equal(await page.getByRole('button', { name: 'Reload' }).count(), 0);
    },
  );

  await t.test('where a worker is blocked', async (t) => {
    await show('#/app/stuck');
    await ask(blocked, `/spin?${file('free')}`);
    const frames = page.locator('.trouble pre');
    for (const name of ['inner', 'middle', 'outer']) {
      await frames.filter({ hasText: `at ${name} ` }).waitFor();
    }
    t.same(await faultsOf(page), []);
    writeFiles(home.root, { free: '' });
    await frames.waitFor({ state: 'detached' });
    await page.locator('.events li', { hasText: 'its event loop was blocked for' }).waitFor();
  });
  t.same(problems, [], 'the console stays empty');
});
