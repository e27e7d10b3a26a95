/** Programs that start another one. As cluster workers they would be supervised in place of the program. */

/**
 * @typedef {{words: string[], preload: [option: string, module: string]}} Loaded the words of `node` that do
 *   the same in one process
 * @typedef {{reason: string, instead: string}} NotLoaded
 */

/** What runs in fork mode, by the names of commands and packages, some with the first word after them. */
const OTHERS = [
  {
    names: ['nodemon', 'node-dev', 'ts-node-dev', 'tsnd', 'supervisor', 'babel-node', 'tsx watch'],
    fault: 'is made for development',
    instead: 'start the program itself, with --watch to reload it when a file changes',
  },
  {
    names: ['cross-env', 'cross-env-shell', 'env-cmd', 'dotenv', 'dotenv-cli', 'dotenvx'],
    fault: 'starts the program in another process, with variables',
    instead: 'start "NAME=value node app.js", or use env or env_file in an ecosystem file',
  },
  {
    names: ['concurrently', 'conc', 'npm-run-all', 'run-p', 'run-s', 'turbo', 'nx', 'lerna', 'nf'],
    fault: 'starts several programs',
    instead: 'start each of them as an app of its own',
  },
  {
    names: ['pm2', 'pm2-runtime', 'forever'],
    fault: 'keeps a program running itself',
    instead: 'start the program that it runs, without it',
  },
  {
    names: ['nest start'],
    fault: 'compiles, and then starts another Node',
    instead: 'run `nest build` when you deploy, and start dist/main.js',
  },
  {
    names: ['next dev'],
    fault: 'is made for development',
    instead: 'run `next build` when you deploy, and start "npx next start"',
  },
  {
    names: ['nuxi preview'],
    fault: 'starts another Node',
    instead: 'start .output/server/index.mjs',
  },
  {
    // It connects to its port before it listens there, and a cluster answers for a worker that starts.
    names: ['serve'],
    fault: 'takes another port if its own one is in use',
    instead: '`nodecluster serve` serves a directory as a cluster',
  },
];

/**
 * @param {string} name of a command or of the package that it is in
 * @param {string[]} words after it
 * @returns {Loaded | NotLoaded | null} null: it starts no other program
 */
export function readLauncher(name, words) {
  const called = [name, `${name} ${words[0]}`];
  for (const { names, fault, instead } of OTHERS) {
    const found = names.find((each) => called.includes(each));
    if (found !== undefined) return { reason: `${found} ${fault}`, instead };
  }
  if (name === 'tsx') return { words, preload: ['--import', 'tsx'] };
  if (name === 'ts-node') return readTsNode(words);
  return null;
}

/** @param {string} name @returns {boolean} whether Node does the same when it preloads a module */
export function isLoader(name) {
  return name === 'tsx' || name === 'ts-node';
}

/** @param {string[]} words @returns {Loaded | NotLoaded} */
function readTsNode(words) {
  const isFast = words[0] === '-T' || words[0] === '--transpile-only';
  const rest = isFast ? words.slice(1) : words;
  if (rest[0]?.startsWith('-')) {
    const instead = 'start the program itself, with --node-args "--require ts-node/register"';
    return { reason: `ts-node has the option ${rest[0]}`, instead };
  }
  const module = isFast ? 'ts-node/register/transpile-only' : 'ts-node/register';
  return { words: rest, preload: ['--require', module] };
}
