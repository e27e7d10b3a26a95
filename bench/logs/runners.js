/** Runs the same program with its output in a file: with nodecluster, PM2, and plain redirection. */
import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeLineFormat } from '../../src/shared/log-files/log-line.js';
import { testHome } from '../../test/support/home.js';
import { plainEnv, spawnClean } from '../../test/support/spawn-clean.js';
import { until } from '../../test/support/until.js';

/**
 * @typedef {object} Order
 * @property {string} script
 * @property {number} workers
 * @property {Record<string, string>} env
 * @property {string[]} nodeArgs
 * @property {string} directory for what it needs
 *
 * @typedef {object} Running
 * @property {number[]} pids of the workers
 * @property {number | null} logger pid of the process that is between the workers and the file
 * @property {{out: string, error: string}} logs
 * @property {(line: string) => string} read a line of the log → what the program wrote
 * @property {() => Promise<unknown>} stop what touches the files
 * @property {() => Promise<unknown>} end
 *
 * @typedef {(order: Order) => Promise<Running>} Runner
 */

/** @type {Runner} */
export async function underNodecluster({ script, workers, env, nodeArgs, directory }) {
  /** @type {(() => unknown)[]} */
  const teardowns = [];
  const { ok, appNamed, home } = testHome({
    teardown: (fn) => teardowns.push(fn),
    fail: (message) => console.error(`warning: ${message}`),
  });
  const file = path.join(directory, 'ecosystem.json');
  const app = {
    ...{ name: 'app', script, instances: workers, autorestart: false, env },
    ...{ node_args: nodeArgs, log_rotate: { keep: 10_000 } },
  };
  writeFileSync(file, JSON.stringify(app));
  await ok(['start', file]);
  const { primaryPid, workers: list } = await appNamed('app');
  const format = makeLineFormat({ type: 'text', time: true, dateFormat: null });
  const log = (/** @type {string} */ stream) => path.join(home, 'logs', `app-${stream}.log`);
  return {
    pids: list.map((/** @type {any} */ { pid }) => pid),
    logger: primaryPid,
    logs: { out: log('out'), error: log('error') },
    read: (line) => format.read(line).message,
    stop: () => ok(['kill']),
    end: async () => {
      for (const teardown of teardowns) await teardown();
    },
  };
}

/**
 * @param {string} pm2 path of its command
 * @returns {Runner}
 */
export function underPm2(pm2) {
  return async ({ script, workers, env, nodeArgs, directory }) => {
    const home = mkdtempSync(path.join(tmpdir(), 'pm2-'));
    const ask = (/** @type {string[]} */ args) =>
      promisify(execFile)(process.execPath, [pm2, ...args], {
        env: { ...plainEnv(home), PM2_HOME: home, PM2_DISABLE_VERSION_CHECK: 'true', ...env },
        maxBuffer: 64 * 1024 * 1024,
      });
    const log = (/** @type {string} */ name) => path.join(directory, `pm2-${name}.log`);
    await ask([
      ...['start', script, '--name', 'app', '-i', String(workers), '--no-autorestart'],
      ...['--merge-logs', '-o', log('out'), '-e', log('error')],
      ...(nodeArgs.length > 0 ? ['--node-args', nodeArgs.join(' ')] : []),
    ]);
    const list = JSON.parse((await ask(['jlist'])).stdout);
    const daemon = Number(readFileSync(path.join(home, 'pm2.pid'), 'utf8'));
    return {
      pids: list.map((/** @type {any} */ { pid }) => pid),
      logger: daemon,
      logs: { out: log('out'), error: log('error') },
      read: (line) => line,
      stop: () => ask(['kill']),
      end: async () => rmSync(home, { recursive: true, force: true }),
    };
  };
}

/** @type {Runner} */
export async function redirected({ script, workers, env, nodeArgs, directory }) {
  const logs = {
    out: path.join(directory, 'plain-out.log'),
    error: path.join(directory, 'plain-error.log'),
  };
  const fds = [openSync(logs.out, 'a'), openSync(logs.error, 'a')];
  const children = Array.from({ length: workers }, (_, slot) =>
    spawnClean(process.execPath, [...nodeArgs, script], {
      env: { ...plainEnv(), ...env, NODE_APP_INSTANCE: String(slot) },
      stdio: ['ignore', ...fds],
    }),
  );
  for (const fd of fds) closeSync(fd);
  await until(() => children.every(({ pid }) => pid !== undefined), 'the processes to start');
  const pids = children.map(({ pid }) => /** @type {number} */ (pid));
  const nothing = async () => {};
  return { pids, logger: null, logs, read: (line) => line, stop: nothing, end: nothing };
}
