/** The command behind `npm start`, `yarn run x`, `npx x` …, from the package.json that they use. */
import { dirname } from 'node:path';
import { readPackageJson } from '../file/package-json.js';
import { binDirectoriesOf, locateCommand, nearestOf } from './locate.js';
import { readManagerCall } from './package-manager.js';
import { scriptAround, scriptLine, scriptVariables } from './package-script.js';
import { readPlainCommand } from './shell-words.js';

/**
 * @import { Command, Found } from './find-node-program.js'
 * @import { RunScript } from './package-manager.js'
 */

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
  if ('fault' in call) return { reason: `${manager} ${call.fault}`, instead: WRITE_IT_OUT };
  if (manager === 'yarn' && nearestOf(command.cwd, '.pnp.cjs') !== null) return plugAndPlay();
  if ('program' in call) return openProgram(command, call.program);
  const file = nearestOf(command.cwd, 'package.json');
  if (file !== null) return openScript(command, manager, file, call);
  return { reason: `${manager} finds no package in ${command.cwd}`, instead: WRITE_IT_OUT };
}

/** @returns {Found} */
function plugAndPlay() {
  return {
    reason: "yarn uses Plug'n'Play here, where programs are in archives",
    instead: 'set nodeLinker: node-modules in .yarnrc.yml and run `yarn install`',
  };
}

/** @param {Command} command @param {string[]} program @returns {Command | Found} */
function openProgram(command, program) {
  const binDirectories = [...binDirectoriesOf(command.cwd), ...command.binDirectories];
  const [name] = program;
  if (locateCommand(name, binDirectories) === null) {
    const instead = `install it: \`npm install ${name}\``;
    return { reason: `npx finds no ${name} in node_modules/.bin`, instead };
  }
  return { ...command, words: program, binDirectories, isLaunched: true };
}

/** @param {Command} command @param {string} manager @param {string} file package.json @param {RunScript} call @returns {Command | Found} */
function openScript(command, manager, file, { script, args }) {
  const cwd = dirname(file);
  const packageJson = readPackageJson(cwd) ?? {};
  const line = scriptLine(packageJson, script);
  if (line === null)
    return { reason: `there is no script ${JSON.stringify(script)} in ${file}`, instead: null };
  const plain = readPlainCommand(line);
  if ('fault' in plain) {
    const reason = `the script ${JSON.stringify(script)} of ${file} ${plain.fault}`;
    return { reason, instead: restOf(plain.last) ?? WRITE_IT_OUT };
  }
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

/** @param {string | null} last the last command of a chain */
function restOf(last) {
  return last && `run the commands before the last one when you deploy, and start ${asTyped(last)}`;
}

/** @param {string} line of a script @returns {string} what can be typed after `start` */
function asTyped(line) {
  const plain = readPlainCommand(line);
  const [first] = 'fault' in plain ? [''] : plain.words;
  const isGlobal = /^(node|npm|npx|pnpm|yarn)$/.test(first) || first.includes('/');
  return `"${isGlobal ? line : line.replace(VARIABLES, '$&npx ')}"`;
}
