/** The package as npm publishes it, installed in an empty directory. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, read } from '../sources.js';
import { plainEnv } from '../spawn-clean.js';

/**
 * @param {string} directory
 * @returns {string} where the package is; its dependencies are links to those of the project
 */
export function installPacked(directory) {
  const env = { ...plainEnv(directory), npm_config_update_notifier: 'false' };
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
  const output = execFileSync('npm', args, { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' });
  const [{ filename }] = JSON.parse(output);
  const target = join(directory, 'node_modules', 'nodecluster');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(directory, filename), '-C', target, '--strip-components=1']);
  for (const name of Object.keys(JSON.parse(read('package.json')).dependencies)) {
    const link = join(directory, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  return target;
}
