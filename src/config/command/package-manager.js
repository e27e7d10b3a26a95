/** What npm, pnpm, yarn, npx and their relatives are asked to do, read from their arguments. */

/**
 * @typedef {{script: string, args: string[], isDefault: boolean}} RunScript a script of package.json;
 *   `isDefault`: otherwise a program of node_modules/.bin
 * @typedef {{program: string[]}} RunProgram of node_modules/.bin
 * @typedef {(RunScript | RunProgram) & {directory?: string, workspace?: string}} ManagerCall
 * @typedef {{fault: string}} Unreadable the end of a sentence that begins with "it"
 */

/**
 * @typedef {object} Manners of one package manager
 * @property {RegExp} run commands that run the script that follows
 * @property {RegExp} direct commands that are the names of scripts
 * @property {RegExp | null} exec commands that run the program that follows
 * @property {boolean} takesAnyName whether another word is a script or a program too
 * @property {RegExp} silent options that change nothing
 * @property {Record<string, 'directory' | 'workspace'>} places options with a value
 * @property {'options' | 'first' | 'none'} dashes what `--` ends: npm takes options until then; yarn drops
 *   the first one; pnpm passes it on
 */

/** @type {Record<string, Manners>} */
const MANAGERS = {
  npm: {
    run: /^(run|run-script|rum|urn)$/,
    direct: /^(start|stop|restart|test)$/,
    exec: /^(exec|x)$/,
    takesAnyName: false,
    silent:
      /^(-s|-q|-d|--silent|--quiet|--yes|-y|--no-(audit|fund|update-notifier)|--loglevel=\w+)$/,
    places: {
      '--prefix': 'directory',
      '-C': 'directory',
      '-w': 'workspace',
      '--workspace': 'workspace',
    },
    dashes: 'options',
  },
  pnpm: {
    run: /^(run|run-script)$/,
    direct: /^(start|stop|restart|test)$/,
    exec: /^exec$/,
    takesAnyName: true,
    silent: /^(-s|--silent|--loglevel=\w+|--reporter=\w+|--prefer-offline)$/,
    places: { '--dir': 'directory', '-C': 'directory' },
    dashes: 'none',
  },
  yarn: {
    run: /^run$/,
    direct: /^(start|stop|restart|test)$/,
    exec: /^exec$/,
    takesAnyName: true,
    silent: /^(-s|--silent|--offline|--non-interactive)$/,
    places: { '--cwd': 'directory' },
    dashes: 'first',
  },
  bun: {
    run: /^run$/,
    direct: /^$/,
    exec: /^x$/,
    takesAnyName: false,
    silent: /^--silent$/,
    places: { '--cwd': 'directory' },
    dashes: 'none',
  },
};
const RUNNERS = /^(npx|pnpx|bunx)$/;
const RUNNER_SILENT = /^(-y|-q|--yes|--no|--no-install|--quiet|--prefer-offline|--offline)$/;
/** Commands that are not the names of scripts. */
const OTHER_COMMAND =
  /^(add|install|i|ci|remove|rm|update|up|publish|pack|init|create|dlx|link|config|cache|audit|why|list|ls|info|version|workspaces|import|patch|deploy|store|server|env|setup|help|node)$/;

/**
 * @param {string} manager
 * @returns {boolean}
 */
export function isPackageManager(manager) {
  return manager in MANAGERS || RUNNERS.test(manager);
}

/**
 * @param {string} manager `npm`, `npx` …
 * @param {string[]} words after it
 * @returns {ManagerCall | Unreadable}
 */
export function readManagerCall(manager, words) {
  return RUNNERS.test(manager) ? readRunner(words) : readManager(manager, MANAGERS[manager], words);
}

/** @param {string[]} words @returns {ManagerCall | Unreadable} */
function readRunner(words) {
  const at = words.findIndex((word) => !RUNNER_SILENT.test(word));
  const [option, ...rest] = at === -1 ? [] : words.slice(at);
  const program = option === '--' ? rest : words.slice(at);
  if (at === -1 || program.length === 0) return { fault: 'names no program' };
  return asProgram(program);
}

