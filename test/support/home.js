/**
 * A separate home directory for one test, and the command line in it. When the test ends, the daemon
 * is asked to stop everything that runs in the home. A process that survives this is killed
 * and fails the test.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDaemon } from '../../src/api/find-daemon.js';
import { homePaths } from '../../src/shared/home.js';
import { assertOutput } from './json-output.js';
import { freePort } from './ports.js';
import { commandOf, killAll, processesOf } from './processes.js';
import { NODE, plainEnv, spawnClean } from './spawn-clean.js';
import { ROOT } from './sources.js';
import { until, within } from './until.js';

/** @import { ChildProcess } from 'node:child_process' */

/** The package under test: the sources, or what `npm run test:built` has installed. */
export const PACKAGE = process.env.NODECLUSTER_TEST_PACKAGE || ROOT;
export const BIN = join(PACKAGE, 'bin/nodecluster.js');
const DAEMON = join(PACKAGE, 'src/daemon/main.js');
/** `update` waits 70 s for a daemon that hangs in its start. */
const COMMAND_MS = 150_000;

export { NODE };

/** @param {string} name @returns {string} the path of a program in test/fixtures/apps */
export function app(name) {
  return fileURLToPath(new URL(`../fixtures/apps/${name}`, import.meta.url));
}

/**
 * @typedef {{cwd?: string, env?: Record<string, string>, stdin?: string, node?: string,
 *   bin?: string}} RunOptions bin: the command of another version
 * @typedef {{code: number|null, signal: string|null, stdout: string, stderr: string}} Ended
 * @typedef {ReturnType<typeof testHome>} Home
 */

/**
 * @param {{teardown: (fn: () => unknown) => void, fail: (message: string) => unknown}} t a tap test
 * @param {{inProcess?: boolean}} [options] inProcess: `run` and `ok` start no process for the command
 */
export function testHome(t, { inProcess = false } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nc-')));
  const home = join(root, 'home');
  const env = { ...plainEnv(root), NODECLUSTER_HOME: home };

  /** @type {Promise<void> | undefined} */
  let cleanDaemon;
  /** @param {string[]} args @param {RunOptions} [options] */
  const begin = (args, options = {}) =>
    watched(
      spawnClean(options.node ?? NODE, [options.bin ?? BIN, ...args], {
        cwd: options.cwd ?? root,
        env: { ...env, ...options.env },
      }),
      args.join(' '),
      options.stdin,
    );
  /** @param {string[]} args @param {RunOptions} [options] @returns {Promise<Ended>} */
  const run = async (args, options = {}) => {
    const ended = await carryOut(args, options);
    if (!options.bin) await assertOutput(args, ended);
    return ended;
  };
  /** @param {string[]} args @param {RunOptions} options @returns {Promise<Ended>} */
  const carryOut = async (args, options) => {
    // In this process are the sources.
    if (!inProcess || options.bin || PACKAGE !== ROOT) return begin(args, options).ended;
    const { commandHere } = await import('./command-here.js');
    // One that this process starts, and all that it starts, would get tap's preload.
    await (cleanDaemon ??= startDaemon());
    return commandHere(args, { cwd: options.cwd ?? root, env: { ...env, ...options.env } });
  };
  /** @param {string[]} args @param {RunOptions} [options] @returns {Promise<Ended>} with exit code 0 */
  const ok = async (args, options) => {
    const ended = await run(args, options);
    if (ended.code === 0) return ended;
    const { code, signal, stdout, stderr } = ended;
    throw new Error(`'${args.join(' ')}' exited with ${code ?? signal}\n${stdout}\n${stderr}`);
  };
  /**
   * Starts a server as the app `api`: http-pid.cjs, unless another of test/fixtures/apps is given.
   * @param {string[]} [flags] @param {RunOptions & {program?: string}} [options]
   * @returns {Promise<number>} its port
   */
  const startApi = async (flags = [], { program = 'http-pid.cjs', ...options } = {}) => {
    const port = await freePort();
    const env = { PORT: String(port), ...options.env };
    await ok(['start', app(program), '--name', 'api', ...flags], { ...options, env });
    return port;
  };
  /** Starts the daemon as a shell would, without the preload that tap gives to child processes. */
  const startDaemon = async () => {
    spawnClean(NODE, [DAEMON, home], { cwd: root, env, stdio: 'ignore' });
    await until(() => existsSync(homePaths(home).daemonSocket), 'the daemon to listen');
  };
  /** @returns {Promise<any>} what `ls --json` prints, without a process of its own if a daemon runs */
  const list = async (params = {}, command = ['ls']) => {
    const client = await findDaemon(homePaths(home));
    if (client === null) return JSON.parse((await ok([...command, '--json'])).stdout);
    try {
      return await client.request('list', params);
    } finally {
      client.close();
    }
  };
  /** @param {string} name @returns {Promise<any>} one app of the list */
  const appNamed = async (name) =>
    (await list()).apps.find((/** @type {any} */ entry) => entry.name === name);
  /** @param {string} name @returns {Promise<any>} what `describe --json` prints of it */
  const described = async (name) => {
    const params = { selectors: [name], fields: ['details'] };
    return (await list(params, ['describe', name])).apps[0];
  };
  /** @param {string} name @returns {Promise<number[]>} its workers' pids, in order */
  const pidsOf = async (name) =>
    (await appNamed(name)).workers
      .map((/** @type {any} */ worker) => worker.pid)
      .sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);

  /** `kill -9` of the daemon. @returns {Promise<any>} the next one, which a primary or a question starts */
  const killDaemon = async () => {
    const { pid } = (await list()).daemon;
    process.kill(pid, 'SIGKILL');
    return until(async () => {
      const { daemon } = await list();
      return daemon.pid !== pid && daemon;
    }, 'the next daemon');
  };
  /** @param {string} name @returns {Promise<any>} it, when it is online in a primary that is not `lost` */
  const isBack = (name, lost = 0) =>
    until(async () => {
      const shown = await appNamed(name);
      return (
        shown.status === 'online' && shown.primaryPid > 0 && shown.primaryPid !== lost && shown
      );
    }, `${name} to be back`);
  /** `kill -9` of its primary. @param {string} name @returns {Promise<number>} the pid that is no more */
  const killPrimary = async (name) => {
    // A busy daemon does not know it at each moment.
    const pid = await until(async () => (await appNamed(name)).primaryPid, `a primary of ${name}`);
    process.kill(pid, 'SIGKILL');
    return pid;
  };

  const kill = async () => {
    const client = await findDaemon(homePaths(home));
    // The command starts a daemon if apps run without one.
    if (client === null) return (await run(['kill'])).code === 0;
    try {
      await within(client.request('kill', {}), 'kill', COMMAND_MS);
      return true;
    } finally {
      client.close();
    }
  };

  t.teardown(async () => {
    const left = await stopAll(root, home, kill);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) t.fail(`still running after kill: ${left.join('; ')}`);
  });
  return {
    root,
    home,
    env,
    startDaemon,
    startApi,
    begin,
    run,
    ok,
    list,
    appNamed,
    described,
    pidsOf,
    killDaemon,
    killPrimary,
    isBack,
  };
}

