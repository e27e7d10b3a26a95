/**
 * Programs that start another one: what they start, if that can be read from their arguments.
 * As cluster workers they would be supervised in place of the program.
 */

/**
 * @typedef {object} Next the command that a launcher starts
 * @property {string[]} words
 * @property {Record<string, string>} [env]
 * @property {string[]} [preload] packages that Node loads first: their name, and the option of Node for it
 * @property {{files: string[], overrides: boolean}} [envFiles] that are read first
 *
 * @typedef {{fault: string, instead?: string}} Opaque `fault`: the end of a sentence that begins with
 *   "it"; `instead`: the advice
 * @callback Rule
 * @param {string[]} words after the launcher
 * @returns {Next | Opaque | null} null: it starts no other program
 */

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/** @type {Rule} */
const assignments = (words) => {
  const count = words.findIndex((word) => !ASSIGNMENT.test(word));
  if (count === -1) return { fault: 'names no program' };
  if (words[count].startsWith('-')) return { fault: `has the option ${words[count]}` };
  const expanded = words.find((word) => word.includes('$'));
  if (expanded) return { fault: `contains a shell variable: ${expanded}` };
  const pairs = words.slice(0, count).map((word) => word.split(/=(.*)/s).slice(0, 2));
  return { words: words.slice(count), env: Object.fromEntries(pairs) };
};

/** @param {RegExp} flag @param {string[]} usual @param {boolean} overrides @returns {Rule} */
const envFiles = (flag, usual, overrides) => (words) => {
  /** @type {string[]} */
  const files = [];
  let at = 0;
  for (; words[at]?.startsWith('-') && words[at] !== '--'; at += 2) {
    if (!flag.test(words[at])) return { fault: `has the option ${words[at]}` };
    files.push(words[at + 1] ?? '');
  }
  const rest = words.slice(words[at] === '--' ? at + 1 : at);
  if (rest.length === 0) return { fault: 'names no program' };
  return { words: rest, envFiles: { files: files.length > 0 ? files : usual, overrides } };
};

/** @type {Rule} */
const tsx = (words) => {
  if (words[0] === 'watch')
    return { fault: 'is made for development', instead: watchInstead(words.slice(1)) };
  return { words: ['node', ...words], preload: ['--import', 'tsx'] };
};

/** @type {Rule} */
const tsNode = (words) => {
  const isFast = /^(-T|--transpile-only|--transpileOnly)$/.test(words[0] ?? '');
  const rest = isFast ? words.slice(1) : words;
  if (rest[0]?.startsWith('-')) return { fault: `has the option ${rest[0]}` };
  const register = isFast ? 'ts-node/register/transpile-only' : 'ts-node/register';
  return { words: ['node', ...rest], preload: ['--require', register] };
};

/** @param {string[]} words after a watcher */
function watchInstead(words) {
  const script = words.find((word) => /\.[cm]?[jt]sx?$/.test(word));
  return `start ${script ?? 'the program'} itself, with --watch to reload it when a file changes`;
}

/** @type {Rule} */
const watcher = (words) => ({
  fault: 'is made for development: it restarts the program itself',
  instead: watchInstead(words),
});

/** @param {string} fault @param {string} instead @returns {Rule} */
const opaque = (fault, instead) => () => ({ fault, instead });
const several = opaque('starts several programs', 'start each of them as an app of its own');
const supervisor = opaque(
  'keeps a program running itself',
  'start the program that it runs, without it',
);
const loader = opaque(
  'starts the program in another process, with variables that it has loaded',
  'start the program itself, with env_file in an ecosystem file',
);

/** @param {string} word @param {Opaque} answer @returns {Rule} */
const only = (word, answer) => (words) => (words[0] === word ? answer : null);

/** @type {Record<string, Rule>} by the name of the command and of its package */
const LAUNCHERS = {
  env: assignments,
  'cross-env': assignments,
  'cross-env-shell': opaque('gives its words to a shell', 'use env in an ecosystem file'),
  dotenv: envFiles(/^-e$/, ['.env'], false),
  'dotenv-cli': envFiles(/^-e$/, ['.env'], false),
  'env-cmd': envFiles(/^(-f|--file)$/, ['.env'], true),
  dotenvx: loader,
  exec: (words) => ({ words }),
  tsx,
  'ts-node': tsNode,
  nodemon: watcher,
  'node-dev': watcher,
  'ts-node-dev': watcher,
  tsnd: watcher,
  supervisor: watcher,
  'babel-node': opaque('is made for development', 'compile the program, and start the result'),
  concurrently: several,
  conc: several,
  'npm-run-all': several,
  'run-p': several,
  'run-s': several,
  turbo: several,
  nx: several,
  lerna: several,
  nf: several,
  pm2: supervisor,
  'pm2-runtime': supervisor,
  forever: supervisor,
  nest: only('start', {
    fault: 'compiles, and then starts another Node',
    instead: 'run `nest build` when you deploy, and start dist/main.js',
  }),
  next: only('dev', {
    fault: 'is made for development',
    instead: 'run `next build` when you deploy, and start "npx next start"',
  }),
  // It connects to its port before it listens there, and a cluster answers for a worker that starts.
  serve: opaque(
    'takes another port if its own one is in use',
    '`nodecluster serve` serves a directory as a cluster',
  ),
  nuxi: only('preview', {
    fault: 'starts another Node',
    instead: 'start .output/server/index.mjs',
  }),
};

/**
 * @param {string} name of a command or of the package that it is in
 * @returns {Rule | null}
 */
export function launcherRule(name) {
  return Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name] : null;
}
