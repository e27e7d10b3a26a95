/** The home directory that a command or a program means. */
import { existsSync } from 'node:fs';
import { NodeclusterError } from '../errors/error.js';
import { resolveHome } from '../shared/home.js';

/**
 * Where there is no home directory, as in a container, the apps of a `run` are meant. What finds those is
 * loaded only then.
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<() => string>} finds it: an absolute path; throws E_HOME_UNKNOWN and E_SEVERAL_RUNS
 */
export async function homeFinder(env) {
  const usual = usualHome(env);
  if (usual !== null && (env.NODECLUSTER_HOME || existsSync(usual))) return () => usual;
  const { runningHomes } = await import('../features/run/transient-home.js');
  return () => {
    const running = runningHomes(env);
    if (running.length > 1) throw new NodeclusterError('E_SEVERAL_RUNS', { homes: running });
    return running[0] ?? resolveHome(env);
  };
}

/** @param {Record<string, string | undefined>} env */
function usualHome(env) {
  try {
    return resolveHome(env);
  } catch {
    return null;
  }
}
