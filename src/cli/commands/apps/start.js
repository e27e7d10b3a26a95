import { resolve } from 'node:path';
import { findProgram } from '../../../config/describe/find-program.js';
import { inspectPath, listDirectory } from '../../../config/file/inspect-path.js';
import { findEcosystemFile } from '../../../config/file/load.js';
import { readPackageJson } from '../../../config/file/package-json.js';
import { flagsToEntries, fromFlags } from '../../../config/flags.js';
import { nearest } from '../../../config/nearest.js';
import { isCommand } from '../../../config/resolve/program.js';
import { NodeclusterError } from '../../../errors/error.js';
import { applyFile } from '../../actions/apply-file.js';
import { conclude, request } from '../../actions/request.js';
import { assertNoSettings } from '../../actions/settings/given-setting.js';
import { showWarnings } from '../../actions/specs.js';
import { startSpecs } from '../../actions/start-specs.js';
import { readTarget } from '../../actions/targets.js';
import { fileOptions, jsonOption, updateEnvOption } from '../../options.js';
import { maskLine } from '../../render/mask.js';
import { settingOptions } from '../../setting-options.js';

/**
 * @import { DaemonClient } from '../../../protocol/methods.js'
 * @import { Context } from '../../context.js'
 * @import { CommandData, Run } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'start programs, an ecosystem file, or stopped apps',
  details:
    'Without arguments it starts the ecosystem file in this directory. Arguments after -- go to ' +
    'the program. A name, worker id or other selector starts stopped apps again.',
  arguments: [
    {
      name: '[targets...]',
      summary:
        'a program, a command line in quotes, a directory, an ecosystem file (- for stdin), or names ' +
        'of stopped apps',
    },
  ],
  options: [...settingOptions(), ...fileOptions, updateEnvOption, jsonOption],
  examples: [
    'nodecluster start app.js -i max',
    'nodecluster start app.js --name api -- --port 3000',
    'nodecluster start "npm start" --name web',
    'nodecluster start .',
    'nodecluster start worker.py --set-env QUEUE=mail',
    'nodecluster start ecosystem.yml --only api --env production',
    'nodecluster start api',
  ],
};

/** @type {Run} */
export async function run(context) {
  const directory = namedDirectory(context);
  if (directory !== null) return startDirectory(context, directory);
  const target = readTarget(context);
  if (target.kind !== 'selectors') return applyFile(context, target, { action: 'start' });
  const namesProgram = target.selectors.some((word) => isProgram(word, context));
  return namesProgram ? startPrograms(context) : startStopped(context, target.selectors);
}

/**
 * @param {Context} context
 * @returns {string | null} null: not a directory, or a word that may be the name of an app
 */
function namedDirectory({ words, cwd }) {
  const [word] = words;
  const isPath = words.length === 1 && (word === '.' || word.includes('/'));
  return isPath && inspectPath(resolve(cwd, word)).kind === 'directory' ? resolve(cwd, word) : null;
}

/**
 * Starts its ecosystem file, or else the program of its package.
 * @param {Context} context
 * @param {string} directory absolute
 */
async function startDirectory(context, directory) {
  const file = findEcosystemFile(directory);
  if (file !== null) return applyFile(context, { kind: 'file', file }, { action: 'start' });
  const { options, programArgs, cwd, env } = context;
  const { script, args } = programIn(directory);
  const { spec, warnings } = fromFlags({
    script,
    args: [...args, ...programArgs],
    flags: { cwd: directory, ...flagsToEntries(options) },
    cwd,
    shellEnv: env,
  });
  showWarnings(context, warnings);
  return startSpecs(context, [spec]);
}

/** @param {string} directory @throws {NodeclusterError} E_NO_PROGRAM */
function programIn(directory) {
  const packageJson = readPackageJson(directory);
  const program = findProgram(packageJson, directory);
  if (program !== null) return program;
  if (packageJson?.scripts?.start) return { script: 'npm', args: ['start'] };
  throw new NodeclusterError('E_NO_PROGRAM', { directory });
}

