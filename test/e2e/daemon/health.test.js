/** Health checks decide which workers get traffic and which are replaced, and are told everywhere. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { app, testHome } from '../../support/home.js';
import { startBothLoads } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';

async function checkedApp(t, { env = {}, ...settings } = {}) {
  const home = testHome(t);
  const port = await freePort();
  const file = join(home.root, 'ecosystem.json');
  const health = { http: '/health', interval: '100ms', failures: 2, timeout: '30s' };
  writeFileSync(
    file,
    JSON.stringify({
      apps: [
        {
          name: 'api',
          script: app('health.cjs'),
          instances: 3,
          min_uptime: '100ms',
          env: { PORT: String(port), HEALTH_DIR: home.root, ...env },
          health,
          ...settings,
        },
      ],
    }),
  );
  return {
    ...home,
    port,
    file,
    say: (name, text) =>
      text === null ? rmSync(join(home.root, name)) : writeFileSync(join(home.root, name), text),
    untilShown: (look, what) =>
      until(async () => {
        const shown = await home.appNamed('api');
        return shown && look(shown) && shown;
      }, what),
    logged: (event) =>
      readFileSync(homePaths(home.home).daemonLog, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter((entry) => entry.event === event),
  };
}

const numbersIn = (directory, word) =>
  readdirSync(directory).flatMap((name) => Number(name.split(`${word}-`)[1]) || []);
const isHealthy = ({ isReady, health }) => isReady && health.status === 'healthy';
const orNone = (found) => found.length > 0 && found;
const pidsIn = ({ workers }) => workers.map(({ pid }) => pid);

t.test('one of three workers is replaced under load', async (t) => {
  const { ok, file, port, say, untilShown, logged } = await checkedApp(t, {
    env: { SERVES_ALWAYS: 'yes' },
  });
  await ok(['start', file]);
  const before = pidsIn(await untilShown(({ workers }) => workers.every(isHealthy), 'all to pass'));
  const load = startBothLoads(t, { port, clients: 10 });
  await load.answers(50);

  // The next one fails too, so that this state lasts until it is told otherwise.
  say('slot-1', '503 out of order');
  await untilShown(({ workers }) => workers[1].health.status === 'unhealthy', 'it to be unhealthy');
  const shown = await ok(['ls']);
  t.match(shown.stdout, /api:1 +unhealthy/);
  t.match(shown.stderr, 'api:1  GET /health: 503 out of order');
  const metrics = (await ok(['metrics'])).stdout;
  for (const [slot, value] of [1, 0, 1].entries()) {
    for (const name of ['healthy', 'ready']) {
      const line = new RegExp(
        `^nodecluster_worker_${name}\\{.*worker="${slot}".*\\} ${value}$`,
        'm',
      );
      t.match(metrics, line);
    }
  }
  say(`pid-${before[1]}`, '503 out of order');
  say('slot-1', null);
  const after = pidsIn(
    await untilShown(
      ({ workers }) => workers.every(isHealthy) && workers[1].pid !== before[1],
      'the replacement',
    ),
  );
  t.same([after[0], after[2]], [before[0], before[2]], 'nobody else');
  await load.answers(50);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  const reason = 'GET /health: 503 out of order';
  t.match(logged('worker.unhealthy'), [{ level: 'warn', slot: 1, pid: before[1], reason }]);
  // On a busy machine it may fail once more before its replacement starts.
  const why = /^failed its health check \d+ times in a row \(GET \/health: 503 out of order\)$/;
  const started = logged('worker.started').filter((entry) => entry.why);
  t.match(started, [{ level: 'info', slot: 1, why }], 'one replacement');

  say('all', '503 no database');
  const { note } = await untilShown((shown) => shown.note, 'the note');
  const nobody = 'health check fails on every worker, so none is replaced: GET /health: 503';
  t.match(note, nobody);
  t.match((await ok(['ls'])).stderr, `api  ${nobody}`);
});

t.test('a command that checks ends with its primary, and with its worker', async (t) => {
  const exec = ['sh', '-c', 'test -e hang || exit 0; echo $$ > check-$$; exec sleep 600'];
  const { root, file, list, ok, say, untilShown } = await checkedApp(t, {
    ...{ instances: 1, treekill: false },
    health: { exec, interval: '100ms', timeout: '10m' },
  });
  await ok(['start', file]);
  say('hang', '');
  const [first] = await until(() => orNone(numbersIn(root, 'check')), 'a check');
  say('hang', null);
  process.kill((await list()).apps[0].primaryPid, 'SIGKILL');
  await until(() => !isRunning(first), 'it to end');
  await untilShown(({ workers }) => workers.every(isHealthy), 'the next worker to pass');
  say('hang', '');
  const others = () => numbersIn(root, 'check').filter((pid) => pid !== first);
  const [second] = await until(() => orNone(others()), 'its next check');
  await ok(['delete', 'api']);
  await until(() => !isRunning(second), 'it to end');
});
