/** What the user wants, as specs: from an ecosystem file, or from programs and flags. */
import { resolve } from 'node:path';
import { findEcosystemFile, loadFile } from '../../config/file/load.js';
import { flagsToEntries, fromFlags } from '../../config/flags.js';
import { inspectPath } from '../../config/file/inspect-path.js';
import { resolveApps } from '../../config/resolve/apps.js';
import { NodeclusterError } from '../../errors/error.js';
import { maskText } from '../render/mask.js';
import { paint } from '../render/palette.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../context.js'
 * @import { FileTarget } from './targets.js'
 */

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @returns {Promise<{specs: Spec[], file: string | null}>} file: its absolute path; null for stdin
 * @throws {NodeclusterError} E_NOTHING_NAMED, and all that can be wrong with a file
 */
export async function wantedFromFile(context, target) {
  const { cwd, stdin, env, options, apart } = context;
  const path = target.kind === 'file' ? target.file : await fileOfFolder(context);
  const document = await apart(() => loadFile(path, { cwd, stdin }));
  const { specs, warnings } = await resolveApps({
    document,
    envName: options.env ?? null,
    only: options.only ?? null,
    lenient: options.lenient ?? false,
    shellEnv: env,
  });
  // What ends apps has no use for their settings.
  if (context.command !== 'stop' && context.command !== 'delete') warn(context, warnings);
  return { specs, file: document.file };
}

/**
 * @param {Context} context whose words are programs
 * @returns {Spec[]}
 * @throws {NodeclusterError} E_FLAG_INVALID, E_USAGE
 */
export function wantedPrograms(context) {
  const { words, options, programArgs, cwd, env } = context;
  const flags = flagsToEntries(options);
  if (flags.watch) refuseWatchedPath(words, cwd);
  if (words.length > 1 && flags.name !== undefined) {
    const detail = `--name names one app, and ${words.length} programs were given`;
    throw new NodeclusterError('E_USAGE', { detail, command: 'start' });
  }
  return words.map((script) => {
    const wanted = { script, args: programArgs, flags, cwd, shellEnv: env };
    const { spec, warnings } = fromFlags(wanted);
    warn(context, warnings);
    return spec;
  });
}

/**
 * `start app.js --watch src` reads as if src were to be watched.
 * @param {string[]} words
 * @param {string} cwd
 * @throws {NodeclusterError} E_USAGE
 */
function refuseWatchedPath(words, cwd) {
  const path = words.find(
    (word) => word.includes('*') || inspectPath(resolve(cwd, word)).kind === 'directory',
  );
  if (path === undefined) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `--watch is a switch that takes no path, and ${path} is no program`,
    advice: `--watch alone watches the working folder; an ecosystem file can say \`watch: [${path}]\`.`,
  });
}

/**
 * @param {Record<string, unknown>} options as the command line was read
 * @returns {string[]} keys of those that are settings of an app
 */
export function appSettings(options) {
  return Object.keys(flagsToEntries(options));
}

/**
 * @param {Spec[]} specs
 * @param {Context} context
 * @returns {{specs: Partial<Spec>[], shellEnv: NodeJS.ProcessEnv}} as a request has them: the
 *   environment of the shell once, not with every spec
 */
export function withOneShellEnv(specs, { env }) {
  return { specs: specs.map((spec) => ({ ...spec, shellEnv: undefined })), shellEnv: { ...env } };
}

/** @param {Context} context */
async function fileOfFolder({ cwd, command }) {
  try {
    return await findEcosystemFile(cwd);
  } catch (error) {
    if (NodeclusterError.from(error).code !== 'E_CONFIG_NONE_HERE') throw error;
    throw new NodeclusterError('E_NOTHING_NAMED', { command, folder: cwd });
  }
}

/**
 * @param {Context} context
 * @param {string[]} warnings
 */
function warn({ note, stderr }, warnings) {
  for (const warning of warnings) {
    note(`${paint(stderr).yellow('warning:')} ${maskText(warning)}`);
  }
}