/**
 * A command in PATH counts as a program only if settings are given with it, because an existing app
 * has its own. So does a path that cannot be inspected, so that the user learns why it cannot.
 * @param {string} word
 * @param {Context} context
 */
function isProgram(word, { cwd, env, options, programArgs }) {
  if (options.interpreter !== undefined || options.execMode === 'fork') return true;
  // A command line in quotes; names have no spaces.
  if (/\S\s+\S/.test(word)) return true;
  const { kind, fault } = inspectPath(resolve(cwd, word));
  if (kind === 'file' || (fault !== null && /[./]/.test(word))) return true;
  const hasSettings = programArgs.length > 0 || Object.keys(flagsToEntries(options)).length > 0;
  return hasSettings && isCommand(word, env.PATH ?? '');
}

/** @param {Context} context */
async function startPrograms(context) {
  return startSpecs(context, readPrograms(context));
}

/**
 * @param {Context} context
 * @throws {NodeclusterError} E_FLAG_INVALID, E_USAGE
 */
function readPrograms(context) {
  const { words, options, programArgs, cwd, env } = context;
  const flags = flagsToEntries(options);
  if (flags.watch) assertNoWatchPath(words, cwd);
  if (words.length > 1 && flags.name !== undefined) {
    const detail = `--name can name only one app, but ${words.length} programs were given`;
    throw new NodeclusterError('E_USAGE', { detail, command: 'start' });
  }
  return words.map((script) => {
    const { spec, warnings } = fromFlags({ script, args: programArgs, flags, cwd, shellEnv: env });
    showWarnings(context, warnings);
    return spec;
  });
}

/**
 * Rejects `start app.js --watch src`, which looks as if it watched src.
 * @param {string[]} words
 * @param {string} cwd
 * @throws {NodeclusterError} E_USAGE
 */
function assertNoWatchPath(words, cwd) {
  const path = words.find(
    (word) => word.includes('*') || inspectPath(resolve(cwd, word)).kind === 'directory',
  );
  if (path === undefined) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `--watch takes no path, and ${path} is not a program`,
    advice: `--watch watches the working directory. To watch a path, set \`watch: [${path}]\` in an ecosystem file.`,
  });
}

/** @param {Context} context @param {string[]} selectors */
async function startStopped(context, selectors) {
  const client = await context.daemons.open();
  if (!client) throw neitherFileNorApp(context, selectors[0], []);
  assertNoSettings(context, `${selectors[0]} is not a file here, so it must be an existing app`);
  const updateEnv = context.options.updateEnv ? { ...context.env } : null;
  try {
    const result = await request(context, client, 'resume', { selectors, updateEnv });
    if (String(selectors) === 'all') await noteStopped(context, client, result);
    return await conclude(context, client, result);
  } catch (error) {
    const { code, data } = NodeclusterError.from(error);
    if (code !== 'E_APP_UNKNOWN') throw error;
    throw neitherFileNorApp(context, data.selector, data.known);
  }
}

/**
 * After `kill`, `all` is what ran before it.
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {{apps: {name: string}[]}} result
 */
async function noteStopped({ note }, client, result) {
  const started = new Set(result.apps.map(({ name }) => name));
  const { apps } = await client.request('list', {});
  const names = apps.map(({ name }) => maskLine(name)).filter((name) => !started.has(name));
  if (names.length === 0) return;
  const verb = names.length === 1 ? 'stays' : 'stay';
  const again = `\`nodecluster start ${names.join(' ')}\``;
  note(`${names.join(', ')} ${verb} stopped, as before \`kill\`. To start: ${again}.`);
}

/**
 * @param {Context} context
 * @param {string} word
 * @param {string[]} known names of apps
 */
function neitherFileNorApp({ cwd, env, words }, word, known) {
  return new NodeclusterError('E_NEITHER_FILE_NOR_APP', {
    word,
    directory: cwd,
    known,
    isCommand: isCommand(word, env.PATH ?? ''),
    line: words.join(' '),
    nearest: nearest(word, [...known, ...listDirectory(cwd)]),
  });
}
