/** The home directory that a command or a program means. */
import { existsSync } from 'node:fs';
import { NodeclusterError } from '../../errors/error.js';
import { resolveHome } from '../../shared/home.js';
import { runningHomes } from './transient-home.js';

/**
 * Where there is no home directory, as in a container, the apps of a `run` are meant.
 * @param {Record<string, string | undefined>} env
 * @returns {string} an absolute path
 * @throws {NodeclusterError} E_HOME_UNKNOWN, E_SEVERAL_RUNS
 */
export function findHome(env) {
  if (env.NODECLUSTER_HOME) return resolveHome(env);
  const usual = usualHome(env);
  if (usual !== null && existsSync(usual)) return usual;
  const running = runningHomes(env);
  if (running.length > 1) throw new NodeclusterError('E_SEVERAL_RUNS', { homes: running });
  return running[0] ?? resolveHome(env);
}

/** @param {Record<string, string | undefined>} env */
function usualHome(env) {
  try {
    return resolveHome(env);
  } catch {
    return null;
  }
}
