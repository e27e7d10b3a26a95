/** A first ecosystem.yml for the program that a directory holds. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findProgram } from './find-program.js';

const SCHEMA = 'node_modules/nodecluster/ecosystem.schema.json';

/**
 * @param {object} project
 * @param {Record<string, any>|null} project.packageJson
 * @param {string} project.directory absolute
 * @returns {string|null} YAML with comments; null where there is no program
 */
export function ecosystemTemplate({ packageJson, directory }) {
  const program = findProgram(packageJson, directory);
  if (program === null) return null;
  const { script, args, nodeArgs, env } = program;
  const name = nameOf(packageJson?.name ?? basename(directory));
  const isNode = /\.[cm]?[jt]s$/.test(script);
  return `${schemaLine(directory)}# Start it:        nodecluster start
# New version:     nodecluster reload
# Every option:    docs/configuration.md and ecosystem.example.yml of nodecluster

apps:
  - name: ${JSON.stringify(name)}
    script: ${JSON.stringify(script)}
    ${isNode ? CLUSTER : FORK}
    ${listLine('args', args, "[--port, '3000']")}
    ${isNode || nodeArgs.length > 0 ? listLine('node_args', nodeArgs, '[--max-old-space-size=512]') : EXTENSION}

    env:
${variableLines({ ...(isNode ? { NODE_ENV: 'production' } : {}), ...env })}
    # Goes over env with: nodecluster start --env staging
    # env_staging:
    #   ${isNode ? 'NODE_ENV' : 'NAME'}: staging
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

const CLUSTER = `# One process for each core; a number, or -1 for all cores but one.
    instances: max`;
const FORK = `# Plain processes; to serve with several, give each a port of its own: increment_var.
    instances: 1`;
const EXTENSION = `# The extension of the script says what runs it.
    # interpreter: /path/to/another`;

/**
 * @param {string} key
 * @param {string[]} items
 * @param {string} example
 */
function listLine(key, items, example) {
  return items.length > 0 ? `${key}: ${JSON.stringify(items)}` : `# ${key}: ${example}`;
}

/** @param {Record<string, string>} env */
function variableLines(env) {
  if (Object.keys(env).length === 0) return '      # NAME: value';
  return Object.entries(env)
    .map(
      ([name, value]) => `      ${name}: ${/^[a-z]+$/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join('\n');
}

/** @param {unknown} name of a package or a directory */
function nameOf(name) {
  const plain = String(name).replace(/^@[^/]*\//, '');
  const clean = plain
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 64);
  return /^(\d*|all)$/.test(clean) ? 'app' : clean;
}

/**
 * Only a path that holds on other machines too.
 * @param {string} directory
 */
function schemaLine(directory) {
  return existsSync(join(directory, SCHEMA)) ? `# yaml-language-server: $schema=./${SCHEMA}\n` : '';
}
