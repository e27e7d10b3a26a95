/** `events`, also across a restart of the daemon, `send`, `signal`, and `attach` to the stdin of a worker. */
import t from 'tap';
import { testRun } from '../../support/foreground/run.js';
import { BIN, NODE, app, testHome } from '../../support/home.js';
import { inTerminal, noTerminal } from '../../support/pseudo-terminal.js';
import { until } from '../../support/until.js';

t.test(
  'events of apps, messages of programs, and events from the time without a daemon',
  async (t) => {
    const { ok, run, begin, list, pidsOf, startApi } = testHome(t);
    await startApi(['-i', '2'], { program: 'talks.cjs' });
    const listener = begin(['events', 'api', '--json']);
    t.teardown(() => listener.child.kill('SIGKILL'));
    let text = '';
    listener.child.stdout.on('data', (chunk) => (text += chunk));
    const received = (isIt, what) =>
      until(() => text.split('\n').slice(0, -1).map(JSON.parse).find(isIt), what);
    // It may not have subscribed yet, so repeat the message until it has.
    await until(async () => {
      await ok(['send', 'api', '"are you there"']);
      return text.includes('are you there');
    }, 'it to listen');
    const { stdout } = await ok(['send', 'api', '{"n": 1}']);
    t.equal(stdout, 'Sent to 2 workers of api.\n');
    const said = await received(({ data }) => data?.n === 1, 'what the program says');
    t.match(said, { type: 'worker.event', name: 'heard', app: 'api', pid: Number });

    const signalled = await ok(['sendSignal', 'winch', 'api:1', '--json']);
    t.match(JSON.parse(signalled.stdout).apps, [{ name: 'api', sent: [1], failed: [] }]);
    t.match(await run(['signal', 'SIGNOPE', 'api']), { code: 2, stderr: /not a signal/ });

    const { daemon } = await list();
    const [pid] = await pidsOf('api');
    process.kill(daemon.pid, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    const exited = ({ type, pid: of }) => type === 'worker.exited' && of === pid;
    t.match(await received(exited, 'the death'), { signal: 'SIGKILL', slot: Number, id: Number });

    const reserved = await run(['send', 'api', '{"cmd": "NODE_CLUSTER"}']);
    t.equal(reserved.code, 2);
    t.match(reserved.stderr, 'reserved for Node itself');
  },
);

t.test('when the reader closes the pipe, nothing is left running', async (t) => {
  const { ok, begin, startApi } = testHome(t);
  await startApi([], { program: 'talks.cjs' });
  const events = begin(['events']);
  let hasEnded = false;
  const ended = events.ended.finally(() => (hasEnded = true));
  events.child.stdout.destroy();
  // It may not listen yet, and only what it writes tells it that nobody reads.
  await until(async () => {
    await ok(['send', 'api', '1']);
    return hasEnded;
  }, 'it to exit');
  t.match(await ended, { code: 0, stderr: /^Waiting for events;.*\n$/ });
});

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
