/** What workers write: to a stdout that behaves, and whole into the log files. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, testHome } from '../support/home.js';
import { ask } from '../support/http-ask.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';

t.test('a program that waits for drain on stdout goes on', async (t) => {
  const { ok, home } = testHome(t);
  const port = await freePort();
  await ok(['start', app('waits-for-drain.cjs'), '--name', 'api'], { env: { PORT: `${port}` } });
  const { lines } = await ask(port);
  const log = join(home, 'logs', 'api-out.log');
  const bytes = lines * 1024;
  await until(() => readFileSync(log).length >= bytes, `${bytes} bytes in the log`);
  t.equal(readFileSync(log).length, bytes);
});

t.test('1,000 lines of two workers are whole and in order', async (t) => {
  const { ok, home } = testHome(t);
  const env = { PORT: String(await freePort()), LINES_TO_WRITE: '1000' };
  await ok(['start', app('writes-lines.cjs'), '-i', '2', '--name', 'api'], { env });
  const log = join(home, 'logs', 'api-out.log');
  const lines = await until(() => {
    const written = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    return written.length >= 2000 && written;
  }, '2,000 lines');
  for (const slot of [0, 1]) {
    t.same(
      lines.filter((line) => line.startsWith(`line ${slot} `)),
      Array.from({ length: 1000 }, (_, index) => `line ${slot} ${index} ä€𝄞`),
    );
  }
  t.equal(lines.length, 2000);
});

t.test('a last line without an end is written, and ended', async (t) => {
  const { run, home } = testHome(t);
  await run(['start', app('writes-partial-line.cjs'), '--name', 'job', '--no-autorestart']);
  const log = join(home, 'logs', 'job-out.log');
  const wanted = 'a whole line\nhalf a li\n';
  await until(() => readFileSync(log, 'utf8').startsWith(wanted), 'both lines');
  t.ok(readFileSync(log, 'utf8').endsWith('\n'));
});
