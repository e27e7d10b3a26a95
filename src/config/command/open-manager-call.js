/** The command behind `npm start`, `yarn run x`, `npx x` …, from the package.json that they use. */
import { dirname, join, resolve } from 'node:path';
import { inspectPath } from '../file/inspect-path.js';
import { readPackageJson } from '../file/package-json.js';
import { binDirectoriesOf, locateCommand, nearestOf } from './locate.js';
import { readManagerCall } from './package-manager.js';
import { scriptAround, scriptLine, scriptVariables } from './package-script.js';
import { readPlainCommand } from './shell-words.js';

/**
 * @import { Command, Found } from './find-node-program.js'
 * @import { RunScript } from './package-manager.js'
 */

/** What npm runs if there is no script `start`. */
const USUAL_START = 'node server.js';
const WRITE_IT_OUT = 'start the Node program itself, with its args and env in an ecosystem file';
/** Those that a line sets for its command. */
const VARIABLES = /^\s*(\w+=\S*\s+)*/;

/**
 * @param {Command} command
 * @param {string} manager `npm`, `npx` …
 * @param {string[]} args
 * @returns {Command | Found}
 */
export function openManagerCall(command, manager, args) {
  const call = readManagerCall(manager, args);
  if ('fault' in call) return { reason: `${manager} ${call.fault}`, instead: null };
  const start = resolve(command.cwd, call.directory ?? '.');
  const cwd = call.workspace === undefined ? start : workspaceDirectory(start, call.workspace);
  const file = cwd === null ? null : nearestOf(cwd, 'package.json');
  if (cwd === null || (file === null && 'script' in call)) {
    const place = call.workspace === undefined ? `in ${start}` : `called ${call.workspace}`;
    return { reason: `${manager} finds no package ${place}`, instead: null };
  }
  if (manager === 'yarn' && nearestOf(cwd, '.pnp.cjs') !== null) return plugAndPlay();
  if ('program' in call) return openProgram(command, manager, cwd, call.program);
  return openScript(command, manager, /** @type {string} */ (file), call);
}

/**
 * @param {string} root
 * @param {string} workspace its directory, or its name, as which npm and yarn link it
 * @returns {string | null}
 */
function workspaceDirectory(root, workspace) {
  const candidates = [resolve(root, workspace), join(root, 'node_modules', workspace)];
  return candidates.find((each) => readPackageJson(each) !== null) ?? null;
}

/** @returns {Found} */
function plugAndPlay() {
  return {
    reason: "yarn uses Plug'n'Play here, where programs are in archives",
    instead: 'set nodeLinker: node-modules in .yarnrc.yml and run `yarn install`',
  };
}

/** @param {Command} command @param {string} manager @param {string} cwd @param {string[]} program @returns {Command | Found} */
function openProgram(command, manager, cwd, program) {
  const binDirectories = [...binDirectoriesOf(cwd), ...command.binDirectories];
  const [name] = program;
  if (name !== 'node' && locateCommand(name, binDirectories) === null) {
    const instead = `install it: \`npm install ${name}\``;
    return { reason: `${manager} finds no ${name} in node_modules/.bin`, instead };
  }
  return { ...command, words: program, cwd, binDirectories, isLaunched: true };
}

/** @param {Command} command @param {string} manager @param {string} file package.json @param {RunScript} call @returns {Command | Found} */
function openScript(command, manager, file, { script, args, isDefault }) {
  const cwd = dirname(file);
  const packageJson = readPackageJson(cwd) ?? {};
  const line = scriptLine(packageJson, script) ?? usualLine(script, cwd);
  if (line === null && !isDefault) return openProgram(command, manager, cwd, [script, ...args]);
  const subject = `the script ${JSON.stringify(script)} of ${file}`;
  if (line === null)
    return { reason: `there is no script ${JSON.stringify(script)} in ${file}`, instead: null };
  const plain = readPlainCommand(line);
  if ('fault' in plain)
    return { reason: `${subject} ${plain.fault}`, instead: restOf(plain.last) ?? WRITE_IT_OUT };
  const around = scriptAround(packageJson, script);
  if (around !== null) {
    const reason = `the script "${around}" of ${file} runs too`;
    return {
      reason,
      instead: `run \`${manager} run ${around}\` when you deploy, and start ${asTyped(line)}`,
    };
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
function usualLine(script, cwd) {
  const hasServer = script === 'start' && inspectPath(join(cwd, 'server.js')).kind === 'file';
  return hasServer ? USUAL_START : null;
}

/** @param {string | null} last the last command of a chain */
function restOf(last) {
  return last && `run the commands before the last one when you deploy, and start ${asTyped(last)}`;
}

/** @param {string} line of a script @returns {string} what can be typed after `start` */
function asTyped(line) {
  const plain = readPlainCommand(line);
  const [first] = 'fault' in plain ? [''] : plain.words;
  const isGlobal = /^(node|npm|npx|pnpm|yarn|bun)$/.test(first) || first.includes('/');
  return `"${isGlobal ? line : line.replace(VARIABLES, '$&npx ')}"`;
}
