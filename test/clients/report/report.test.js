/** A report with secrets of every kind planted in it, with a daemon and without. */
import t from 'tap';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { testHome } from '../../support/home.js';
import { PLANTED } from './planted.js';

const reportsIn = (root) =>
  fs.readdirSync(root).filter((each) => /^nodecluster-report-[\w-]+\.txt$/.test(each));

function reportIn(root) {
  const file = join(root, reportsIn(root)[0]);
  const text = fs.readFileSync(file, 'utf8');
  const names = [...text.matchAll(/^==> \S+ (.+)$/gm)].map(([, name]) => name);
  return { file, names, text };
}

t.test('an app may be called as what is secret', async (t) => {
  const { ok, startApi } = testHome(t);
  await startApi(['--name', 'token']);
  await ok(['reload', 'token']);
  const { stdout } = await ok(['report', '--print']);
  t.match(stdout, /^ +0 +token:0 /m);
  t.match(stdout, /^[\d:]{8} token:0 replaced: pid \d+ → \d+$/m);
  t.notMatch(stdout, /token\S*\*{8}/);
});

t.test('with a daemon: views, logs and settings, without any planted secret', async (t) => {
  const { root, home, list, ok, startApi } = testHome(t);
  await startApi(['--', '--api-key', 'planted30'], {
    env: { SHOP_PASSWORD: 'planted31', SHOP_DB: 'postgres://u:planted32@db/x' },
  });
  const lines = PLANTED.map(([, , text]) => JSON.stringify({ level: 'info', event: 'x', text }));
  fs.writeFileSync(join(home, 'daemon.log'), `${lines.join('\n')}\nknown planted31\n`, {
    flag: 'a',
  });
  const texts = PLANTED.map(([, , text]) => text).join('\n');
  fs.writeFileSync(join(home, 'primary.log'), `${texts}\n`, { flag: 'a' });
  fs.writeFileSync(join(home, 'daemon.log.000001'), 'line of yesterday planted31\n');
  const { pid } = (await list()).daemon;
  const { stdout } = await ok(['report']);
  const { file, text, names } = reportIn(root);
  t.equal(stdout.trim(), file);
  t.equal(fs.statSync(file).mode & 0o777, 0o600);
  const views = ['versions', 'ls', 'describe', 'why', 'events', 'doctor'];
  const facts = ['home', 'disk', 'processes', 'machine'];
  const expected = [...views, ...facts].map((name) => `${name}.txt`);
  const files = ['daemon.log', 'audit.log', 'primary.log'];
  const missing = [...expected, ...files].filter((each) => !names.includes(each));
  t.same(missing, []);
  t.match(text, /api +cluster/);
  t.match(text, /Max open files/);
  t.match(text, `/proc/${pid}/status:Name:`);
  t.match(text, /line of yesterday/);
  t.match(text, new RegExp(`^-rw-------.* daemon\\.log$`, 'm'));
  t.match(text, new RegExp(`^ *${pid} .*nodecluster`, 'm'));
  for (const [name, secret] of PLANTED) t.notOk(text.includes(secret), name);
  for (const secret of ['planted30', 'planted31', 'planted32'])
    t.notOk(text.includes(secret), secret);

  const printed = await ok(['report', '--print']);
  t.match(printed.stdout, /==> \S+ ls\.txt\n/);
  t.equal(reportsIn(root).length, 1);
});

t.test('without a daemon, and with a log that cannot be read', async (t) => {
  const { root, home, ok } = testHome(t);
  fs.mkdirSync(join(home, 'daemon.log'), { recursive: true, mode: 0o700 });
  await ok(['report']);
  const { text } = reportIn(root);
  t.match(text, 'Not available: no daemon runs');
  t.match(text, /Not available: daemon\.log cannot be read/);
  t.equal(fs.readdirSync(home).filter((each) => each.startsWith('daemon.lock')).length, 0);
});

t.test('no link is followed: what it names is no part of the home', async (t) => {
  const { root, home, ok } = testHome(t);
  const outside = join(root, 'outside');
  fs.mkdirSync(outside);
  fs.writeFileSync(join(outside, 'primary.log'), 'planted50\n');
  const settings = '{"apps":[{"name":"planted51","token":"planted52"}]}';
  fs.writeFileSync(join(outside, 'settings'), settings);
  fs.mkdirSync(join(home, 'apps/own'), { recursive: true, mode: 0o700 });
  const links = [
    ['daemon.log', 'primary.log'],
    ['audit.log.000001', 'primary.log'],
    ['apps/own/primary.log', 'primary.log'],
    ['apps/linked', '.'],
    ['desired.json', 'settings'],
  ];
  for (const [link, target] of links) fs.symlinkSync(join(outside, target), join(home, link));
  // What is not shown says all the same what is a secret.
  fs.writeFileSync(join(home, 'primary.log'), 'known planted52\n');
  await ok(['report']);
  const { text, names } = reportIn(root);
  t.notMatch(text, 'planted5');
  t.match(text, 'known ********');
  for (const name of ['daemon.log', 'apps/own/primary.log', 'audit.log.000001']) {
    t.match(text, new RegExp(`^Not available: ${name}\\S* cannot be read`, 'm'), name);
  }
  t.notOk(names.includes('apps/linked/primary.log'));
});

t.test('a damaged state: its copy says what is a secret', async (t) => {
  const { root, home, ok } = testHome(t);
  fs.mkdirSync(home, { mode: 0o700 });
  const spec = { name: 'api', env: { SHOP_PASSWORD: 'planted33' } };
  const cut = '{"apps": [{"spec": {"env": {"SHOP_PASSWORD": "plan';
  fs.writeFileSync(join(home, 'desired.json'), cut);
  fs.writeFileSync(join(home, 'desired.json.copy'), JSON.stringify({ apps: [{ spec }] }));
  // Right after a rotation.
  fs.writeFileSync(join(home, 'audit.log.000003'), 'reloaded with planted33\n');
  await ok(['report']);
  const { text } = reportIn(root);
  t.match(text, /^reloaded with \*{8}$/m);
  t.notMatch(text, 'planted33');
});

t.test('two at once', async (t) => {
  const { root, ok } = testHome(t);
  await Promise.all([ok(['report']), ok(['report'])]);
  t.equal(reportsIn(root).length, 2);
});
