import { join, relative } from 'node:path';
import { locateMain } from './locate.js';
import { parseCommandLine } from './typed-line.js';
import { listDirectory } from '../../shared/files/inspect-path.js';

/** @typedef {{script: string, args: string[]}} Program */

const STEMS = ['server', 'app', 'index', 'main'];
const USUAL_FILES = ['js', 'mjs', 'cjs', 'ts', 'py', 'rb', 'php', 'sh'].flatMap((extension) =>
  ['', 'src/'].flatMap((directory) => STEMS.map((stem) => `${directory}${stem}.${extension}`)),
);
const PROGRAM_FILE = /^[^.].*(?<!\.(config|test))\.([cm]?[jt]s|py|rb|php|sh|pl)$/;

/**
 * The program that `npm start` runs, the main file, one with a usual name, or the only one there.
 * @param {Record<string, any>|null} packageJson
 * @param {string} directory absolute
 * @returns {Program|null} its script starts with ./
 */
export function findProgram(packageJson, directory) {
  const started = readStartScript(packageJson?.scripts?.start, directory);
  if (started) return started;
  for (const path of [packageJson?.main, ...USUAL_FILES]) {
    const script = findFile(directory, path);
    if (script) return { script, args: [] };
  }
  const programs = listDirectory(directory).filter((name) => PROGRAM_FILE.test(name));
  return programs.length === 1 ? { script: `./${programs[0]}`, args: [] } : null;
}

/** @param {unknown} line `node app.js --port 80` @param {string} directory @returns {Program|null} null: it is another line */
function readStartScript(line, directory) {
  const find = (/** @type {string} */ word) => (word === 'node' ? word : findFile(directory, word));
  const read = typeof line === 'string' ? parseCommandLine(line, find) : null;
  if (!read || 'fault' in read || read.reason || !read.script.startsWith('./')) return null;
  const { script, args, nodeArgs, env } = read;
  return nodeArgs.length + Object.keys(env).length > 0 ? null : { script, args };
}

/** @param {string} directory @param {unknown} path as Node resolves it: `src`, `server` and `server.js` */
function findFile(directory, path) {
  const found = typeof path === 'string' ? locateMain(join(directory, path)) : null;
  return found && `./${relative(directory, found)}`;
}