/**
 * A home outside a test.
 * @template T
 * @param {(home: Home) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function inHome(use) {
  /** @type {(() => unknown)[]} */
  const teardowns = [];
  const home = testHome({
    teardown: (fn) => teardowns.push(fn),
    fail: (message) => console.error(`warning: ${message}`),
  });
  try {
    return await use(home);
  } finally {
    for (const teardown of teardowns) await teardown();
  }
}

/**
 * Collects the output and exit of a command, with a deadline.
 * @param {ChildProcess} child
 * @param {string} what
 * @param {string} [stdin]
 */
export function watched(child, what, stdin) {
  const said = { stdout: '', stderr: '' };
  for (const stream of /** @type {const} */ (['stdout', 'stderr'])) {
    child[stream]?.setEncoding('utf8').on('data', (text) => (said[stream] += text));
  }
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin ?? '');
  const closed = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...said }));
  });
  const ended = within(closed, `'${what}' to exit`, COMMAND_MS).catch((error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}\nstdout: ${said.stdout}\nstderr: ${said.stderr}`);
  });
  ended.catch(() => {}); // a test that has failed no longer waits for it
  return {
    child,
    ended,
    /** @param {RegExp} regexp matched against stdout and stderr, one after the other */
    said: (regexp) => until(() => regexp.exec(said.stdout + said.stderr), `${what} → ${regexp}`),
  };
}

/**
 * @param {string} root every process that mentions it is stopped
 * @param {string} home
 * @param {() => Promise<boolean>} kill whether it succeeded
 * @returns {Promise<string[]>} processes that survived a successful `kill`
 */
export async function stopAll(root, home, kill) {
  const lived = existsSync(home) && processesOf(root).length > 0;
  const killed = lived && (await kill().catch(() => false));
  const isEmpty = () => processesOf(root).length === 0;
  if (killed) await until(isEmpty, 'every process of the home to exit').catch(() => {});
  const left = processesOf(root);
  const names = killed ? left.map((pid) => `${pid} ${commandOf(pid)}`) : [];
  await killAll(root);
  return names;
}
