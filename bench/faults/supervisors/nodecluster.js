/** nodecluster in its own home directory. */
import { inHome } from '../../../test/support/home.js';

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
      reloadAll: (apps) => reloadAll(ok, apps),
    });
  });
}

/** @param {(args: string[]) => Promise<{stdout: string}>} ok @param {string[]} apps @returns {Promise<Reloaded[]>} */
async function reloadAll(ok, apps) {
  const { stdout } = await ok(['reload', ...apps, '--json']);
  /** @type {{name: string, minReady: number, longLivedCut: number}[]} */
  const reloaded = JSON.parse(stdout).apps;
  return reloaded.map(({ name: app, minReady: fewestReady, longLivedCut: cut }) => ({
    app,
    fewestReady,
    cut,
  }));
}
