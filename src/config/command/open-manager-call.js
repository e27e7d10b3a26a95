/** The command behind `npm start`, `yarn run x`, `pnpm --filter y start`, `npx x`, from the package.json that they use. */
import { dirname, join, resolve } from 'node:path';
import { listDirectory } from '../../shared/files/inspect-path.js';
import { readPackageJson } from '../../shared/files/small-file.js';
import { binDirectoriesOf, nearestOf, readStart } from './locate.js';
import { readPlainCommand } from './shell-words.js';

/** @import { Command, Found } from './find-node-program.js' */

export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'npx'];
/** The next word is where the package is. */
const DIRECTORY_OPTION = /^(npm (--prefix|-C)|pnpm (--dir|-C)|yarn --cwd)$/;
/** The next word is the name of the package. */
const FILTER_OPTION = /^pnpm (--filter|-F)$/;

/** @param {Command} command @param {string} manager @param {string[]} args @returns {Command | Found} */
export function openManagerCall(command, manager, args) {
  const moved = movedTo(command.cwd, manager, args);
  const call = readManagerCall(manager, moved ? args.slice(2) : args);
  if ('fault' in call) return { reason: `${manager} ${call.fault}` };
  if ('program' in call) return openProgram(command, call.program);
  const { cwd, isThere } = moved ?? { cwd: command.cwd, isThere: false };
  if (cwd === null) return { reason: `pnpm finds no package ${args[1]} in its workspace` };
  if (manager === 'yarn' && nearestOf(cwd, '.pnp.cjs') !== null) {
    return { reason: "yarn uses Plug'n'Play here, where programs are in archives" };
  }
  const file = nearestOf(cwd, 'package.json');
  if (file !== null && (!isThere || dirname(file) === cwd)) {
    return openScript(command, manager, file, call);
  }
  return { reason: `${manager} finds no package.json in ${cwd}`, isMissing: true };
}

/**
 * @param {string} cwd
 * @param {string} manager
 * @param {string[]} args
 * @returns where it runs the script, null if there is no such package; `isThere`: it does not look in the directories above
 */
function movedTo(cwd, manager, [option, place]) {
  if (place === undefined) return null;
  const isThere = manager !== 'yarn';
  if (FILTER_OPTION.test(`${manager} ${option}`)) return { cwd: packageOf(cwd, place), isThere };
  const isMoved = DIRECTORY_OPTION.test(`${manager} ${option}`);
  return isMoved ? { cwd: resolve(cwd, place), isThere } : null;
}

/** @param {string} cwd in a workspace of pnpm @param {string} name of a package @returns {string | null} where it is */
function packageOf(cwd, name) {
  const file = nearestOf(cwd, 'pnpm-workspace.yaml');
  if (file === null) return null;
  const items = readStart(file).matchAll(/^\s*-\s*['"]?([^'"\s#]+)['"]?\s*(#.*)?$/gm);
  const directories = [...items].flatMap(([, pattern]) => {
    const path = join(dirname(file), pattern);
    if (!path.endsWith('/*')) return path;
    return listDirectory(dirname(path)).map((each) => join(dirname(path), each));
  });
  return directories.find((each) => readPackageJson(each)?.name === name) ?? null;
}

/** @param {Command} command @param {string[]} words @returns {Command} */
function openProgram(command, words) {
  const binDirectories = [...binDirectoriesOf(command.cwd), ...command.binDirectories];
  return { ...command, words, binDirectories, isLaunched: true };
}

/** @param {Command} command @param {string} manager @param {string} file package.json @param {RunScript} call @returns {Command | Found} */
function openScript(command, manager, file, { script, args }) {
  const cwd = dirname(file);
  const packageJson = readPackageJson(cwd) ?? {};
  const line = scriptLine(packageJson, script);
  if (line === null) {
    const reason = `there is no script ${JSON.stringify(script)} in ${file}`;
    // yarn also runs the programs of node_modules/.bin.
    return manager === 'yarn' ? { reason } : { reason, isMissing: true };
  }
  const plain = readPlainCommand(line);
  if ('fault' in plain) {
    return { reason: `the script ${JSON.stringify(script)} of ${file} ${plain.fault}` };
  }
  const beside = [`pre${script}`, `post${script}`];
  const around = beside.find((each) => scriptLine(packageJson, each) !== null);
  if (around !== undefined) return { reason: `the script "${around}" of ${file} runs too` };
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

/** @typedef {{script: string, args: string[]}} RunScript a script of package.json */

/**
 * What npm, pnpm, yarn and npx are asked to do.
 * @param {string} manager
 * @param {string[]} words after it
 * @returns {RunScript | {program: string[]} | {fault: string}} program: of node_modules/.bin; fault: the end of a sentence that begins with "it"
 */
export function readManagerCall(manager, words) {
  const isRun = words[0] === 'run' && manager !== 'npx';
  const [name, ...args] = isRun ? words.slice(1) : words;
  if (name === undefined) return { fault: 'names nothing to run' };
  if (name.startsWith('-')) return { fault: `has the option ${name}` };
  if (manager === 'npx') {
    return /[@/]/.test(name) ? { fault: `may download ${name}` } : { program: words };
  }
  if (name !== 'start' && !isRun)
    return { fault: `does something else than start or run (${name})` };
  return manager === 'pnpm' ? { script: name, args } : withoutDashes(manager, name, args);
}

/** @param {string} manager @param {string} script @param {string[]} args @returns {RunScript | {fault: string}} */
function withoutDashes(manager, script, args) {
  const dashes = args.indexOf('--');
  // npm takes what looks like an option itself, until `--`.
  const own = manager === 'npm' ? args.slice(0, dashes === -1 ? undefined : dashes) : [];
  const option = own.find((word) => word.startsWith('-'));
  if (option !== undefined) return { fault: `has the option ${option}` };
  return { script, args: args.filter((_, index) => index !== dashes) };
}

/**
 * @param {Record<string, any>} packageJson nothing in it has been checked
 * @param {string} name of the script
 * @returns {string | null} null: there is none
 */
export function scriptLine({ scripts }, name) {
  const line = scripts && Object.hasOwn(scripts, name) ? scripts[name] : null;
  return typeof line === 'string' && line.trim() !== '' ? line : null;
}

/**
 * The variables of npm that programs rely on. The settings of npm itself are left out.
 * @param {Record<string, any>} packageJson
 * @param {{file: string, script: string, line: string, cwd: string}} run `file`: of the package.json; `cwd`:
 *   where npm was called
 */
function scriptVariables({ name, version }, { file, script, line, cwd }) {
  return {
    ...(typeof name === 'string' && { npm_package_name: name }),
    ...(typeof version === 'string' && { npm_package_version: version }),
    npm_package_json: file,
    npm_lifecycle_event: script,
    npm_lifecycle_script: line,
    INIT_CWD: cwd,
  };
}
