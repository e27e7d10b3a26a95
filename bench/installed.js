/** What is installed in bench/: the peers and the tools, with their versions. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BENCH = fileURLToPath(new URL('./', import.meta.url));
export const PM2 = join(BENCH, 'node_modules/pm2/bin/pm2');
export const PM2_QUIET = { PM2_DISABLE_VERSION_CHECK: 'true', PM2_DISCRETE_MODE: 'true' };

/** @param {string} name of a package @returns {string | null} its version; null: it is not installed */
export function installedVersion(name) {
  const manifest = join(BENCH, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : null;
}
