/** What apps do by themselves, on the page: a canary, a job, scaling, and where a worker is blocked. */
import t from 'tap';
import { join } from 'node:path';
import { app, testHome } from '../../support/home.js';
import { writeFiles } from '../../support/files.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePorts } from '../../support/ports.js';
import { faultsOf, loadAxe } from './axe.js';
import { openBrowser, openPage, skip } from './browser.js';
import { startWeb } from './web.js';

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
  const fact = (/** @type {string} */ name) =>
    page.locator('.facts div').filter({ has: page.locator('dt', { hasText: name }) });
  await page.goto(web.link);
  await page.locator('[data-key=report]').getByText('waiting').waitFor();
  await loadAxe(page);

  await t.test('an app that scales itself', async (t) => {
    await page.locator('[data-key=api]').getByText('2/2–3 online').waitFor();
    await show('#/app/api');
    await page.getByRole('heading', { name: 'Scaling' }).waitFor();
    await fact('workers').getByText('2 of 2–3').waitFor();
    await fact('event loops').getByText('busy, target 90%').waitFor();
    await page.getByRole('img', { name: /workers online: +2/ }).waitFor();
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
      await page.locator('.exit pre', { hasText: 'it has failed' }).waitFor();
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
    await page.getByRole('heading', { name: 'What is wrong' }).waitFor();
    const frames = page.getByRole('list', { name: 'Functions, the innermost first' });
    for (const name of ['inner', 'middle', 'outer']) {
      await frames.getByText(name, { exact: true }).waitFor();
    }
    t.same(await faultsOf(page), []);
    writeFiles(home.root, { free: '' });
    await frames.waitFor({ state: 'detached' });
    await page.locator('.events li', { hasText: 'its event loop was blocked for' }).waitFor();
  });
  t.same(problems, [], 'the console stays empty');
});
