/** PM2 (a dependency of bench/ only) with its own daemon and home directory. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopAll, watched } from '../../../test/support/home.js';
import { plainEnv, spawnClean } from '../../../test/support/spawn-clean.js';
import { PM2, PM2_QUIET } from '../../installed.js';

/** @import { Reloaded, Supervisor } from './supervisor.js' */

/**
 * @template T
 * @param {{node: string, scheduling: string}} options
 * @param {(supervisor: Supervisor) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export async function inPm2({ node, scheduling }, measure) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nc-pm2-')));
  const home = join(root, 'home');
  const env = {
    ...{ ...plainEnv(root), ...PM2_QUIET, PM2_HOME: home },
    NODE_CLUSTER_SCHED_POLICY: scheduling === 'fair' ? 'none' : 'rr',
  };
  /** @param {string[]} args */
  const run = (args) =>
    watched(spawnClean(node, [PM2, ...args], { cwd: root, env }), `pm2 ${args.join(' ')}`).ended;
  try {
    return await measure({
      name: 'PM2',
      root,
      run,
      ok: run,
      workers: async (app) => workersIn((await run(['jlist'])).stdout, app),
      primaryOf: async () => Number(readFileSync(join(home, 'pm2.pid'), 'utf8')),
      reloadAll: (apps) => reloadAll(run, apps),
    });
  } finally {
    await stopAll(root, home, async () => (await run(['kill'])).code === 0);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {string} printed @param {string} app */
function workersIn(printed, app) {
  /** @type {{name: string, pid: number, pm2_env: {status: string, restart_time: number}}[]} */
  const all = JSON.parse(printed.slice(printed.indexOf('[{')));
  return all
    .filter(({ name }) => name === app)
    .map(({ pid, pm2_env: { status, restart_time: restarts } }) => ({ pid, status, restarts }));
}

/**
 * One command for all apps: PM2 refuses a second `pm2 reload` while one runs.
 * @param {(args: string[]) => Promise<unknown>} run
 * @param {string[]} apps
 * @returns {Promise<Reloaded[]>}
 */
async function reloadAll(run, apps) {
  await run(['reload', 'all']);
  return apps.map((app) => ({ app, fewestReady: null, cut: null }));
}
