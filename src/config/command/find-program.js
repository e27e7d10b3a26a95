import { join } from 'node:path';
import { readPlainCommand } from './shell-words.js';
import { inspectPath, listDirectory } from '../../shared/files/inspect-path.js';

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
  const { file, args } = parseStartScript(packageJson?.scripts?.start);
  const started = findFile(directory, file);
  if (started) return { script: started, args };
  for (const path of [packageJson?.main, ...USUAL_FILES]) {
    const script = findFile(directory, path);
    if (script) return { script, args: [] };
  }
  const programs = listDirectory(directory).filter((name) => PROGRAM_FILE.test(name));
  return programs.length === 1 ? { script: `./${programs[0]}`, args: [] } : null;
}

/**
 * @param {unknown} line `node app.js --port 80`; anything else yields no file
 * @returns {{file: string|null, args: string[]}}
 */
function parseStartScript(line) {
  const plain = typeof line === 'string' ? readPlainCommand(line) : null;
  const { words = [], env = {} } = plain && 'words' in plain ? plain : {};
  const [command, file, ...args] = words;
  const hasVariables = Object.keys(env).length > 0;
  const isPlain =
    command === 'node' && !hasVariables && file !== undefined && !file.startsWith('-');
  return { file: isPlain ? file : null, args };
}

/**
 * @param {string} directory
 * @param {unknown} path as Node resolves it: `src`, `server` and `server.js`
 */
function findFile(directory, path) {
  if (typeof path !== 'string') return null;
  const found = [path, `${path}.js`, `${path}/index.js`].find(
    (each) => inspectPath(join(directory, each)).kind === 'file',
  );
  return found ? `./${found.replace(/^(\.\/)+/, '')}` : null;
}
