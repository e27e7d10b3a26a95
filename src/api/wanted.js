/** What a program wants to start: apps as plain objects, an ecosystem file, or selectors. */
import { isEcosystemFile, loadFile } from '../config/file/load.js';
import { resolveApps } from '../config/resolve/apps.js';
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { ApplyParams } from '../protocol/methods.js'
 * @import { AppSettings, FileOptions, Target } from './types.js'
 */

/**
 * @param {unknown} target
 * @returns {string | null} the ecosystem file that it is
 * @throws {NodeclusterError} E_MIXED_TARGETS
 */
export function fileIn(target) {
  const words = [target].flat();
  const file = words.find((word) => typeof word === 'string' && isEcosystemFile(word));
  if (typeof file !== 'string') return null;
  if (words.length > 1) throw new NodeclusterError('E_MIXED_TARGETS', { file, command: 'start' });
  return file;
}

/**
 * @param {unknown} target
 * @returns {target is AppSettings | AppSettings[]}
 */
export function areSettings(target) {
  return [target].flat().every((each) => typeof each === 'object' && each !== null);
}

/**
 * @param {string} path
 * @param {FileOptions} options
 * @returns {Promise<Omit<ApplyParams, 'action'>>}
 * @throws {NodeclusterError} all that can be wrong with a file
 */
export async function paramsOfFile(path, { env = undefined, only, prune, updateEnv }) {
  const document = await loadFile(path);
  const wanted = { document, envName: env ?? null, only: only ?? null, shellEnv: process.env };
  const { specs } = await resolveApps(wanted);
  return {
    specs,
    file: document.file,
    prune: prune === true,
    updateEnv: updateEnv === true,
    only: only ?? null,
  };
}

/**
 * @param {AppSettings | AppSettings[]} value
 * @returns {Spec[]}
 * @throws {NodeclusterError} E_CONFIG_INVALID
 */
export function specsOf(value) {
  const document = {
    value: [value].flat(),
    locate: () => null,
    written: () => null,
    label: 'the settings',
    file: null,
    directory: process.cwd(),
  };
  return resolveApps({ document, shellEnv: process.env }).specs;
}
