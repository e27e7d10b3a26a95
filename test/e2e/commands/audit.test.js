/** Who gave which command: audit.log, events, and what is refused. */
import t from 'tap';
import {
  appendFileSync,
  chmodSync,
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
import { NODE, PACKAGE, app, testHome, watched } from '../../support/home.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { freePort } from '../../support/ports.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { webClient } from '../../support/web/client.js';
import { startWeb } from '../web/web.js';

const API = join(PACKAGE, 'src/api/nodecluster.js');
const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };

const linesOf = (stdout) => stdout.split('\n').filter(Boolean);

const recordsIn = (stdout) => linesOf(stdout).map((line) => JSON.parse(line));

t.test('each command that may change something has its sender', LINUX, async (t) => {
  const { home, root, run, ok, startApi } = testHome(t);
  await startApi(['--min-uptime', '100ms', '--set-env', 'TOKEN=s3cret']);
  await ok(['ls']);
  await ok(['why']);
  await ok(['report', '--print']);
  await ok(['reload', 'api'], { env: { SUDO_USER: 'alice' } });
  await run(['stop', 'nobody']);
  const { stdout } = await ok(['audit', '--json']);
  const [start, reload, stop, refused, ...others] = recordsIn(stdout);
  t.match(start, { event: 'start', apps: ['api'] });
  t.match(reload, {
    ...{ event: 'reload', apps: ['api'], selectors: ['api'] },
    by: { role: 'cli', user: 'alice', account: userInfo().username, cwd: root },
  });
  t.match(stop, { event: 'stop', apps: [], selectors: ['nobody'] });
  t.match(refused, { ...stop, time: String, level: 'warn', refused: 'E_APP_UNKNOWN' });
  t.same(others, []);
  t.notMatch(stdout, 's3cret');
  t.equal(statSync(`${home}/audit.log`).mode & 0o777, 0o600);

  const text = linesOf((await ok(['audit'])).stdout);
  t.equal(text.length, 4);
  t.match(text[1], new RegExp(`^[\\d: -]+reload api by ${reload.by.account} \\(says alice`));
  t.match(text[3], 'stop nobody refused: E_APP_UNKNOWN by');
  const events = recordsIn((await ok(['events', '--no-follow', '--json'])).stdout);
  const begun = events.find(({ type }) => type === 'reload.begun');
  t.match(begun.by, { user: 'alice', account: reload.by.account });
});

t.test('no secret of a command line or a message is kept', LINUX, async (t) => {
  const { home, run, ok, startApi } = testHome(t);
  await startApi();
  await ok(['reload', 'api', '--set-env=DB_PASSWORD=planted 1', '--set-env', 'API_TOKEN=planted2']);
  const messages = [
    '{"token":"planted3"}',
    '"Authorization: Bearer planted4"',
    '"X-Api-Key: planted5"',
    '"https://h/x?token=planted7"',
  ];
  for (const message of messages) await ok(['send', 'api', message]);
  await run(['stop', '{"token":"planted8"}']);
  const { stdout } = await ok(['events', '--no-follow', '--json']);
  for (const name of ['audit.log', 'daemon.log']) {
    t.notMatch(readFileSync(join(home, name), 'utf8'), /planted/, name);
  }
  t.notMatch(stdout, 'planted');
  t.match(recordsIn((await ok(['audit', '--json'])).stdout)[2], { event: 'send', apps: ['api'] });
});

t.test('a command is one line with its user, whatever it was given', LINUX, async (t) => {
  const { run, ok, startApi } = testHome(t);
  await startApi();
  await ok(['reload', ...Array(3500).fill('api')]);
  await run(['stop', 'x\n2026-11-11T00:00:00Z reload api by alice (uid 1000)']);
  const [, reload] = recordsIn((await ok(['audit', '--json'])).stdout);
  t.match(reload, { apps: ['api'], by: { user: String, account: String } });
  t.match(reload.selectors, [...Array(20).fill('api')]);
  t.equal(reload.selectors.at(-1), '…');
  const text = linesOf((await ok(['audit'])).stdout);
  t.equal(text.length, 4);
  t.match(
    text[3],
    String.raw`stop x\x0a2026-11-11T00:00:00Z reload api by alice (uid 1000) refused`,
  );
});

