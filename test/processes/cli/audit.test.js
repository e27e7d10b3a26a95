/** Who gave which command: audit.log, events, and what is refused. */
import t from 'tap';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { NODE, PACKAGE, testHome, watched } from '../../support/home.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { webClient } from '../../support/web/client.js';
import { startWeb } from '../../e2e/browser/web.js';

const API = join(PACKAGE, 'src/api/nodecluster.js');
const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };

const linesOf = (stdout) => stdout.split('\n').filter(Boolean);

const recordsIn = (stdout) => linesOf(stdout).map((line) => JSON.parse(line));

t.test('each command that may change something is one line, with its sender', LINUX, async (t) => {
  const { home, root, run, ok, begin, startApi } = testHome(t, { inProcess: true });
  await startApi(['--min-uptime', '100ms', '--set-env', 'TOKEN=s3cret']);
  for (const words of [['ls'], ['why'], ['report', '--print']]) await ok(words);
  t.match(await begin(['reload', 'api'], { env: { SUDO_USER: 'alice' } }).ended, { code: 0 });
  await run(['stop', 'nobody']);
  const records = async () => recordsIn((await ok(['audit', '--json'])).stdout);
  const [start, reload, stop, refused, ...others] = await records();
  t.match(start, { event: 'start', apps: ['api'] });
  t.match(reload, {
    ...{ event: 'reload', apps: ['api'], selectors: ['api'] },
    by: { role: 'cli', user: 'alice', account: userInfo().username, cwd: root },
  });
  t.match(stop, { event: 'stop', apps: [], selectors: ['nobody'] });
  t.match(refused, { ...stop, time: String, level: 'warn', refused: 'E_APP_UNKNOWN' });
  t.same(others, []);
  t.equal(statSync(`${home}/audit.log`).mode & 0o777, 0o600);
  const lines = async () => linesOf((await ok(['audit'])).stdout);
  const text = await lines();
  t.equal(text.length, 4);
  t.match(text[1], new RegExp(`^[\\d: -]+reload api by ${reload.by.account} \\(says alice`));
  t.match(text[3], 'stop nobody refused: E_APP_UNKNOWN by');
  const events = async () => (await ok(['events', '--no-follow', '--json'])).stdout;
  const begun = recordsIn(await events()).find(({ type }) => type === 'reload.begun');
  t.match(begun.by, { user: 'alice', account: reload.by.account });

  await ok(['reload', ...Array(3500).fill('api')]);
  await run(['stop', 'x\n2026-11-11T00:00:00Z reload api by alice (uid 1000)']);
  const { apps, by, selectors } = (await records())[4];
  t.match({ apps, by }, { apps: ['api'], by: { user: String, account: String } });
  t.same(selectors, [...Array(20).fill('api'), '…']);
  t.match(
    (await lines())[6],
    String.raw`stop x\x0a2026-11-11T00:00:00Z reload api by alice (uid 1000) refused`,
  );

  await ok(['reload', 'api', '--set-env=DB_PASSWORD=planted 1', '--set-env', 'API_TOKEN=planted2']);
  for (const message of [
    '{"token":"planted3"}',
    '"Authorization: Bearer planted4"',
    '"X-Api-Key: planted5"',
    '"https://h/x?token=planted7"',
  ]) {
    await ok(['send', 'api', message]);
  }
  await run(['stop', '{"token":"planted8"}']);
  t.match((await records())[7], { event: 'reload', apps: ['api'] });
  t.match((await records())[8], { event: 'send', apps: ['api'] });
  const kept = ['audit.log', 'daemon.log'].map((name) => readFileSync(join(home, name), 'utf8'));
  for (const all of [...kept, await events()]) t.notMatch(all, /planted|s3cret/);
});

