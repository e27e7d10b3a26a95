/** The directory that somebody works in, as they went there: `current` stays `current`. */
import { realpathSync } from 'node:fs';

/**
 * The system tells the working directory with its symlinks resolved; the shell keeps the way that
 * led there in PWD. Paths of apps must keep a `current` link, so that a reload follows it anew.
 * @param {{cwd?: string, env?: Record<string, string|undefined>}} [from]
 * @returns {string}
 */
export function workingDirectory({ cwd = process.cwd(), env = process.env } = {}) {
  try {
    return env.PWD?.startsWith('/') && realpathSync(env.PWD) === realpathSync(cwd) ? env.PWD : cwd;
  } catch {
    return cwd;
  }
}
