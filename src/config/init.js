/** A first ecosystem.yml for the program that a folder holds. */
import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCHEMA = fileURLToPath(new URL('../../ecosystem.schema.json', import.meta.url));
const USUAL_FILES = ['server.js', 'app.js', 'index.js', 'main.js', 'src/server.js', 'src/index.js'];

/**
 * @param {object} project
 * @param {Record<string, any>|null} project.packageJson
 * @param {string} project.folder absolute
 * @returns {string} YAML with comments
 */
export function ecosystemTemplate({ packageJson, folder }) {
  const script = findProgram({ packageJson, folder });
  const name = nameOf(packageJson?.name ?? basename(folder));
  return `# yaml-language-server: $schema=${schemaPath(folder)}
# Start it:        nodecluster start
# New version:     nodecluster reload
# Every option:    docs/configuration.md and ecosystem.example.yml of nodecluster

apps:
  - name: ${JSON.stringify(name)}
    ${scriptLine(script)}
    # One process for each core; a number, or -1 for all cores but one.
    instances: max
    # args: [--port, '3000']
    # node_args: [--max-old-space-size=512]

    env:
      NODE_ENV: production
    # Goes over env with: nodecluster start --env staging
    # env_staging:
    #   NODE_ENV: staging
    # env_file: .env

    # How long requests in flight may take when a worker is replaced or stopped.
    # drain_timeout: 30s
    # Wait for process.send('ready') before a worker counts as online.
    # wait_ready: true
    # Reload at 4 in the morning; reload when a file changes.
    # cron_restart: '0 4 * * *'
    # watch: [src]
`;
}

/**
 * The file that `npm start` runs, the main file, or one that is usually called so.
 * @param {object} project
 * @param {Record<string, any>|null} project.packageJson
 * @param {string} project.folder absolute
 * @returns {string|null} null when the folder has none of them
 */
export function findProgram({ packageJson, folder }) {
  const started = /^node\s+(?:--?\S+\s+)*([^\s-]\S*)/.exec(packageJson?.scripts?.start ?? '')?.[1];
  const candidates = [started, packageJson?.main, ...USUAL_FILES];
  const found = candidates.find((path) => typeof path === 'string' && isThere(folder, path));
  return found === undefined ? null : `./${found.replace(/^\.\//, '')}`;
}

/** @param {string|null} script */
function scriptLine(script) {
  if (script !== null) return `script: ${JSON.stringify(script)}`;
  return `# No program was found in this folder: put the path of yours here.
    script: ./app.js`;
}

/**
 * @param {string} folder
 * @param {string} path
 */
function isThere(folder, path) {
  return /\.\w+$/.test(path) && existsSync(join(folder, path));
}

/** @param {unknown} name of a package or a folder */
function nameOf(name) {
  const plain = String(name).replace(/^@[^/]*\//, '');
  const clean = plain
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 64);
  return /^(\d*|all)$/.test(clean) ? 'app' : clean;
}

/**
 * From node_modules where the folder has nodecluster itself, else from where it is installed.
 * @param {string} folder
 */
function schemaPath(folder) {
  const own = join('node_modules', 'nodecluster', 'ecosystem.schema.json');
  if (existsSync(join(folder, own))) return `./${own}`;
  const near = relative(folder, SCHEMA);
  return near.startsWith('..') ? SCHEMA : `./${near}`;
}