t.test('the page and a program', LINUX, async (t) => {
  const home = testHome(t, { inProcess: true });
  const { root, env, ok, startApi } = home;
  await startApi();
  const { link } = await startWeb(home, t);
  const client = webClient({ port: Number(new URL(link).port) });
  await client.signIn(link);
  const page = await client.stream('/api/events');
  await client.post('/api/actions', { action: 'reload', target: 'api' });
  await page.next('outcome');
  page.close();
  const lines = [
    'const { connect } = await import(process.argv[2]);',
    'const all = await connect();',
    "await all.reload('api');",
    'all.close();',
  ];
  writeFileSync(join(root, 'deploy.mjs'), lines.join('\n'));
  const program = spawnClean(NODE, ['deploy.mjs', API], { cwd: root, env });
  t.match(await watched(program, 'deploy.mjs').ended, { code: 0 });
  const [, byPage, byProgram] = linesOf((await ok(['audit'])).stdout);
  t.match(byPage, /reload api by .* \(web\b/);
  t.match(byProgram, /reload api by .* \(program\b/);
  t.ok(byProgram.endsWith(` in ${root}`), byProgram);
});

t.test('the daemon was replaced by `update`', async (t) => {
  const { root, ok, startApi } = testHome(t);
  await startApi();
  await ok(['update']);
  const bin = await makeOtherVersion(join(root, 'newer'));
  await ok(['update'], { bin });
  const [, update, ...others] = recordsIn((await ok(['audit', '--json'], { bin })).stdout);
  t.match(update, { event: 'update', apps: [], by: { role: 'cli' } });
  t.same(others, []);
});

t.test(
  'rotated files, lines that are not entries, and entries that were not written',
  async (t) => {
    const { home, ok, startApi } = testHome(t, { inProcess: true });
    await startApi();
    const log = join(home, 'audit.log');
    renameSync(log, `${log}.000001`);
    t.match((await ok(['audit'])).stdout, ' start api by ');
    await ok(['reset', 'api']);
    appendFileSync(log, 'garbage\n  {"event":"x"}\n[1]\n\n');
    const found = await ok(['audit', '--json', '--since', '1h']);
    t.match(recordsIn(found.stdout), [{ event: 'start' }, { event: 'reset' }]);
    t.equal(found.stderr, '');
    const none = await ok(['audit', '--until', '1h']);
    t.match(none, { stdout: '', stderr: 'No such command was found.' });

    rmSync(log);
    symlinkSync('missing/audit.log', log);
    for (const command of ['reload', 'reset']) await ok([command, 'api']);
    rmSync(log);
    await ok(['reset', 'api']);
    const records = recordsIn((await ok(['audit', '--json'])).stdout);
    t.match(records.slice(1), [{ event: 'log.lost', lines: 2, since: /Z$/ }, { event: 'reset' }]);
    const missing = await ok(['audit', '--until', '1h']);
    t.match(
      missing.stdout,
      /^[\d: -]+2 lines of the audit could not be written since .*: ENOENT\n$/,
    );
    const said = readFileSync(join(home, 'daemon.log'), 'utf8').match(/"audit.unwritable"/g);
    t.equal(said?.length, 1);
  },
);

t.test('nothing has been kept yet, and what cannot be read is put aside', async (t) => {
  const { root, home, run, ok, startApi } = testHome(t);
  t.match(await ok(['audit']), { stdout: '', stderr: 'No such command was found.\n' });
  const file = join(root, 'file');
  writeFileSync(file, '');
  for (const words of [['audit'], ['reload', 'api']]) {
    const refused = await run(words, { env: { NODECLUSTER_HOME: file } });
    t.match(refused, { code: 7, stdout: '' }, words[0]);
  }
  const log = join(home, 'audit.log');
  mkdirSync(home, { mode: 0o700 });
  symlinkSync('audit.log', log);
  t.match(await run(['audit']), { code: 7, stdout: '', stderr: 'it is a symbolic link' });
  rmSync(log);
  mkdirSync(`${log}/inner`, { recursive: true });
  await startApi();
  await ok(['reload', 'api']);
  t.match((await ok(['audit'])).stdout, 'reload api');
  t.ok(statSync(`${log}.aside/inner`).isDirectory(), 'it is kept');
});
