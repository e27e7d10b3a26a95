/** Which program a directory is there for, as its package.json or the names of its files tell. */
import { join } from 'node:path';
import { inspectPath, listDirectory } from '../file/inspect-path.js';
import { splitWords } from '../types/split-words.js';

/** @typedef {{script: string, args: string[], nodeArgs: string[], env: Record<string, string>}} Program */

const STEMS = ['server', 'app', 'index', 'main'];
const USUAL_FILES = ['js', 'mjs', 'cjs', 'ts', 'py', 'rb', 'php', 'sh'].flatMap((extension) =>
  ['', 'src/'].flatMap((directory) => STEMS.map((stem) => `${directory}${stem}.${extension}`)),
);
/** What only a shell can do; such a start script is not ours to take apart. */
const SHELL = /[|&;<>$`*?(){}]/;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
const RUNNERS = new Set(['node', 'python', 'python3', 'ruby', 'php', 'bash', 'sh', 'perl']);
/**
 * Options of Node whose value may be the next word: those that `node --help` of 20 to 26 shows with
 * `=...` and that can stand before a script. Options of V8 need the `=`.
 */
const VALUED = new Set([
  ...['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions'],
  ...['--env-file', '--env-file-if-exists', '--disable-warning', '--title', '--icu-data-dir'],
  ...['--unhandled-rejections', '--redirect-warnings', '--diagnostic-dir', '--disable-proto'],
  ...['--inspect-port', '--inspect-publish-uid', '--watch-path', '--watch-kill-signal'],
  ...['--max-http-header-size', '--max-old-space-size-percentage', '--v8-pool-size'],
  ...['--dns-result-order', '--network-family-autoselection-attempt-timeout'],
  ...['--tls-cipher-list', '--tls-keylog', '--openssl-config', '--secure-heap'],
  ...['--secure-heap-min', '--allow-fs-read', '--allow-fs-write', '--localstorage-file'],
  ...['--cpu-prof-dir', '--cpu-prof-interval', '--cpu-prof-name', '--snapshot-blob'],
  ...['--heap-prof-dir', '--heap-prof-interval', '--heap-prof-name', '--use-largepages'],
  ...['--heapsnapshot-near-heap-limit', '--heapsnapshot-signal', '--trace-require-module'],
  ...['--report-dir', '--report-directory', '--report-filename', '--report-signal'],
  ...['--trace-event-categories', '--trace-event-file-pattern', '--experimental-default-type'],
]);

/**
 * The program that `npm start` runs, the main file, or one that is usually called so.
 * @param {Record<string, any>|null} packageJson
 * @param {string} directory absolute
 * @returns {Program|null} its script with ./ before it
 */
export function findProgram(packageJson, directory) {
  const started = startedBy(packageJson?.scripts?.start);
  const script = started && fileFor(directory, started.script);
  if (script) return { ...started, script };
  const file = [packageJson?.main, ...USUAL_FILES]
    .map((path) => (typeof path === 'string' ? fileFor(directory, path) : null))
    .find(Boolean);
  return file ? { script: file, args: [], nodeArgs: [], env: {} } : onlyFile(directory);
}

/**
 * @param {unknown} line such as `NODE_ENV=production node -r x app.js --port 80`
 * @returns {Program|null}
 */
function startedBy(line) {
  const words = typeof line === 'string' && !SHELL.test(line) ? splitWords(line) : null;
  if (!words) return null;
  const env = takeVariables(words);
  if (!RUNNERS.has(words.shift() ?? '')) return null;
  const nodeArgs = takeOptions(words);
  const [script, ...args] = words;
  return script ? { script, args, nodeArgs, env } : null;
}

/** @param {string[]} words loses what is taken */
function takeVariables(words) {
  /** @type {Record<string, string>} */
  const env = {};
  while (['exec', 'cross-env'].includes(words[0]) || VARIABLE.test(words[0] ?? '')) {
    const [, name, value] = VARIABLE.exec(words.shift() ?? '') ?? [];
    if (name) env[name] = value;
  }
  return env;
}

/** @param {string[]} words loses what is taken */
function takeOptions(words) {
  const options = [];
  while (words[0]?.startsWith('-')) {
    options.push(...words.splice(0, VALUED.has(words[0]) ? 2 : 1));
  }
  return options;
}

/**
 * @param {string} directory
 * @param {string} path as Node takes it: `src`, `server` and `server.js`
 */
function fileFor(directory, path) {
  const found = [path, `${path}.js`, `${path}/index.js`].find(
    (each) => inspectPath(join(directory, each)).kind === 'file',
  );
  return found ? `./${found.replace(/^(\.\/)+/, '')}` : null;
}

/**
 * @param {string} directory
 * @returns {Program|null}
 */
function onlyFile(directory) {
  const programs = listDirectory(directory).filter((name) =>
    /^[^.].*(?<!\.(config|test))\.([cm]?[jt]s|py|rb|php|sh|pl)$/.test(name),
  );
  if (programs.length !== 1) return null;
  return { script: `./${programs[0]}`, args: [], nodeArgs: [], env: {} };
}
