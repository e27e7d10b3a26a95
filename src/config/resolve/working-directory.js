import { realpathSync } from 'node:fs';
import { attempt } from '../../errors/error.js';

/**
 * The system reports the working directory with its symbolic links resolved; the shell keeps the
 * unresolved path in PWD. Paths of apps must keep a `current` link, so that a reload resolves it
 * again.
 * @param {{cwd?: string, env?: Record<string, string|undefined>}} [options]
 */
export function workingDirectory({ cwd = process.cwd(), env = process.env } = {}) {
  const { PWD = '' } = env;
  const isSame = () => PWD.startsWith('/') && realpathSync(PWD) === realpathSync(cwd);
  return attempt(isSame, false) ? PWD : cwd;
}