t.test('it says which command was given, and on which apps', async (t) => {
  const { root, ok, startApi } = testHome(t);
  const file = join(root, 'ecosystem.json');
  const ports = { shop: String(await freePort()), pay: String(await freePort()) };
  const write = (...names) => {
    const script = app('http-pid.cjs');
    const apps = names.map((name) => ({ name, script, env: { PORT: ports[name] } }));
    writeFileSync(file, JSON.stringify({ apps }));
  };
  write('shop', 'pay');
  await startApi();
  await ok(['start', file]);
  await ok(['reload', file, '--only', 'pay']);
  await ok(['apply', file, '--dry-run']);
  await ok(['reload', 'shop', '--set-env', 'A=1']);
  await ok(['scale', 'shop', '2']);
  await ok(['stop', 'shop:1']);
  await ok(['start', 'shop']);
  await ok(['restart', 'pay', '--name', 'cash']);
  write('shop');
  await ok(['apply', file, '--prune']);
  await ok(['kill']);
  const given = (stdout) => recordsIn(stdout).map(({ event, apps }) => [event, ...apps].join(' '));
  const all = given((await ok(['audit', '--json'])).stdout);
  t.same(all, [
    ...['start api', 'start shop pay', 'reload pay', 'reload shop', 'scale shop', 'stop shop:1'],
    ...['start shop', 'restart pay cash', 'apply shop cash', 'kill api shop'],
  ]);
  t.same(given((await ok(['audit', 'shop', '--json'])).stdout), [
    ...['start shop pay', 'reload shop', 'scale shop', 'stop shop:1', 'start shop'],
    ...['apply shop cash', 'kill api shop'],
  ]);
  t.match((await ok(['audit', 'shop'])).stdout, ' scale shop 2 by ');
  const none = await ok(['audit', 'sho']);
  t.match(none, { stdout: '', stderr: 'No such command was found.\n' });
});

t.test('the page and a program', LINUX, async (t) => {
  const home = testHome(t);
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
  const newer = { version: '9.0.0', protocol: 9, oldest: 8 };
  const bin = await makeOtherVersion(join(root, 'newer'), newer);
  await ok(['update'], { bin });
  const [, update, ...others] = recordsIn((await ok(['audit', '--json'], { bin })).stdout);
  t.match(update, { event: 'update', apps: [], by: { role: 'cli' } });
  t.same(others, []);
});

t.test('rotated files, and lines that are not entries', async (t) => {
  const { home, ok, startApi } = testHome(t);
  await startApi();
  const log = join(home, 'audit.log');
  renameSync(log, `${log}.000001`);
  t.match((await ok(['audit'])).stdout, ' start api by ');
  await ok(['save']);
  appendFileSync(log, 'garbage\n  {"event":"x"}\n[1]\n\n');
  const found = await ok(['audit', '--json', '--since', '1h']);
  t.same(
    recordsIn(found.stdout).map(({ event }) => event),
    ['start', 'save'],
  );
  t.equal(found.stderr, '');
  const none = await ok(['audit', '--until', '1h']);
  t.match(none, { stdout: '', stderr: 'No such command was found.' });
});

t.test('entries that could not be written', async (t) => {
  const { home, ok, startApi } = testHome(t);
  await startApi();
  const log = join(home, 'audit.log');
  rmSync(log);
  symlinkSync('missing/audit.log', log);
  await ok(['reload', 'api']);
  await ok(['save']);
  rmSync(log);
  await ok(['save']);
  const records = recordsIn((await ok(['audit', '--json'])).stdout);
  t.match(records, [{ event: 'log.lost', lines: 2, since: /Z$/ }, { event: 'save' }]);
  const missing = await ok(['audit', 'api', '--until', '1h']);
  t.match(missing.stdout, /^[\d: -]+2 lines of the audit could not be written since .*: ENOENT\n$/);
  const said = readFileSync(join(home, 'daemon.log'), 'utf8').match(/"audit.unwritable"/g);
  t.equal(said?.length, 1);
});

t.test('nothing has been kept yet, a home that is none, and what cannot be read', async (t) => {
  const { root, home, run, ok } = testHome(t);
  t.match(await ok(['audit']), { stdout: '', stderr: 'No such command was found.\n' });
  const file = join(root, 'file');
  writeFileSync(file, '');
  for (const words of [['audit'], ['reload', 'api']]) {
    const refused = await run(words, { env: { NODECLUSTER_HOME: file } });
    t.match(refused, { code: 7, stdout: '' }, words[0]);
  }
  mkdirSync(home, { mode: 0o700 });
  symlinkSync('audit.log', join(home, 'audit.log'));
  t.match(await run(['audit']), { code: 7, stdout: '', stderr: 'it is a symbolic link' });
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
