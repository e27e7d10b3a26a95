/** Generates a first ecosystem.yml for the program in a directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './command/find-program.js';
import { projectName } from './resolve/default-name.js';

const SCHEMA = 'node_modules/nodecluster/ecosystem.schema.json';

const FOR_NODE = {
  instances: `# One process for each core; a number, or -1 for all cores but one.
    instances: max`,
  interpreter: '# node_args: [--max-old-space-size=512]',
  env: 'NODE_ENV: production',
  otherEnv: 'NODE_ENV: staging',
};
const FOR_OTHERS = {
  instances: `# Plain processes. To serve with several, give each its own port: increment_var.
    instances: 1`,
  interpreter: `# The extension of the script selects what runs it.
    # interpreter: /path/to/another`,
  env: '# NAME: value',
  otherEnv: 'NAME: staging',
};

/**
 * @param {object} project
 * @param {Record<string, any>|null} project.packageJson
 * @param {string} project.directory absolute
 * @returns {string|null} YAML with comments; null if there is no program
 */
export function ecosystemTemplate({ packageJson, directory }) {
  const program = findProgram(packageJson, directory);
  if (program === null) return null;
  const { script, args } = program;
  const lines = /\.[cm]?[jt]s$/.test(script) ? FOR_NODE : FOR_OTHERS;
  return `${schemaLine(directory)}# Start it:        nodecluster start
# New version:     nodecluster reload
# New settings:    nodecluster apply
# Every option:    https://github.com/nodecluster/nodecluster/blob/main/docs/configuration.md

apps:
  - name: ${JSON.stringify(projectName(directory, packageJson ?? undefined) ?? 'app')}
    script: ${JSON.stringify(script)}
    ${lines.instances}
    ${args.length > 0 ? `args: ${JSON.stringify(args)}` : "# args: [--port, '3000']"}
    ${lines.interpreter}

    env:
      ${lines.env}
    # Overrides env with: nodecluster start --env staging
    # env_staging:
    #   ${lines.otherEnv}
    # env_file: .env

    # Time for requests in flight when a worker is replaced or stopped.
    # drain_timeout: 30s
    # Wait for process.send('ready') before a worker counts as online.
    # wait_ready: true
`;
}

/**
 * If the package is installed elsewhere, its schema has no path that is valid on other machines.
 * @param {string} directory
 */
function schemaLine(directory) {
  const isInstalled = existsSync(join(directory, SCHEMA));
  return isInstalled ? `# yaml-language-server: $schema=./${SCHEMA}\n` : '';
}
