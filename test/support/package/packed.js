/** The package as npm publishes it, installed without the network: its dependencies are links to those of the project. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, read } from '../sources.js';
import { plainEnv } from '../spawn-clean.js';

/** @typedef {{path: string}} PackedFile */

/**
 * @param {string} directory
 * @returns {string} where the package is, below node_modules
 */
export function installPacked(directory) {
  const { tarball } = pack(directory);
  const modules = join(directory, 'node_modules');
  const target = join(modules, 'nodecluster');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  linkDependencies(modules);
  return target;
}

/**
 * By `npm install --global`.
 * @param {string} directory
 * @returns {{command: string, root: string, files: PackedFile[]}} root: where the package is
 */
export function installGlobally(directory) {
  const { tarball, files } = pack(directory);
  const prefix = join(directory, 'prefix');
  npm(['install', '--global', '--offline', '--prefix', prefix, tarball], directory);
  const modules = join(prefix, 'lib/node_modules');
  linkDependencies(modules);
  const root = join(modules, 'nodecluster');
  return { command: join(prefix, 'bin/nodecluster'), root, files };
}

/** @param {string} directory @returns {{tarball: string, files: PackedFile[]}} */
function pack(directory) {
  const built = join(directory, 'built');
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.js'), built], { env: plainEnv() });
  const manifest = join(built, 'package.json');
  const published = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...published, dependencies: {} }));
  const [{ filename, files }] = JSON.parse(npm(['pack', '--json', built], directory));
  return { tarball: join(directory, filename), files };
}

/** @param {string} modules */
function linkDependencies(modules) {
  for (const name of Object.keys(JSON.parse(read('package.json')).dependencies)) {
    const link = join(modules, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
}

/** @param {string[]} args @param {string} cwd @returns {string} */
function npm(args, cwd) {
  const env = { ...plainEnv(cwd), npm_config_update_notifier: 'false' };
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}
