/** The specs of an ecosystem file. */
import { findEcosystemFile, loadFile } from '../config/file/load.js';
import { resolveApps } from '../config/resolve/apps.js';
import { NodeclusterError } from '../errors/error.js';
import { readPackageJson } from '../shared/files/small-file.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { Context } from '../cli/context.js'
 * @import { FileTarget } from './selectors.js'
 */

/** @typedef {Pick<Context, 'command' | 'cwd' | 'stdin' | 'env' | 'withStdoutOnStderr'>} Place where the command was typed */

/**
 * @param {Place} place
 * @param {FileTarget} target
 * @param {object} options
 * @param {string} [options.env] the settings of `env_<name>` too
 * @param {string[]} [options.only] names of apps
 * @param {boolean} [options.lenient] unknown keys are warnings
 * @param {boolean} [options.runsElsewhere]
 * @returns {Promise<{specs: Spec[], file: string | null, warnings: string[]}>} file: its absolute
 *   path; null for stdin
 * @throws {NodeclusterError} E_NOTHING_NAMED, and the errors of ecosystem files
 */
export async function loadSpecs(place, target, { env: envName, only, lenient, runsElsewhere }) {
  const { cwd, stdin, env: shellEnv, withStdoutOnStderr } = place;
  const path = target.kind === 'file' ? target.file : findFile(place);
  const document = await withStdoutOnStderr(() => loadFile(path, { cwd, stdin }));
  const { specs, warnings } = resolveApps({
    document,
    envName,
    only,
    lenient,
    shellEnv,
    runsElsewhere,
  });
  return { specs, file: document.file, warnings };
}

/** @param {Place} place */
function findFile({ cwd, command }) {
  const file = findEcosystemFile(cwd);
  if (file !== null) return file;
  const hasPackage = readPackageJson(cwd) !== null;
  throw new NodeclusterError('E_NOTHING_NAMED', { command, directory: cwd, hasPackage });
}
