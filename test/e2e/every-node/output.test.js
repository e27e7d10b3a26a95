/** Output of workers: stdout behaves as under plain node, and log files are complete. */
import t from 'tap';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { logLines } from '../../support/log-messages.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

const { ok, run, root, home, pidsOf } = testHome(t);

const messagesOf = (file) => logLines(file).map(({ message }) => message);
/** Cheap enough to poll. */
const lineCount = (file) => readFileSync(file, 'latin1').split('\n').length - 1;

t.test('a program that waits for drain on stdout continues', async (t) => {
  const port = await freePort();
  const start = ['start', app('waits-for-drain.cjs'), '--name', 'drain', '--log-type', 'raw'];
  await ok([...start, '--no-log-rotate'], { env: { PORT: `${port}` } });
  const { bytes } = await until(() => ask(port), 'it to listen');
  const log = join(home, 'logs', 'drain-out.log');
  await until(() => readFileSync(log).length >= bytes, `${bytes} bytes in the log`);
  t.equal(readFileSync(log).length, bytes);
});

t.test('a last line without a newline is written, with a newline', async (t) => {
  await run(['start', app('writes-partial-line.cjs'), '--name', 'job', '--no-autorestart']);
  const log = join(home, 'logs', 'job-out.log');
  await until(() => messagesOf(log).length >= 2, 'both lines');
  t.same(messagesOf(log).slice(0, 2), ['a whole line', 'half a li']);
  t.ok(readFileSync(log, 'utf8').endsWith('\n'));
});

const DEATHS = [
  ['exit'],
  ['crash', /Error: crashed as told/],
  ['sigkill'],
  ['out-of-memory', /heap out of memory/],
];

t.test('no output is lost, however a worker exits', async (t) => {
  const apps = ['cluster', 'fork'].flatMap((exec_mode) =>
    DEATHS.map(([then, words]) => ({ name: `${then}-${exec_mode}`, exec_mode, then, words })),
  );
  const folderOf = (name) => join(root, name);
  for (const { name } of apps) mkdirSync(folderOf(name));
  const settings = apps.map(({ name, exec_mode, then }) => ({
    ...{ name, exec_mode, script: app('floods-log.cjs'), autorestart: false },
    node_args: ['--max-old-space-size=40'],
    env: { FLOOD: folderOf(name), LINES: 20_000, THEN: then },
  }));
  writeFileSync(join(root, 'ecosystem.json'), JSON.stringify({ apps: settings }));
  await ok(['start']);
  for (const { name, words } of apps) {
    writeFileSync(join(folderOf(name), 'go'), '');
    const file = (stream) => join(home, 'logs', `${name}-${stream}.log`);
    await until(() => lineCount(file('out')) >= 20_000, `20,000 lines of ${name}`);
    const numbers = messagesOf(file('out')).map((line) => Number(line.split(' ')[1]));
    t.same(numbers, [...numbers.keys()], name);
    if (words) await until(() => words.test(readFileSync(file('error'), 'utf8')), String(words));
  }
});

t.test('apply switches to the log file of a changed setting', async (t) => {
  const port = await freePort();
  const file = join(root, 'app.json');
  const describe = (logs) =>
    writeFileSync(
      file,
      JSON.stringify({
        ...{ name: 'api', script: app('logs-each-request.cjs'), ...logs },
        env: { PORT: port, LINE_BYTES: '6' },
      }),
    );
  describe({ out_file: 'logs/one.log' });
  await ok(['start', file]);
  const pids = await pidsOf('api');
  await ask(port);
  await until(() => messagesOf(join(root, 'logs/one.log')).length === 1, 'the first line');

  describe({ log_file: 'logs/two.log', log_type: 'json', error_file: '/dev/null' });
  await ok(['apply', file]);
  await ask(port);
  const second = join(root, 'logs/two.log');
  await until(() => logLines(second).length === 1, 'the second line');
  t.match(JSON.parse(readFileSync(second, 'utf8')), {
    ...{ app: 'api', worker: 0, stream: 'out', message: 'xxxxx' },
    time: /^\d{4}-.*Z$/,
  });
  t.equal(messagesOf(join(root, 'logs/one.log')).length, 1);
  t.same(await pidsOf('api'), pids, 'no worker was replaced');
});
