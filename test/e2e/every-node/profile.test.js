/** `profile`: a whole file, or none. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { until } from '../../support/until.js';

async function started(t, options) {
  const home = testHome(t);
  const port = await home.startApi(options, { program: 'spins-three-deep.cjs' });
  const files = () => readdirSync(home.root).filter((name) => /profile|snapshot/.test(name));
  return { ...home, port, files };
}

function functionsIn(file) {
  const profile = JSON.parse(readFileSync(file, 'utf8'));
  const { nodes, samples, timeDeltas, startTime, endTime } = profile;
  if (samples.length !== timeDeltas.length || endTime <= startTime) throw new Error('not valid');
  return nodes.map(({ callFrame }) => callFrame.functionName);
}

t.test('of the CPU', async (t) => {
  const { ok, run, begin, root, port, files, home } = await started(t, []);
  const first = JSON.parse((await ok(['profile', 'api', '--cpu', '300ms', '--json'])).stdout);
  t.match(first, { app: 'api', slot: 0, generation: 1, pid: Number });
  t.match(first.file, /\/api-0-g1-\d{8}-\d{6}\.cpuprofile$/);
  const { mode, size } = statSync(first.file);
  t.equal(mode & 0o777, 0o600);
  t.equal(first.bytes, size);
  t.ok(functionsIn(first.file).includes('(root)'));

  const refused = await run(['profile', 'api:0', '--cpu', '1s', '--output', first.file]);
  t.equal(refused.code, 6);
  t.match(refused.stderr, /already exists and was not changed/);
  t.equal(statSync(first.file).size, size);

  // Until Ctrl-C.
  const long = begin(['profile', 'api:0', '--cpu', '1h', '--output', 'long.cpuprofile']);
  await long.said(/^Recording api:0/m);
  long.child.kill('SIGINT');
  const ended = await long.ended;
  t.equal(ended.code, 0, ended.stderr);
  t.ok(functionsIn(join(root, 'long.cpuprofile')).includes('(root)'));

  // Of a worker that is blocked.
  const file = join(root, 'free');
  const { pid } = await ask(port, `/spin?${file}`);
  t.match(await run(['profile', 'api:0', '--cpu', '500ms']), {
    code: 5,
    stderr: /it is blocked, so it cannot be profiled\.\n.*`nodecluster why api:0` shows where/,
  });
  writeFileSync(file, '');
  t.equal((await ask(port)).pid, pid);

  // The worker is killed in the middle.
  const lost = begin(['profile', 'api:0', '--cpu', '1h', '--output', 'lost.cpuprofile']);
  await lost.said(/^Recording api:0/m);
  process.kill(pid, 'SIGKILL');
  const { code, stderr } = await lost.ended;
  t.equal(code, 5);
  t.match(
    stderr,
    /^error: The profile of api:0 is not complete, so no file was written: the worker has exited/m,
  );
  t.notOk(files().includes('lost.cpuprofile'));
  const log = readFileSync(homePaths(home).logFile('api', 'error'), 'utf8');
  t.notMatch(log, /[Dd]ebugger|For help/);
});

t.test('of the heap, while the other worker takes the requests; wrong orders', async (t) => {
  const { ok, run, port, files, list, pidsOf } = await started(t, ['-i', '2']);
  const [, second] = await pidsOf('api');
  await until(async () => (await ask(port, '/heap')).pid === second, 'it to keep objects');
  const load = startLoad(t, { port, clients: 5, anyAnswer: true });
  await load.answers(20);
  const { stderr, stdout } = await ok(['profile', 'api:1', '--heap']);
  t.match(stderr, 'Writing the heap of api:1, which replies to nothing until that is done');
  const [name] = files();
  t.match(stdout, name);
  t.match(name, /^api-1-g1-\d{8}-\d{6}\.heapsnapshot$/);
  await load.answers(20);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  const { apps } = await list();
  t.ok(apps[0].workers.every(({ status, restarts }) => status === 'online' && restarts === 0));
  const snapshot = JSON.parse(readFileSync(stdout.split('  ')[0], 'utf8'));
  const { node_count: count, meta } = snapshot.snapshot;
  t.ok(count > 100_000);
  t.equal(snapshot.nodes.length, count * meta.node_fields.length);

  t.match(await run(['profile', 'api', '--cpu', '1s']), {
    code: 2,
    stderr: /profile takes one worker, not 2\.[^]*profile api:0 --cpu 10s/,
  });
  t.match(await run(['profile', 'api:0']), {
    code: 2,
    stderr: /profile needs --cpu <duration> or --heap/,
  });
  t.match(await run(['profile', 'api:0', '--cpu', 'x']), { code: 2, stderr: /such as 10s/ });
});
