/** nodecluster in its own home directory. */
import { inHome } from '../../bench-home.js';

/** @import { Reloaded, Supervisor } from './supervisor.js' */

/**
 * @template T
 * @param {{node: string}} options
 * @param {(supervisor: Supervisor) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export function inNodecluster({ node }, measure) {
  return inHome((home) => {
    const ok = (/** @type {string[]} */ args) => home.ok(args, { node });
    return measure({
      name: 'nodecluster',
      root: home.root,
      run: (args) => home.run(args, { node }),
      ok,
      workers: async (app) => (await home.appNamed(app)).workers,
      primaryOf: async (app) => (await home.appNamed(app)).primaryPid,
      reloadAll: (apps) => Promise.all(apps.map((app) => reloadOne(ok, app))),
    });
  });
}

/**
 * @param {(args: string[]) => Promise<{stdout: string}>} ok
 * @param {string} app
 * @returns {Promise<Reloaded>}
 */
async function reloadOne(ok, app) {
  const { stdout } = await ok(['reload', app, '--json']);
  const [{ durationMs, minReady, longLivedCut }] = JSON.parse(stdout).apps;
  return { app, seconds: durationMs / 1000, fewestReady: minReady, cut: longLivedCut };
}
