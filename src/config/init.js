/** The program in a directory, and a first ecosystem.yml for it. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { locateMain, readBounded } from './command/locate.js';
import { parseCommandLine } from './command/command-line.js';
import { listDirectory } from '../shared/files/inspect-path.js';
import { jsonString } from '../shared/quoting.js';
import { defaultName } from './resolve/names.js';

const SCHEMA = 'node_modules/nodecluster/ecosystem.schema.json';

/** Others may be bots or consumers, which run once. */
const SERVER = /\bcreateServer\(|\.listen\(/;
const OWN_PORT = /\benv\.PORT\s*(?:\|\||\?\?)\s*['"]?(\d+)/;

/** @param {{packageJson: Record<string, any>|null, directory: string, file?: string}} project @returns {string|null} YAML; null: there is no program */
export function ecosystemTemplate({ packageJson, directory, file }) {
  const program = file ? programAt(directory, file) : findProgram(packageJson, directory);
  if (program === null) return null;
  const { script, args } = program;
  const name = defaultName(resolve(directory, script), directory, packageJson ?? undefined);
  const source = readBounded(resolve(directory, script));
  // If the package is installed elsewhere, its schema has no path that is valid on other machines.
  const hasSchema = existsSync(join(directory, SCHEMA));
  const head = hasSchema ? `# yaml-language-server: $schema=./${SCHEMA}\n` : '';
  return `${head}# Start it:        nodecluster start
# New version:     nodecluster reload, with the same --env
# New settings:    nodecluster apply, with the same --env

apps:
  - name: ${jsonString(name)}
    script: ${jsonString(script)}
    # A number, max (one for each core), or -1 (all cores but one). Only servers can share the work.
    instances: ${SERVER.test(source) ? 'max' : 1}
    ${args.length > 0 ? `args: [${args.map(jsonString).join(', ')}]` : "# args: [--port, '3000']"}

    env:
      NODE_ENV: production
      # PORT: ${OWN_PORT.exec(source)?.[1] ?? 3000}
    # Overrides env with: nodecluster start --env staging
    # env_staging:
    #   NODE_ENV: staging
    # env_file: .env

    # Time for requests in flight when a worker is replaced or stopped.
    # drain_timeout: 30s
    # Wait for process.send('ready') before a worker counts as online.
    # wait_ready: true
`;
}

const STEMS = ['server', 'app', 'index', 'main'];
const USUAL_FILES = ['js', 'mjs', 'cjs', 'ts', 'py', 'rb', 'php', 'sh'].flatMap((extension) =>
  ['', 'src/'].flatMap((directory) => STEMS.map((stem) => `${directory}${stem}.${extension}`)),
);
const PROGRAM_FILE = /^[^.].*(?<!\.(config|test))\.([cm]?[jt]s|py|rb|php|sh|pl)$/;

/**
 * What `npm start` runs, the main file, one with a usual name, or the only one there.
 * @param {Record<string, any>|null} packageJson @param {string} directory @returns {{script: string, args: string[]}|null}
 */
export function findProgram(packageJson, directory) {
  const line = packageJson?.scripts?.start;
  const started = typeof line === 'string' && readStartScript(line, directory);
  if (started) return started;
  for (const path of [packageJson?.main, ...USUAL_FILES]) {
    const program = programAt(directory, path);
    if (program) return program;
  }
  const programs = listDirectory(directory).filter((name) => PROGRAM_FILE.test(name));
  return programs.length === 1 ? { script: `./${programs[0]}`, args: [] } : null;
}

/** @param {string} directory @param {unknown} path @returns {{script: string, args: string[]}|null} */
function programAt(directory, path) {
  const script = findFile(directory, path);
  return script === null ? null : { script, args: [] };
}

/** @param {string} line `node app.js --port 80` @param {string} directory */
function readStartScript(line, directory) {
  const find = (/** @type {string} */ word) => (word === 'node' ? word : findFile(directory, word));
  const read = parseCommandLine(line, find);
  if ('fault' in read || read.reason || !read.script.startsWith('./')) return null;
  const { script, args, nodeArgs, env } = read;
  return nodeArgs.length + Object.keys(env).length > 0 ? null : { script, args };
}

/** @param {string} directory @param {unknown} path as Node resolves it: `src`, `server` and `server.js` */
function findFile(directory, path) {
  const found = typeof path === 'string' ? locateMain(resolve(directory, path)) : null;
  return found && `./${relative(directory, found)}`;
}
