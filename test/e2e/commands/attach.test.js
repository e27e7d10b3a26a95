/** `attach` writes to the stdin of a worker and shows its output; `run` hands on its own stdin. */
import t from 'tap';
import { BIN, NODE, app, testHome } from '../../support/home.js';
import { testRun } from '../../support/foreground/run.js';
import { inTerminal, noTerminal } from '../../support/pseudo-terminal.js';
import { until } from '../../support/until.js';

const SCRIPT = app('reads-lines.cjs');

t.test('a pipe', async (t) => {
  const { ok, run, list } = testHome(t);
  await ok(['start', SCRIPT, '--name', 'bot']);
  await ok(['attach', 'bot'], { stdin: 'one\ntwo\n' });
  const logged = async () => (await ok(['logs', 'bot', '--no-follow', '--raw'])).stdout;
  await until(async () => /read one\nread two\n/.test(await logged()), 'both lines');
  process.kill((await list()).daemon.pid, 'SIGKILL');
  await ok(['attach', 'bot:0'], { stdin: 'three\n' });
  await until(async () => /read three\n/.test(await logged()), 'a line after another daemon');

  // The second one ends: its stdin is /dev/null.
  await run(['scale', 'bot', '2']);
  const several = await run(['attach', 'bot'], { stdin: 'x\n' });
  t.match(several, { code: 2, stderr: /names bot:0, bot:1/ });
  await ok(['stop', 'bot']);
  const stopped = await run(['attach', 'bot:0'], { stdin: 'x\n' });
  t.match(stopped, { code: 5, stderr: /bot:0 does not run/ });
});

t.test('typed in a terminal', { skip: noTerminal }, async (t) => {
  const { ok, env, root } = testHome(t);
  await ok(['start', SCRIPT, '--name', 'bot', '--exec-mode', 'fork']);
  const terminal = await inTerminal(t, [NODE, BIN, 'attach', 'bot'], { env, cwd: root });
  await terminal.shows(/reads lines/);
  terminal.type('hello\r');
  await terminal.shows(/read hello/);
  terminal.type('\u0004');
  t.match(await terminal.ended(), { code: 0 });
  t.match((await ok(['ls'])).stdout, /online/, 'it runs on');
});

t.test('run: a pipe, and its end', async (t) => {
  const { begin } = testRun(t);
  const args = [SCRIPT, '--name', 'bot', '--no-autorestart'];
  const { code, stdout, stderr } = await begin(args, { stdin: 'one\ntwo\n' }).ended;
  t.equal(code, 0);
  t.match(stdout, /read one\nbot:0 \| read two\n/);
  t.match(stderr, /exited with code 0 at the end of its stdin/);
});
