/** `monit` in a real terminal: keys, size, and what it leaves behind however it ends. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, NODE, app, testHome } from '../../support/home.js';
import { inTerminal, noTerminal } from '../../support/pseudo-terminal.js';
import { until } from '../../support/until.js';

const home = testHome(t);
if (!noTerminal) await home.startApi(['-i', '2']);

async function monitor(t, { args = ['monit'], env = {}, program = [NODE, BIN, ...args] } = {}) {
  return inTerminal(t, program, { cwd: home.root, env: { ...home.env, ...env } });
}

async function leftAsItWas(t, terminal, code) {
  const ended = await terminal.ended();
  t.equal(ended.code, code);
  t.match(ended.terminal, /(?<!-)icanon/, 'lines are edited again');
  t.match(ended.terminal, /(?<!-)echo\b/, 'what is typed is shown again');
  const output = terminal.output();
  for (const [on, off] of [
    ['?1049h', '?1049l'],
    ['?25l', '?25h'],
    ['?7l', '?7h'],
  ]) {
    t.ok(output.lastIndexOf(off) > output.lastIndexOf(on), `${off} comes last`);
  }
  t.notMatch(output, /\n {4}at /, 'no stack trace');
}

t.test('it follows the size of the terminal', { skip: noTerminal }, async (t) => {
  const terminal = await monitor(t);
  await terminal.shows(/▸ api/);
  t.notMatch(terminal.screen()[1], /uptime/);
  terminal.resize(200, 50);
  await terminal.shows(/ uptime .* pid$/m);
  await until(() => terminal.screen().length === 50, 'a foot in the last row');
  terminal.resize(60, 20);
  // stty sets the height before the width, and the program may draw in between.
  const tooWide = () => terminal.screen().filter((line) => line.length > 60);
  await until(() => terminal.screen().length === 20 && tooWide().length === 0, 'the small screen');
  t.same(tooWide(), []);
  terminal.type('\u0003');
  await leftAsItWas(t, terminal, 0);
});

for (const [signal, code] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
]) {
  t.test(`${signal} restores the terminal`, { skip: noTerminal }, async (t) => {
    const terminal = await monitor(t);
    await terminal.shows(/▸ api/);
    await terminal.signal(signal);
    await leftAsItWas(t, terminal, code);
  });
}

t.test('SIGCONT draws again', { skip: noTerminal }, async (t) => {
  const terminal = await monitor(t);
  await terminal.shows(/▸ api/);
  await terminal.signal('SIGCONT');
  await terminal.showed(/\?1049h[^]*\?1049h[^]*▸/);
  terminal.type('q');
  await leftAsItWas(t, terminal, 0);
});

t.test('a bug restores the terminal', { skip: noTerminal }, async (t) => {
  const [bomb, fuse] = ['bomb.cjs', 'fuse'].map((name) => join(home.root, name));
  writeFileSync(
    bomb,
    `setInterval(() => { if (require('fs').existsSync('${fuse}')) throw 'boom'; }, 20).unref()`,
  );
  const terminal = await monitor(t, { program: [NODE, '--require', bomb, BIN, 'monit'] });
  await terminal.shows(/▸ api/);
  writeFileSync(fuse, '');
  await leftAsItWas(t, terminal, 1);
  t.match(terminal.output(), 'boom');
});

t.test('a blocked terminal delays neither monit nor its exit', { skip: noTerminal }, async (t) => {
  const terminal = await monitor(t);
  await terminal.shows(/▸ api/);
  terminal.pause();
  for (let press = 0; press < 200; press += 1) terminal.type('jk\u000c');
  await terminal.signal('SIGTERM');
  terminal.resume();
  t.equal((await terminal.ended()).code, 143);
});

t.test('a terminal that cannot move the cursor', { skip: noTerminal }, async (t) => {
  const terminal = await monitor(t, { env: { TERM: 'dumb' } });
  t.equal((await terminal.ended()).code, 7);
  t.match(terminal.output(), /error: monit cannot draw on this terminal \(TERM=dumb\)\./);
  t.match(terminal.output(), /watch nodecluster ls/);
  t.notMatch(terminal.output(), '\u001b[?1049h');
});

t.test('keys in a real terminal', { skip: noTerminal }, async (t) => {
  const terminal = await monitor(t);
  await terminal.shows(/▸ api +2 online[^]*:1 +online[^]*── log of api ─/);
  terminal.type('j');
  await terminal.shows(/▸ +:0 [^]*── log of api:0 ─/);
  terminal.type('\u001b[B');
  await terminal.shows(/▸ +:1 /);
  terminal.type('?');
  await terminal.shows(/Keys[^]*stop; start if stopped/);
  terminal.type('q/1');
  await terminal.shows(/filter: 1_/);
  terminal.type('\r');
  await terminal.shows(/only 1/);
  terminal.type('\u001b');
  await terminal.shows(/:0 [^]*▸ +:1 [^]* \? help/);
  terminal.type('d');
  await terminal.shows(/script +[^ ]+http-pid\.cjs/);
  terminal.type('qR');
  await terminal.shows(/Restart api:1\?.*y \/ n/);
  terminal.type('n');
  await terminal.shows(/ \? help/);
  terminal.type('+');
  await terminal.shows(/Scale api from 2 to 3\?/);
  terminal.type('y');
  await terminal.shows(/3 online[^]*:2 +online/);
  await until(async () => (await home.appNamed('api')).workers.length === 3, 'three workers');
  terminal.type('r');
  await terminal.shows(/Reload api:1\?/);
  terminal.type('y');
  await terminal.showed(/1 worker replaced/);
  terminal.type('q');
  await leftAsItWas(t, terminal, 0);
});

t.test('the daemon is killed while it runs', { skip: noTerminal }, async (t) => {
  const terminal = await monitor(t);
  await terminal.shows(/▸ api +\d online/);
  const { daemon } = await home.list();
  process.kill(daemon.pid, 'SIGKILL');
  await terminal.showed(/no daemon for/);
  await until(() => !/no daemon/.test(terminal.screen()[0]), 'it to find the next daemon');
  t.not((await home.list()).daemon.pid, daemon.pid);
  terminal.type('r');
  await terminal.shows(/Reload api\?/);
  terminal.type('y');
  await terminal.showed(/\d workers replaced/);
  terminal.type('q');
  await leftAsItWas(t, terminal, 0);
});

t.test('the log of an app that crashes', { skip: noTerminal }, async (t) => {
  await home.run(['start', app('throws-at-load.cjs'), '--name', 'bad', '--max-restarts', '1']);
  const terminal = await monitor(t);
  await terminal.shows(/▸ bad [^]*── log of bad ─[^]* at /);
  terminal.type('l');
  await terminal.shows(
    /^ 2 apps.*\n── log of bad[^]*the configuration is missing[^]*q back {2}↑ ↓/,
  );
  terminal.type('q');
  await terminal.shows(/▸ bad[^]* \? help/);
  terminal.type('q');
  await leftAsItWas(t, terminal, 0);
});

t.test('without a terminal monit refuses', async (t) => {
  const { run } = testHome(t);
  const { code, stdout, stderr } = await run(['monit']);
  t.equal(code, 7);
  t.equal(stdout, '');
  t.match(stderr, /^error: monit needs a terminal[^]*`watch nodecluster ls`[^]*metrics/);
});
