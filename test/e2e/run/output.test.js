/** What `run` writes: the lines of the workers and its own, for readers that are quick, slow or gone. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../support/files.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { until } from '../../support/until.js';

const WRITES = `console.log('to stdout'); console.error('to stderr');`;

t.test('text, raw and JSON', async (t) => {
  const { root, begin, left } = testRun(t);
  writeFiles(root, { 'once.cjs': WRITES });
  const file = join(root, 'out.log');
  const run = (...flags) => begin([join(root, 'once.cjs'), '--no-autorestart', ...flags]).ended;

  const text = await run();
  t.match(text, { code: 0, stdout: 'once:0 | to stdout\n' });
  t.match(text.stderr, /^once:0 \| to stderr$/m);
  t.match(
    text.stderr,
    /^once \| \[nodecluster\] worker 0 exited with code 0 .*; it stays exited$/m,
  );

  const raw = await run('--raw');
  t.equal(raw.stdout, 'to stdout\n');
  t.match(raw.stderr, /^to stderr$/m);
  t.match(raw.stderr, /^\[nodecluster\] worker 0 exited with code 0/m);

  const json = await run('--json', '--output', file);
  const lines = json.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ofApp = { app: 'once', worker: 0, stream: 'out', message: 'to stdout' };
  t.match(JSON.parse(json.stdout), ofApp);
  t.match(lines[0], { app: 'once', worker: 0, stream: 'error', message: 'to stderr' });
  t.match(lines.at(-2), { app: 'run', worker: null, message: /every app has exited/ });
  t.match(lines.at(-1), { app: 'run', message: '[nodecluster] stopped' });
  t.equal(readFileSync(file, 'utf8'), json.stdout, 'a file that is named gets the lines too');
  t.same(left(), NOTHING);
});

t.test('a reader of stdout that stops, and one that is gone', async (t) => {
  const { root, begin, left } = testRun(t);
  const port = await freePort();
  writeFiles(root, {
    'floods.cjs': `let lines = 0;
      const flood = () => {
        for (let count = 0; count < 1000; count++) console.log('x'.repeat(99), lines++);
        setTimeout(flood, 5);
      };
      flood();
      const answer = (_request, response) => response.end(String(lines));
      require('node:http').createServer(answer).listen(${port});`,
  });
  const { child, ended, said } = begin([join(root, 'floods.cjs')]);
  const written = async () => Number(await ask(port));
  await until(written, 'an answer');
  child.stdout?.pause();
  const before = await written();
  await until(async () => (await written()) > before + 50_000, 'the program to write 5 MB more');
  child.stdout?.resume();
  await said(/\[nodecluster\] \d+ lines \(\d+ bytes\) were lost here \(its reader was too slow\)/);
  child.stdout?.destroy();
  const then = await written();
  await until(
    async () => (await written()) > then + 50_000,
    'the program to go on without a reader',
  );
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  t.same(left(), NOTHING);
});
