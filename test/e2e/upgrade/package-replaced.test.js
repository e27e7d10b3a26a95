/** npm replaces or removes the package under a running tree, somebody its copy in the home, apt or nvm the file of Node. */
import {
  chmodSync,
  copyFileSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path, { join } from 'node:path';
import t from 'tap';
import { NODE, app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { freePort } from '../../support/ports.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { readUnit } from '../../support/systemd.js';
import { until } from '../../support/until.js';

// They wait more than they work.
t.jobs = 3;

const EARLIER = { version: '8.0.0' };
const AGENT = [[/^/, 'throw new Error("an agent of another version");\n']];

/** Starts a service's command, and again whenever it has exited, as `Restart=always` does. */
function restartingService(t, { command: [program, ...args], env }) {
  const service = { isEnabled: true, pid: 0 };
  t.teardown(() => (service.isEnabled = false));
  const start = () => {
    const child = spawnClean(program, args, { env, cwd: '/', stdio: 'ignore' });
    child.once('exit', () => service.isEnabled && start());
    service.pid = child.pid;
  };
  start();
  return service;
}

t.test('a service keeps its daemon, and takes the version in its directory', async (t) => {
  const home = testHome(t);
  const { root, env, ok, run, list } = home;
  const installed = join(root, 'installed');
  const bin = await makeOtherVersion(installed, EARLIER);
  const port = await home.startApi([], { bin });
  const unit = readUnit((await ok(['startup', 'systemd', '--print'], { bin })).stdout);
  const service = restartingService(t, { ...unit, env: { ...unit.env, HOME: env.HOME } });
  await until(async () => (await list()).daemon.pid === service.pid, 'the daemon of the service');
  const before = await list();

  rmSync(installed, { recursive: true });
  await makeOtherVersion(installed, { kept: { 'src/agent/main.cjs': AGENT } });
  const [{ primaryPid, workers }] = before.apps;
  process.kill(workers[0].pid, 'SIGKILL');
  await until(() => ask(port), 'a worker with the agent of its primary');

  const other = await run(['update']);
  t.match(other, { code: 6, stderr: /runs another command.*Nothing was changed/ });
  t.match(other.stderr, `the service: ${NODE} ${bin}`);
  t.equal((await list()).daemon.pid, before.daemon.pid, 'nothing was changed');

  t.match(await ok(['update'], { bin }), { stdout: /8\.0\.0 → 9\.0\.0/ });
  const after = await list();
  t.strictSame(after.daemon, { ...after.daemon, version: '9.0.0', pid: service.pid });
  t.equal(after.apps[0].primaryPid, primaryPid);
  t.match(await ok(['update'], { bin }), { stdout: /up to date: nodecluster 9\.0\.0/ });

  service.isEnabled = false;
  rmSync(installed, { recursive: true });
  await makeOtherVersion(installed, EARLIER);
  const alone = await run(['update'], { bin });
  t.match(alone, { code: 8, stderr: /service did not start .*\n *nodecluster 8\.0\.0 \(pid / });
  t.match((await list()).apps, [{ primaryPid, status: 'online' }], 'the app has its daemon');
});

const MARKED = [[/X-Content-Type-Options/g, 'X-Later']];

t.test('it serves without the package that started it, and by the next one', async (t) => {
  const { root, ok, appNamed } = testHome(t);
  const first = join(root, 'first');
  const bin = await makeOtherVersion(first, EARLIER);
  const port = String(await freePort());
  const page = () => fetch(`http://127.0.0.1:${port}/`).catch(() => null);
  await ok(['serve', '.', port, '--name', 'site'], { bin });
  t.equal((await page())?.headers.has('x-later'), false);

  rmSync(first, { recursive: true });
  const { workers } = await appNamed('site');
  process.kill(workers[0].pid, 'SIGKILL');
  await until(async () => (await appNamed('site')).workers[0].pid !== workers[0].pid, 'its exit');
  await until(page, 'another worker to serve');

  const kept = { 'src/clients/serve/main.js': MARKED };
  const later = await makeOtherVersion(join(root, 'later'), { kept });
  await ok(['update', '--apps'], { bin: later });
  t.equal((await page())?.headers.has('x-later'), true, 'the program of the new version');

  const file = join(root, 'site.yml');
  await ok(['init', '--from-running', file], { bin: later });
  await ok(['delete', 'site']);
  await ok(['update']);
  await ok(['start', file]);
  t.equal((await page())?.headers.has('x-later'), false, 'and of the version that starts the file');
});

t.test('workers, primaries and daemons start after the home was removed', async (t) => {
  const home = testHome(t);
  await home.ok(['start', app('http-pid.cjs'), '--name', 'api'], {
    env: { PORT: String(await freePort()) },
  });
  const filesOf = () => readdirSync(path.join(home.home, 'versions'), { recursive: true }).sort();
  const files = filesOf();
  // In one step: files that come back while the directory is being removed would be removed as well.
  const removed = path.join(home.root, 'removed');
  renameSync(home.home, removed);
  await until(() => {
    // Its daemon may write to its log meanwhile.
    rmSync(removed, { recursive: true, force: true });
    return true;
  }, 'the home to be removed');
  await until(() => String(filesOf()) === String(files), 'the copy to be restored');

  const [pid] = await home.pidsOf('api');
  process.kill(pid, 'SIGKILL');
  await until(async () => (await home.isBack('api')).workers[0].pid !== pid, 'another worker');
  await home.isBack('api', await home.killPrimary('api'));
  await home.killDaemon();
  t.ok(await home.isBack('api'));
});

const PROGRAM = `require('node:http').createServer((request, response) => {
  response.end(JSON.stringify([process.pid, process.execPath, process.argv[0]]));
}).listen(process.env.PORT);`;
const skip = process.platform === 'linux' ? false : 'only Linux keeps the file of a program';

t.test(
  'workers and primaries stay on the Node that the tree was started with',
  { skip },
  async (t) => {
    const { root, ok, appNamed } = testHome(t);
    const node = join(root, 'node');
    provideNode(node);
    const program = join(root, 'app.cjs');
    writeFileSync(program, PROGRAM);
    const port = await freePort();
    await ok(['start', program, '--name', 'api'], { node, env: { PORT: String(port) } });
    const kill = async (which) => {
      const { primaryPid, workers } = await appNamed('api');
      const [worker] = workers;
      process.kill(which === 'worker' ? worker.pid : primaryPid, 'SIGKILL');
      const answer = await until(async () => {
        const [pid, ...paths] = await ask(port);
        return pid !== worker.pid && paths;
      }, `another worker after the ${which}`);
      t.strictSame(answer, [node, node], 'and it can start others');
    };

    rmSync(node);
    writeFileSync(node, '#!/bin/sh\nexit 9\n');
    chmodSync(node, 0o755);
    await kill('worker');
    await kill('primary');
    rmSync(node);
    await kill('worker');
    await kill('primary');
  },
);

function provideNode(path) {
  try {
    linkSync(NODE, path);
  } catch {
    copyFileSync(NODE, path);
  }
}
