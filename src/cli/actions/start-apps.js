/** `start`: programs, an ecosystem file, or apps that are known and stopped. */
import { resolve } from 'node:path';
import { nearest } from '../../config/nearest.js';
import { lookAt, namesIn } from '../../config/file/path-kind.js';
import { isCommand } from '../../config/resolve/program.js';
import { NodeclusterError } from '../../errors/error.js';
import { applyFile } from './apply-file.js';
import { ask, conclude } from './ask.js';
import { refuseFileOptions } from './on-apps.js';
import { targetOf } from './targets.js';
import { appSettings, wantedPrograms, withOneShellEnv } from './wanted.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 */

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 */
export async function startApps(context) {
  const target = targetOf(context.words, 'start');
  if (target.kind !== 'selectors') {
    refuseProgramOptions(context, 'an ecosystem file says that itself');
    return applyFile(context, target, 'start');
  }
  refuseFileOptions(context);
  const namesPrograms = target.selectors.some((word) => isProgram(word, context));
  return namesPrograms ? startPrograms(context) : resume(context, target.selectors);
}

/** @param {Context} context */
async function startPrograms(context) {
  const specs = wantedPrograms(context);
  const client = await openDaemon(context);
  const params = withOneShellEnv(specs, context);
  return conclude(context, client, await ask(context, client, 'start', params));
}

/**
 * @param {Context} context
 * @param {string[]} selectors
 */
async function resume(context, selectors) {
  const { daemons } = context;
  const client = await daemons.open('recorded');
  if (!client) throw neitherFileNorApp(context, { selector: selectors[0] });
  refuseProgramOptions(
    context,
    `${selectors[0]} is no file here, so it must be an app that has its settings`,
  );
  const { updateEnv } = context.options;
  const params = { selectors, updateEnv: updateEnv ? { ...context.env } : null };
  try {
    return await conclude(context, client, await ask(context, client, 'resume', params));
  } catch (error) {
    const { code, data } = NodeclusterError.from(error);
    throw code === 'E_APP_UNKNOWN' ? neitherFileNorApp(context, data) : error;
  }
}

/**
 * @param {Context} context
 * @param {Record<string, any>} unknown data of E_APP_UNKNOWN
 */
function neitherFileNorApp({ cwd, env }, { selector, known = [] }) {
  return new NodeclusterError('E_NEITHER_FILE_NOR_APP', {
    ...{ word: selector, folder: cwd, known, isCommand: isCommand(selector, env.PATH ?? '') },
    nearest: nearest(selector, [...known, ...namesIn(cwd)]),
  });
}

/** @param {Context} context */
async function openDaemon({ daemons }) {
  return /** @type {DaemonClient} */ (await daemons.open('always'));
}

/**
 * @param {Context} context
 * @param {string} reason
 * @throws {NodeclusterError} E_USAGE
 */
function refuseProgramOptions({ options, programArgs }, reason) {
  const [key = programArgs.length > 0 ? '--' : null] = appSettings(options);
  if (key === null) return;
  const detail = `${key} can only be given for a program, and ${reason}`;
  throw new NodeclusterError('E_USAGE', { detail, command: 'start' });
}

/**
 * A command in PATH is one when it comes with settings: an app that is known has its own. What
 * looks like a path and may not be looked at is one too, so that the reason is told.
 * @param {string} word
 * @param {Context} context
 */
function isProgram(word, { cwd, env, options, programArgs }) {
  if (options.interpreter !== undefined || options.execMode === 'fork') return true;
  const { kind, fault } = lookAt(resolve(cwd, word));
  if (kind === 'file' || (fault !== null && /[./]/.test(word))) return true;
  const hasSettings = programArgs.length > 0 || appSettings(options).length > 0;
  return hasSettings && isCommand(word, env.PATH ?? '');
}
