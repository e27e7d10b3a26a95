import { resolve } from 'node:path';
import { inspectPath } from '../../shared/files/inspect-path.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { SERVE } from '../../shared/package/root.js';
import { parsePort } from '../../shared/units.js';
import { jsonOption } from '../../show/command-options.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 */

const DEFAULT_PORT = 8080;

/** @type {CommandData} */
export const command = {
  summary: 'serve the files of a directory over HTTP, as an app',
  details:
    'The files are read at each request, so a new release needs no reload. Files whose names begin ' +
    'with a dot are not served. With 404.html in the directory, a missing file shows it.',
  arguments: [
    { name: '[directory]', summary: 'default: this directory' },
    { name: '[port]', summary: `default: ${DEFAULT_PORT}` },
  ],
  options: [
    { flags: '--port <port>', summary: 'the port, in place of the argument', parse: parsePort },
    { flags: '--spa', summary: 'answer paths that are not files with index.html' },
    { flags: '-n, --name <name>', summary: 'name of the app (default: serve-<port>)' },
    { flags: '-i, --instances <number>', summary: 'number of workers (default: 1)' },
    { flags: '--basic-auth-username <name>', summary: 'user name that a browser must send' },
    { flags: '--basic-auth-password <password>', summary: 'password that a browser must send' },
    jsonOption,
  ],
  examples: [
    'nodecluster serve dist 3000 --spa',
    'nodecluster serve public --port 3000 -i 2 --name site',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options } = context;
  const [directory, port] = readPlace(context);
  return context.runCommand('start', {
    words: [SERVE],
    programArgs: [directory, String(port), ...(options.spa ? ['--spa'] : [])],
    options: {
      name: options.name ?? `serve-${port}`,
      instances: options.instances ?? 1,
      execMode: 'cluster',
      setEnv: loginVariables(options),
    },
  });
}

/**
 * @param {Context} context
 * @returns {[directory: string, port: number]} the directory as an absolute path
 */
function readPlace({ words, options, cwd }) {
  const [word = '.', portWord] = words;
  const directory = resolve(cwd, word);
  if (inspectPath(directory).kind !== 'directory') {
    const faults = [`there is no directory ${directory}`];
    throw new NodeclusterError('E_CANNOT_RUN', { faults });
  }
  try {
    return [directory, options.port ?? parsePort(portWord ?? String(DEFAULT_PORT))];
  } catch {
    throw usageError('serve', `'${portWord}' is not a port`);
  }
}

/** Not arguments, which everybody on the machine can read. @param {Context['options']} options */
function loginVariables({ basicAuthUsername: username, basicAuthPassword: password }) {
  if (username === undefined && password === undefined) return [];
  if (!username || !password) {
    throw usageError('serve', '--basic-auth-username and --basic-auth-password belong together');
  }
  return [`SERVE_USERNAME=${username}`, `SERVE_PASSWORD=${password}`];
}
