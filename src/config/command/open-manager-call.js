/** The command behind `npm start`, `yarn run x`, `npx x`, `node --run x` …, from the package.json that they use. */
import { delimiter, dirname, join, resolve } from 'node:path';
import { inspectPath } from '../../shared/files/inspect-path.js';
import { readPackageJson } from '../../shared/files/small-file.js';
import { binDirectoriesOf, locateCommand, nearestOf } from './locate.js';
import { readPlainCommand } from './shell-words.js';

/** @import { Command, Found } from './find-node-program.js' */

const WRITE_IT_OUT = 'start the Node program itself, with its args and env in an ecosystem file';
const PLUG_AND_PLAY = {
  reason: "yarn uses Plug'n'Play here, where programs are in archives",
  instead: 'set nodeLinker: node-modules in .yarnrc.yml and run `yarn install`',
};
/** The next word is where the package is. */
const DIRECTORY_OPTION = /^(npm (--prefix|-C)|pnpm (--dir|-C)|yarn --cwd)$/;

/**
 * @param {Command} command
 * @param {string} manager `npm`, `npx` …; `node` of `node --run`
 * @param {string[]} args
 * @returns {Command | Found}
 */
export function openManagerCall(command, manager, args) {
  const [option, directory, ...rest] = args;
  const isMoved = directory !== undefined && DIRECTORY_OPTION.test(`${manager} ${option}`);
  const cwd = isMoved ? resolve(command.cwd, directory) : command.cwd;
  const call = readManagerCall(manager, isMoved ? rest : args);
  if ('fault' in call) return { reason: `${manager} ${call.fault}`, instead: WRITE_IT_OUT };
  if (manager === 'yarn' && nearestOf(cwd, '.pnp.cjs') !== null) return PLUG_AND_PLAY;
  if ('program' in call) return openProgram(command, call.program);
  const file = nearestOf(cwd, 'package.json');
  // With such an option, npm and pnpm do not look in the directories above.
  const isFound = file !== null && (!isMoved || manager === 'yarn' || dirname(file) === cwd);
  if (isFound) return openScript(command, manager, file, call);
  return missing(`${manager} finds no package.json in ${cwd}`);
}

/** @param {Command} command @param {string[]} program @returns {Command | Found} */
function openProgram(command, program) {
  const binDirectories = [...binDirectoriesOf(command.cwd), ...command.binDirectories];
  const [name] = program;
  if (locateCommand(name, binDirectories.join(delimiter)) === null) {
    const instead = `install it: \`npm install ${name}\``;
    return { reason: `npx finds no ${name} in node_modules/.bin`, instead };
  }
  return { ...command, words: program, binDirectories, isLaunched: true };
}

/** @param {Command} command @param {string} manager @param {string} file package.json @param {RunScript} call @returns {Command | Found} */
function openScript(command, manager, file, { script, args }) {
  const cwd = dirname(file);
  const packageJson = readPackageJson(cwd) ?? {};
  const line = scriptLine(packageJson, script) ?? defaultLine(script, cwd);
  if (line === null) {
    const reason = `there is no script ${JSON.stringify(script)} in ${file}`;
    // yarn also runs the programs of node_modules/.bin.
    return manager === 'yarn' ? { reason, instead: null } : missing(reason);
  }
  const plain = readPlainCommand(line);
  if ('fault' in plain) {
    const reason = `the script ${JSON.stringify(script)} of ${file} ${plain.fault}`;
    return { reason, instead: WRITE_IT_OUT };
  }
  const beside = manager === 'node' ? [] : [`pre${script}`, `post${script}`];
  const around = beside.find((each) => scriptLine(packageJson, each) !== null);
  if (around !== undefined) {
    const instead = `run \`${manager} run ${around}\` when you deploy, and ${WRITE_IT_OUT}`;
    return { reason: `the script "${around}" of ${file} runs too`, instead };
  }
  const variables = scriptVariables(packageJson, { file, script, line, cwd: command.cwd });
  return {
    ...command,
    words: [...plain.words, ...args],
    cwd,
    env: { ...command.env, ...variables, ...plain.env },
    binDirectories: [...binDirectoriesOf(cwd), ...command.binDirectories],
    lines: [...command.lines, line],
    isLaunched: true,
  };
}

/** @param {string} script @param {string} cwd */
function defaultLine(script, cwd) {
  const isServer = script === 'start' && inspectPath(join(cwd, 'server.js')).kind === 'file';
  return isServer ? 'node server.js' : null;
}

/** @param {string} reason @returns {Found} */
function missing(reason) {
  return { reason, instead: null, isMissing: true };
}

/** @typedef {{script: string, args: string[]}} RunScript a script of package.json */

export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'npx'];

/**
 * What npm, pnpm, yarn, npx and `node --run` are asked to do.
 * @param {string} manager
 * @param {string[]} words after it
 * @returns {RunScript | {program: string[]} | {fault: string}} program: of node_modules/.bin; fault: the end of a sentence that begins with "it"
 */
export function readManagerCall(manager, words) {
  const isStart = words[0] === 'start';
  const isRun = words[0] === (manager === 'node' ? '--run' : 'run') && manager !== 'npx';
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
  // npm and node take what looks like an option themselves, until `--`.
  const own = manager !== 'yarn' ? args.slice(0, dashes === -1 ? undefined : dashes) : [];
  const option = own.find((word) => word.startsWith('-'));
  if (option !== undefined) return { fault: `has the option ${option}` };
  return { script, args: args.filter((_, index) => index !== dashes) };
}

/**
 * @param {Record<string, any>} packageJson nothing in it has been checked
 * @param {string} name of the script
 * @returns {string | null} null: there is none
 */
export function scriptLine(packageJson, name) {
  const scripts = packageJson.scripts;
  const line = scripts && Object.hasOwn(scripts, name) ? scripts[name] : null;
  return typeof line === 'string' && line.trim() !== '' ? line : null;
}

/**
 * The variables of npm that programs rely on. The settings of npm itself are left out.
 * @param {Record<string, any>} packageJson
 * @param {{file: string, script: string, line: string, cwd: string}} run `file`: of the package.json; `cwd`:
 *   where npm was called
 */
function scriptVariables(packageJson, { file, script, line, cwd }) {
  const { name, version, config } = packageJson;
  const settings = Object.entries(config && typeof config === 'object' ? config : {})
    .filter(([key, value]) => /^\w+$/.test(key) && /^(string|number|boolean)$/.test(typeof value))
    .map(([key, value]) => [`npm_package_config_${key}`, String(value)]);
  return {
    ...(typeof name === 'string' && { npm_package_name: name }),
    ...(typeof version === 'string' && { npm_package_version: version }),
    ...Object.fromEntries(settings),
    npm_package_json: file,
    npm_lifecycle_event: script,
    npm_lifecycle_script: line,
    INIT_CWD: cwd,
  };
}
