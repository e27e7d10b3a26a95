/** `reload --canary`: what the command says, and what becomes of the judgement when a process is killed. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { app, testHome } from '../../support/home.js';
import { startBothLoads, startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

// They wait more than they work.
t.jobs = 3;

const FAST = ['--min-uptime', '200ms'];

/** Two workers of a program that a file decides about. */
async function startedApp(t) {
  const home = testHome(t);
  const port = await freePort();
  const script = path.join(home.root, 'server.cjs');
  const release = (setting) =>
    writeFileSync(script, `${setting}; require(${JSON.stringify(app('fails-sometimes.cjs'))});`);
  release('');
  const env = { PORT: String(port) };
  await home.ok(['start', script, '--name', 'api', '-i', '2', ...FAST], { env });
  const isJudged = () =>
    until(async () => {
      const api = await home.appNamed('api');
      return api.canary?.canary.requests > 0 && api;
    }, 'the canary to be judged');
  const isDone = (generation) =>
    until(async () => {
      const { status, busy, workers } = await home.appNamed('api');
      const areNew = workers.every((each) => each.generation === generation);
      return status === 'online' && busy === undefined && areNew;
    }, `generation ${generation}`);
  return { ...home, port, release, isJudged, isDone };
}

t.test('taken back under load, after a kill of the primary, and by another command', async (t) => {
  const home = await startedApp(t);
  const { run, ok, begin, port, release, isJudged, pidsOf } = home;
  const load = startBothLoads(t, { port, clients: 4 });
  const before = await pidsOf('api');
  release('process.env.FAILS = 0.5');
  const bad = await run(['reload', 'api', '--canary', '1', '--for', '5m']);
  t.equal(bad.code, 5, bad.stderr);
  t.match(bad.stderr, /api:\d judged it is taken back: \d+ requests, \d+ % 5xx/);
  t.match(bad.stderr, /reload failed; 2 workers run the old version/);
  t.match(
    bad.stderr.replace(/\s+/g, ' '),
    /taken back: it answered with 5xx: \d+ % of \d+ requests/,
  );
  t.same(await pidsOf('api'), before);

  release('');
  const order = ['reload', 'api', '--canary', '1', '--max-p99', '1000x', '--for', '5m'];
  const second = begin(order);
  const api = await isJudged();
  t.match(api, { busy: 'reload', canary: { slots: [0], since: Number, canary: { errors: 0 } } });
  const said = (await ok(['describe', 'api'])).stdout.replace(/\s+/g, ' ');
  t.match(said, /reloading 0\/2/);
  t.match(said, /judged :0 time left \dm \d+s requests \d+, the old workers \d+ 5xx 0 %, the old/);
  const { codes } = await load.stop();
  t.same(Object.keys(codes), ['HTTP_500'], 'nothing but the errors of the canary was lost');

  startLoad(t, { port, keepAlive: false, clients: 2 });
  const killed = await home.killPrimary('api');
  const lost = await second.ended;
  t.equal(lost.code, 5, lost.stderr);
  const back = await home.isBack('api', killed);
  t.match(back, { instances: 2, canary: undefined });

  const third = begin(order);
  await isJudged();
  t.match(await run(['stop', 'api']), { code: 0 }, 'does not wait for minutes');
  t.match(await third.ended, { code: 5, stderr: /taken back: another command was given/ });
  t.match(await run(['reload', 'api', '--for', '2m']), { code: 2, stderr: /need --canary/ });
  t.match(await run(['reload', 'api', '--canary', '1', '--max-5xx', '1']), {
    code: 2,
    stderr: /percentage such as\s+0.5%/,
  });
});

t.test('it gets its share of a few short requests, and outlives the daemon', async (t) => {
  const { ok, run, begin, port, isJudged, isDone, list } = await startedApp(t);
  const load = startLoad(t, { port, keepAlive: false, clients: 1 });
  await load.answers(20);
  const order = ['reload', 'api', '--canary', '1', '--max-p99', '1000x', '--for'];
  const { code, stderr } = await run([...order, '4s']);
  t.equal(code, 0, stderr);
  t.match(stderr, /api:0 judging for 4s, beside 2 old/);
  const judged =
    /api:0 judged it may replace the others: (\d+) requests, .*\(old workers: (\d+)/.exec(stderr);
  const [own, old] = (judged ?? []).slice(1).map(Number);
  t.ok(own > old / 8, `it answered ${own}, two old workers ${old}`);
  await isDone(2);

  const again = begin([...order, '15s']);
  await isJudged();
  process.kill((await list()).daemon.pid, 'SIGKILL');
  t.equal((await again.ended).code, 8);
  await isDone(3);
  t.same((await load.stop()).failures, []);

  const forked = ['start', app('http-pid.cjs'), '--name', 'forked', '--exec-mode', 'fork', ...FAST];
  await ok(forked, { env: { PORT: '0' } });
  const refused = await run(['reload', 'forked', '--canary', '1']);
  t.equal(refused.code, 5);
  t.match(refused.stderr, /cannot\s+be\s+judged:\s+its\s+new\s+workers/);
});
