/** `logs` in a shell: over rotations, through pipes, on a terminal. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../support/files.js';
import { BIN, NODE, app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until, within } from '../../support/until.js';

const script = whyNoScript();

/** An app `api` that writes what it is asked to. */
async function talker(t, settings = {}) {
  const home = testHome(t);
  const port = await freePort();
  const api = {
    name: 'api',
    script: app('writes-on-demand.cjs'),
    env: { PORT: port },
    ...settings,
  };
  writeFiles(home.root, { 'ecosystem.yml': { apps: [api] } });
  await home.ok(['start', 'ecosystem.yml']);
  const logs = join(home.home, 'logs');
  const written = () =>
    ['out', 'error'].map((end) => textOf(join(logs, `api-${end}.log`))).join('');
  const say = (text) => ask(port, `/${encodeURI(text)}`);
  /** Resolves when it is in the file. */
  const log = async (text) => {
    await say(text);
    await until(() => written().includes(text), `${text} in the log`);
  };
  return { ...home, say, log };
}

function watch(child) {
  const received = { out: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (received.out += text));
  }
  const closed = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  return {
    received,
    ended: () => within(closed, 'the end', 60_000),
    receives: (text) => until(() => received.out.includes(text), `'${text}' in '${received.out}'`),
  };
}

t.test('every line, over rotations, while a program writes', async (t) => {
  const { begin, say, log, home } = await talker(t, {
    log_rotate: { max_size: '100K', keep: 1000, compress: true },
  });
  await log('first');
  const logs = begin(['logs', 'api', '--raw']);
  await logs.said(/first/);
  await say('lines/20000');
  await say('last');
  await logs.said(/^last$/m);
  logs.child.kill('SIGINT');
  const { code, stdout, stderr } = await logs.ended;
  t.equal(code, 130);
  t.equal(stderr, '');
  const numbers = stdout.split('\n').slice(1, -2);
  t.equal(numbers.length, 20_000);
  t.ok(numbers.every((line, index) => line.startsWith(`${index} x`)));
  const rotated = readdirSync(join(home, 'logs')).filter((name) => /out\.log\.\d+/.test(name));
  t.ok(rotated.length > 5, `${rotated.length} rotations`);
});

t.test('new lines, a new app and a deleted app', async (t) => {
  const { begin, say, run, ok } = await talker(t);
  await say('one');
  const logs = begin(['logs']);
  await logs.said(/api:0 \| one/);
  await run(['start', app('writes-partial-line.cjs'), '--name', 'job', '--no-autorestart']);
  await logs.said(/job:0 \| half a li/);
  await ok(['delete', 'job']);
  await say('error two');
  await logs.said(/api:0 ! error two/);
  logs.child.kill('SIGINT');
  t.equal((await logs.ended).code, 130);
});

t.test(
  'on a terminal: colours, no control sequences of programs, Ctrl-C',
  { skip: script },
  async (t) => {
    const { log, env, root } = await talker(t);
    await log('\u001b[32mgreen\u001b[2J');
    await log('error');
    const onTerminal = (prefix, options = '') => {
      const command = `stty cols 40 rows 20; ${prefix} exec "${NODE}" "${BIN}" logs ${options}`;
      const child = spawnClean('script', ['-q', '-e', '-f', '-c', command, '/dev/null'], {
        cwd: root,
        env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
      });
      return { child, ...watch(child) };
    };
    const coloured = onTerminal('');
    await coloured.receives('error');
    t.match(coloured.received.out, '\u001b[32mgreen\\x1b[2J\u001b[0m\r\n');
    t.match(coloured.received.out, '\u001b[31m!\u001b[39m error');
    coloured.child.stdin.write('\u0003');
    t.equal(await coloured.ended(), 130);
    t.ok(coloured.received.out.endsWith('\u001b[0m'), 'the colours of the terminal are as before');

    const plain = onTerminal('NO_COLOR=1', '--no-follow');
    t.equal(await plain.ended(), 0);
    const lines = plain.received.out.replace(/^\d\d:\d\d:\d\d /gm, '');
    t.equal(lines, 'api:0 | green\\x1b[2J\r\napi:0 ! error\r\n');
    plain.child.stdin.end();
  },
);

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** @returns why there is no terminal to be had for a test */
function whyNoScript() {
  try {
    const version = execFileSync('script', ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return version.includes('util-linux') ? false : 'script is not that of util-linux';
  } catch {
    return 'there is no script of util-linux here';
  }
}
