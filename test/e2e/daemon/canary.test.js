/** `reload --canary`: what the command says, and what becomes of the judgement when a process is killed. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

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
  const isDone = (generation) => async () => {
    const { workers, busy } = await home.appNamed('api');
    return busy === undefined && workers.every((each) => each.generation === generation);
  };
  return { ...home, port, release, isJudged, isDone };
}

t.test('taken back under load, and then followed', async (t) => {
  const { run, ok, begin, port, release, isJudged, isDone, pidsOf } = await startedApp(t);
  const loads = [true, false].map((keepAlive) => startLoad({ port, keepAlive, clients: 4 }));
  const before = await pidsOf('api');
  release('process.env.FAILS = 0.5');
  const bad = await run(['reload', 'api', '--canary', '1', '--for', '30s']);
  t.equal(bad.code, 5, bad.stderr);
  t.match(bad.stderr, /api:\d judged it is taken back: \d+ requests, \d+ % 5xx/);
  t.match(bad.stderr, /reload failed for 1 of 2 workers; 2 workers run the old version/);
  t.match(
    bad.stderr.replace(/\s+/g, ' '),
    /taken back: it answered with 5xx: \d+ % of \d+ requests/,
  );
  t.same(await pidsOf('api'), before);
  release('');
  const good = begin(['reload', 'api', '--canary', '1', '--for', '12s', '--max-p99', '1000x']);
  const api = await isJudged();
  t.match(api, { busy: 'reload', canary: { slots: [0], since: Number, canary: { errors: 0 } } });
  const { stdout } = await ok(['describe', 'api']);
  const said = stdout.replace(/\s+/g, ' ');
  t.match(said, /reloading 0\/2/);
  t.match(said, /judged :0 time left \d+m?s requests \d+, the old workers \d+ 5xx 0 %, the old/);
  const { code, stderr } = await good.ended;
  t.equal(code, 0, stderr);
  t.match(stderr, /api:0 judging for 12s, beside 2 old/);
  t.match(stderr, /api:0 judged it may replace the others/);
  t.ok(await isDone(3)());
  const ended = await Promise.all(loads.map((load) => load.stop()));
  const codes = ended.flatMap((end) => Object.keys(end.codes));
  t.same([...new Set(codes)], ['HTTP_500'], 'nothing but the errors of the canary was lost');
});

t.test('a canary gets its share of a few short requests', async (t) => {
  const { run, port } = await startedApp(t);
  const load = startLoad({ port, keepAlive: false, clients: 1 });
  await load.answers(20);
  const order = ['--canary', '1', '--for', '6s', '--max-p99', '1000x'];
  const { code, stderr } = await run(['reload', 'api', ...order]);
  t.equal(code, 0, stderr);
  const judged = /may replace the others: (\d+) requests, .*\(old workers: (\d+)/.exec(stderr);
  const [own, old] = (judged ?? []).slice(1).map(Number);
  t.ok(own > old / 8, `it answered ${own}, two old workers ${old}`);
  t.same((await load.stop()).failures, []);
});

t.test('the daemon is killed, then the primary', async (t) => {
  const { begin, run, list, port, isJudged, isDone, appNamed } = await startedApp(t);
  const load = startLoad({ port, keepAlive: false, clients: 2 });
  const order = ['reload', 'api', '--canary', '1', '--max-p99', '1000x', '--for'];
  const first = begin([...order, '8s']);
  await isJudged();
  process.kill((await list()).daemon.pid, 'SIGKILL');
  t.equal((await first.ended).code, 8);
  await until(isDone(2), 'the reload to go on');
  const second = begin([...order, '60s']);
  await isJudged();
  process.kill((await appNamed('api')).primaryPid, 'SIGKILL');
  const { code, stderr } = await second.ended;
  t.equal(code, 5, stderr);
  const isStarted = async () => {
    const { status, busy } = await appNamed('api');
    return status === 'online' && busy === undefined;
  };
  await until(isStarted, 'the app to be online');
  t.match(await appNamed('api'), { instances: 2 });
  t.notOk('canary' in (await appNamed('api')));
  const third = begin([...order, '60s']);
  await isJudged();
  t.match(await run(['stop', 'api']), { code: 0 }, 'does not wait for a minute');
  t.match(await third.ended, { code: 5, stderr: /taken back: another command was given/ });
  await load.stop();
  t.match(await run(['reload', 'api', '--for', '2m']), { code: 2, stderr: /need --canary/ });
  t.match(await run(['reload', 'api', '--canary', '1', '--max-5xx', '1']), {
    code: 2,
    stderr: /percentage such as\s+0.5%/,
  });
});

t.test('not in fork mode', async (t) => {
  const { run, startApi } = testHome(t);
  await startApi(['--exec-mode', 'fork', ...FAST]);
  const refused = await run(['reload', 'api', '--canary', '1']);
  t.equal(refused.code, 5);
  t.match(refused.stderr, /cannot\s+be\s+judged:\s+its\s+new\s+workers/);
});