/** @param {string[]} program @returns {RunProgram | Unreadable} */
function asProgram(program) {
  const [name] = program;
  if (name.startsWith('-')) return { fault: `has the option ${name}` };
  if (/[@/]/.test(name)) return { fault: `may download ${name}` };
  return { program };
}

/** @param {string} manager @param {Manners} manners @param {string[]} words @returns {ManagerCall | Unreadable} */
function readManager(manager, manners, words) {
  const before = takeOptions(words, manners);
  if ('fault' in before) return before;
  const { rest, ...places } = before;
  if (rest.length === 0) return { fault: 'names no script' };
  if (manager !== 'yarn') return readCommand(manager, manners, rest, places);
  const [command, workspace, ...others] = rest;
  if (command === 'node') return { program: rest, ...places };
  if (command !== 'workspace') return readCommand(manager, manners, rest, places);
  const call = readManager(manager, manners, others);
  return 'fault' in call ? call : { ...call, workspace };
}

/** @param {string} manager @param {Manners} manners @param {string[]} words @param {object} places @returns {ManagerCall | Unreadable} */
function readCommand(manager, manners, words, places) {
  const [command, ...after] = words;
  if (manners.exec?.test(command)) return readExec(after, manners, places);
  if (manners.run.test(command)) return readScript(after, manners, places);
  const isScript = manners.takesAnyName && !OTHER_COMMAND.test(command);
  if (isScript || manners.direct.test(command)) return readScript(words, manners, places);
  return { fault: `does something else than to run a script (${manager} ${command})` };
}

/** @param {string[]} words @param {Manners} manners @param {object} places @returns {ManagerCall | Unreadable} */
function readExec(words, manners, places) {
  const taken = takeOptions(words, manners);
  if ('fault' in taken) return taken;
  const { rest, ...more } = taken;
  const program = rest[0] === '--' ? rest.slice(1) : rest;
  if (program.length === 0) return { fault: 'names no program' };
  // npm takes what looks like an option itself, until `--`.
  const hasDashes = manners.dashes === 'options' && rest[0] !== '--';
  const args = hasDashes ? takeOptions(program.slice(1), manners) : null;
  if (args && 'fault' in args) return args;
  const call = asProgram(args ? [program[0], ...withoutDashes(args.rest)] : program);
  return 'fault' in call ? call : { ...call, ...places, ...more };
}

/** @param {string[]} words @param {Manners} manners @param {object} places @returns {ManagerCall | Unreadable} */
function readScript(words, manners, places) {
  const taken = takeOptions(words, manners);
  if ('fault' in taken) return taken;
  const { rest, ...more } = taken;
  const [script, ...args] = rest;
  if (script === undefined || script === '--') return { fault: 'names no script' };
  const call = { script, isDefault: !manners.takesAnyName, ...places, ...more };
  if (manners.dashes === 'none') return { ...call, args };
  if (manners.dashes === 'first') return { ...call, args: withoutDashes(args) };
  const own = takeOptions(args, manners);
  if ('fault' in own) return own;
  const { rest: passed, ...last } = own;
  return { ...call, ...last, args: withoutDashes(passed) };
}

/** @param {string[]} args without the first `--` */
function withoutDashes(args) {
  const at = args.indexOf('--');
  return args.filter((_, index) => index !== at);
}

/**
 * @param {string[]} words
 * @param {Manners} manners
 * @returns {{rest: string[], directory?: string, workspace?: string} | Unreadable} `rest`: from the first
 *   word on that is not an option; with npm, all words that are not, up to `--`
 */
function takeOptions(words, { silent, places, dashes }) {
  /** @type {Record<string, string>} */
  const found = {};
  /** @type {string[]} */
  const others = [];
  let at = 0;
  for (; at < words.length && words[at] !== '--'; at += 1) {
    const [, name, , inline] = /^(--?[\w-]+)(=(.*))?$/.exec(words[at]) ?? [];
    const place = name === undefined ? undefined : places[name];
    if (place) found[place] = inline ?? words[(at += 1)] ?? '';
    else if (name !== undefined && !silent.test(words[at])) {
      return { fault: `has the option ${name}, whose effect is not known` };
    } else if (name === undefined) {
      if (dashes !== 'options') break;
      others.push(words[at]);
    }
  }
  return { ...found, rest: [...others, ...words.slice(at)] };
}
