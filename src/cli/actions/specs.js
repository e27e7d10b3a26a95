/** Loads the specs of an ecosystem file, and prepares specs for a request to the daemon. */
import { findEcosystemFile, loadFile } from '../../config/file/load.js';
import { readPackageJson } from '../../config/file/package-json.js';
import { resolveApps } from '../../config/resolve/apps.js';
import { NodeclusterError } from '../../errors/error.js';
import { maskText } from '../../show/mask.js';
import { paint } from '../render/palette.js';
import { resolutionNote } from '../render/describe/program.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../context.js'
 * @import { FileTarget } from './targets.js'
 */

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @param {{runsElsewhere?: boolean}} [place]
 * @returns {Promise<{specs: Spec[], file: string | null, warnings: string[]}>} file: its absolute
 *   path; null for stdin
 * @throws {NodeclusterError} E_NOTHING_NAMED, and the errors of ecosystem files
 */
export async function loadSpecs(context, target, place = {}) {
  const { cwd, stdin, env, options, withStdoutOnStderr } = context;
  const path = target.kind === 'file' ? target.file : findFile(context);
  const document = await withStdoutOnStderr(() => loadFile(path, { cwd, stdin }));
  const { specs, warnings } = resolveApps({
    document,
    envName: options.env ?? null,
    only: options.only ?? null,
    lenient: options.lenient ?? false,
    shellEnv: env,
    ...place,
  });
  return { specs, file: document.file, warnings };
}

/** @param {Context} context */
function findFile({ cwd, command }) {
  const file = findEcosystemFile(cwd);
  if (file !== null) return file;
  const hasPackage = readPackageJson(cwd) !== null;
  throw new NodeclusterError('E_NOTHING_NAMED', { command, directory: cwd, hasPackage });
}

/**
 * @param {Context} context
 * @param {string[]} warnings
 */
export function showWarnings({ note, stderr }, warnings) {
  for (const warning of warnings) {
    note(`${paint(stderr).yellow('warning:')} ${maskText(warning)}`);
  }
}

/**
 * @param {Context} context
 * @param {Spec[]} specs
 */
export function showResolutions({ note }, specs) {
  for (const spec of specs) {
    const text = spec.execMode === 'cluster' ? resolutionNote(spec) : null;
    if (text !== null) note(text);
  }
}

/**
 * @param {Context} context
 * @param {Spec[]} specs
 * @returns {{specs: Partial<Spec>[], shellEnv: NodeJS.ProcessEnv}} parameters of a request, with
 *   the shell's environment once instead of in every spec
 */
export function specParams({ env }, specs) {
  return { specs: specs.map((spec) => ({ ...spec, shellEnv: undefined })), shellEnv: { ...env } };
}
