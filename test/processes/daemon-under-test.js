/** A daemon in a home of its own, asked over its socket; when the test ends nothing of it is left. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../../src/protocol/client.js';
import { homePaths } from '../../src/shared/home.js';
import { placeOf } from '../support/primary-place.js';
import { app as fixture } from '../support/home.js';
import { freePort } from '../support/ports.js';
import { isRunning, killAll } from '../support/processes.js';
import { plainEnv, spawnClean } from '../support/spawn-clean.js';
import { specWith } from '../support/spec.js';
import { until } from '../support/until.js';
import { worded } from '../support/worded.js';

const MAIN = fileURLToPath(new URL('../../src/daemon/main.js', import.meta.url));

export function daemonUnderTest(t) {
  const root = mkdtempSync(path.join(tmpdir(), 'nc-'));
  const home = path.join(root, 'home');
  const paths = homePaths(home);
  const clients = new Set();

  let started = null;
  let ending = null;

  /** Starts one beside whatever runs. */
  const spawnDaemon = (env = {}, mode = 'background') =>
    spawnClean(process.execPath, [MAIN, home, mode], {
      env: { ...plainEnv(root), ...env },
      stdio: 'ignore',
    });

  /** Connects to the daemon that runs, or will. */
  const dial = async () => {
    const client = await until(
      () =>
        connect(paths.daemonSocket, { hello: { role: 'test', version: '0' }, timeoutMs: 20_000 }),
      'a daemon to answer',
    );
    clients.add(client);
    return client;
  };
  /** One request on a connection of its own, so that it finds the daemon of the moment. */
  const ask = async (method, params = {}, { onNotification, ...options } = {}) => {
    const client = await dial();
    const seen = onNotification && ((kind, event) => onNotification(kind, worded(event)));
    try {
      const whole = { timeoutMs: 60_000, ...options, onNotification: seen };
      return worded(await client.request(method, params, whole));
    } finally {
      client.close();
      if (method === 'kill') ending = started;
    }
  };
  const view = async (name) => (await ask('list')).apps.find((each) => each.name === name);
  const online = (name = 'web', isIt = () => true) =>
    until(async () => {
      const app = await view(name);
      return app?.status === 'online' && isIt(app) && app;
    }, `${name} to be online`);

  t.teardown(async () => {
    for (const client of clients) client.close();
    await killAll(root);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    root,
    home,
    paths,
    spawnDaemon,
    dial,
    ask,
    view,
    online,
    /** The same with another primary than this. */
    replaced: (primaryPid) => online('web', (app) => app.primaryPid !== primaryPid),
    /** Where the files of the primary of an app are. */
    place: (name) => placeOf(paths, name),
    log: () => readFileSync(paths.daemonLog, 'utf8'),
    desired: () => readFileSync(paths.desired, 'utf8'),
    saved: () => JSON.parse(readFileSync(paths.desired, 'utf8')).apps,
    start: async (env) => {
      // It has the lock until it has exited.
      await until(() => !ending || hasExited(ending), 'the daemon that was killed to exit');
      ending = null;
      started = spawnDaemon(env);
      await dial();
      return started;
    },
    logged: (pattern) =>
      until(() => pattern.test(readFileSync(paths.daemonLog, 'utf8')), `daemon.log: ${pattern}`),
  };
}

/** One that runs, with these apps. */
export async function startedDaemon(t, specs = []) {
  const daemon = daemonUnderTest(t);
  const child = await daemon.start();
  if (specs.length > 0) await daemon.ask('start', { specs });
  return { ...daemon, child };
}

export const pidsOf = ({ workers }) => workers.map(({ pid }) => pid);

function hasExited({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}

export function killNow(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

export async function killed(pid) {
  killNow(pid);
  await until(() => !isRunning(pid), 'the daemon to exit');
}

export async function webSpec(overrides = {}) {
  return testSpec({ env: { PORT: String(await freePort()) }, ...overrides });
}

/** An app whose workers are online no sooner than its gate is open, which it is at first. */
export async function gated(daemon, overrides = {}) {
  const folder = path.join(daemon.root, overrides.name ?? 'web');
  mkdirSync(folder);
  const files = [0, 1].map((slot) => path.join(folder, `READY_${slot}`));
  const open = () => files.forEach((file) => writeFileSync(file, ''));
  const close = () => files.forEach((file) => rmSync(file));
  open();
  const env = { PORT: String(await freePort()), FOLDER: folder };
  const script = fixture('ready-when-file-exists.cjs');
  return {
    spec: await webSpec({ script, waitReady: true, minUptimeMs: 50, env, ...overrides }),
    open,
    close,
  };
}

export function testSpec(overrides = {}) {
  const limits = { listenTimeoutMs: 30_000, minUptimeMs: 200, watchDelayMs: 20 };
  return specWith({ instances: 2, ...limits, ...overrides });
}
