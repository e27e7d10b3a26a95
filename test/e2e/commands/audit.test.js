/** Who gave which command: audit.log, events, and what is refused. */
import t from 'tap';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { testHome } from '../../support/home.js';

t.test('each command that may change something has its sender', async (t) => {
  const { home, run, ok, startApi } = testHome(t);
  await startApi(['--min-uptime', '100ms', '--set-env', 'TOKEN=s3cret']);
  await ok(['ls']);
  await ok(['reload', 'api'], { env: { SUDO_USER: 'alice' } });
  await run(['stop', 'nobody']);
  const { stdout } = await ok(['audit', '--json']);
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(
    records.map(({ event }) => event).filter((event) => event !== 'start'),
    ['reload', 'stop', 'stop'],
  );
  const reload = records.find(({ event }) => event === 'reload');
  t.match(reload, {
    selectors: ['api'],
    by: { role: 'cli', user: 'alice', uid: process.getuid?.() },
  });
  t.match(reload.by.command, 'reload api');
  t.match(records.at(-1), { event: 'stop', refused: 'E_APP_UNKNOWN' });
  t.notMatch(stdout, 's3cret');
  t.equal(statSync(`${home}/audit.log`).mode & 0o777, 0o600);

  const text = (await ok(['audit'])).stdout;
  t.match(text, /reload api by alice \(uid \d+.*pid \d+\): .*reload api/);
  t.match(text, 'stop refused: E_APP_UNKNOWN by');
  const events = (await ok(['events', '--no-follow', '--json'])).stdout.trim().split('\n');
  const begun = events.map((line) => JSON.parse(line)).find(({ type }) => type === 'reload.begun');
  t.match(begun.by, { user: 'alice', uid: process.getuid?.() });
});

t.test('something else is in its place', async (t) => {
  const { home, ok, startApi } = testHome(t);
  mkdirSync(`${home}/audit.log/inner`, { recursive: true });
  chmodSync(home, 0o700);
  await startApi();
  await ok(['reload', 'api']);
  t.match((await ok(['audit'])).stdout, 'reload api');
  t.ok(statSync(`${home}/audit.log.aside/inner`).isDirectory(), 'it is kept');
});
