import { realpathSync } from 'node:fs';

/**
 * The system reports the working directory with its symbolic links resolved; the shell keeps the
 * unresolved path in PWD. Paths of apps must keep a `current` link, so that a reload resolves it
 * again.
 * @param {{cwd?: string, env?: Record<string, string|undefined>}} [options]
 */
export function workingDirectory({ cwd = process.cwd(), env = process.env } = {}) {
  try {
    return env.PWD?.startsWith('/') && realpathSync(env.PWD) === realpathSync(cwd) ? env.PWD : cwd;
  } catch {
    return cwd;
  }
}
