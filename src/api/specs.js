/** Reads the target of a program: an ecosystem file, apps as plain objects, or selectors. */
import { isEcosystemFile, loadFile } from '../config/file/load.js';
import { resolveApps } from '../config/resolve/apps.js';
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { ApplyParams } from '../protocol/methods.js'
 * @import { AppSettings, FileOptions } from './types.js'
 */

/** @param {unknown} target @returns {target is AppSettings | AppSettings[]} */
export function isSettings(target) {
  return [target].flat().every((each) => typeof each === 'object' && each !== null);
}

/**
 * @param {AppSettings | AppSettings[]} settings
 * @returns {Spec[]}
 * @throws {NodeclusterError} E_CONFIG_INVALID
 */
export function resolveSettings(settings) {
  const document = {
    value: [settings].flat(),
    locate: () => null,
    written: () => null,
    label: 'the settings',
    file: null,
    directory: process.cwd(),
  };
  return resolveApps({ document, shellEnv: process.env }).specs;
}

/**
 * @param {string | string[]} target
 * @returns {string | null} null: the target is one or more selectors
 * @throws {NodeclusterError} E_MIXED_TARGETS
 */
export function ecosystemFileOf(target) {
  const words = [target].flat();
  const file = words.find((word) => typeof word === 'string' && isEcosystemFile(word));
  if (file === undefined) return null;
  if (words.length > 1) throw new NodeclusterError('E_MIXED_TARGETS', { file, command: 'start' });
  return file;
}

/**
 * @param {string} path
 * @param {FileOptions} options
 * @returns {Promise<Omit<ApplyParams, 'action'>>}
 * @throws {NodeclusterError} the errors of ecosystem files
 */
export async function loadApplyParams(path, { env: envName = undefined, only, prune, updateEnv }) {
  const document = await loadFile(path);
  const { specs } = resolveApps({ document, envName, only, shellEnv: process.env });
  const { file } = document;
  const names = only ? specs.map(({ name }) => name) : undefined;
  return { specs, file, only: names, prune: prune === true, updateEnv: updateEnv === true };
}
