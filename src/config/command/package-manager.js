/** What npm, pnpm, yarn and npx are asked to do, read from their arguments. */

/**
 * @typedef {{script: string, args: string[]}} RunScript a script of package.json
 * @typedef {{program: string[]}} RunProgram of node_modules/.bin
 */

const MANAGERS = ['npm', 'pnpm', 'yarn', 'npx'];

/**
 * @param {string} name of a command
 * @returns {boolean}
 */
export function isPackageManager(name) {
  return MANAGERS.includes(name);
}

/**
 * @param {string} manager
 * @param {string[]} words after it
 * @returns {RunScript | RunProgram | {fault: string}} `fault`: the end of a sentence that begins with "it"
 */
export function readManagerCall(manager, words) {
  const isStart = words[0] === 'start';
  const isRun = words[0] === 'run' && manager !== 'npx';
  const [name, ...args] = isRun ? words.slice(1) : words;
  if (name === undefined) return { fault: `names no ${manager === 'npx' ? 'program' : 'script'}` };
  if (name.startsWith('-')) return { fault: `has the option ${name}` };
  if (manager === 'npx') {
    return /[@/]/.test(name) ? { fault: `may download ${name}` } : { program: words };
  }
  if (!isStart && !isRun) return { fault: `does something else than start or run (${name})` };
  return readArgs(manager, name, args);
}

/** @param {string} manager @param {string} script @param {string[]} args @returns {RunScript | {fault: string}} */
function readArgs(manager, script, args) {
  if (manager === 'pnpm') return { script, args };
  const dashes = args.indexOf('--');
  // npm takes what looks like an option itself, until `--`.
  const own = manager === 'npm' ? args.slice(0, dashes === -1 ? undefined : dashes) : [];
  const option = own.find((word) => word.startsWith('-'));
  if (option !== undefined) return { fault: `has the option ${option}` };
  return { script, args: args.filter((_, index) => index !== dashes) };
}
