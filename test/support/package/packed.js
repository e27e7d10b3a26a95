/** The package as npm publishes it, installed without the network. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../sources.js';
import { plainEnv } from '../spawn-clean.js';

/** By `npm install --global`; root: where the package is. @param {string} directory */
export function installGlobally(directory) {
  const { tarball, files } = pack(directory);
  const prefix = join(directory, 'prefix');
  npm(['install', '--global', '--offline', '--prefix', prefix, tarball], directory);
  const root = join(prefix, 'lib/node_modules/nodecluster');
  return { command: join(prefix, 'bin/nodecluster'), root, files };
}

/** By `npm pack` of the build. @param {string} directory */
export function pack(directory) {
  const built = join(directory, 'built');
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.js'), built], { env: plainEnv() });
  const [{ filename, files }] = JSON.parse(npm(['pack', '--json', built], directory));
  return { tarball: join(directory, filename), files };
}

/** @param {string[]} args @param {string} cwd */
function npm(args, cwd) {
  const env = { ...plainEnv(cwd), npm_config_update_notifier: 'false' };
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}
