/** What a program points a call at: apps as objects, programs, an ecosystem file, or selectors. */
import { isEcosystemFile, loadFile } from '../config/file/load.js';
import { resolveApps } from '../config/resolve/apps.js';
import { workingDirectory } from '../shared/files/inspect-path.js';
import {
  FILE_OPTIONS,
  anObject,
  checkOptions,
  read,
  readSelectors,
  settingsIn,
  wrong,
} from './arguments.js';
import { readTarget } from './selectors.js';
import { isProgram, readDirectory } from './start-target.js';

/**
 * @import { ApplyParams } from '../protocol/methods.js'
 * @import { Place } from './start-target.js'
 * @import { AppSettings, FileOptions, ReloadOptions } from './types.js'
 *
 * @typedef {(warning: string) => void} Warn
 */

/** @returns {Place} where this program runs */
export function currentPlace() {
  return { cwd: workingDirectory(), env: process.env };
}

/**
 * @param {unknown} target of start()
 * @param {any} settings
 * @returns {AppSettings[] | null} the apps that it describes; null: it names an ecosystem file or
 *   apps that exist
 * @throws {TypeError | NodeclusterError} E_NO_PROGRAM
 */
export function readApps(target, settings) {
  const items = [target].flat();
  if (items.every((item) => typeof item === 'object' && item !== null))
    return /** @type {AppSettings[]} */ (items);
  const words = readSelectors('start', target);
  read('the settings of start()', anObject, settings);
  const place = currentPlace();
  const found = readDirectory(words, place);
  if (found?.kind === 'program') return [{ ...found.program, ...settings }];
  if (found !== null || words.some(isEcosystemFile)) return null;
  if (!words.some((word) => isProgram(word, place, settingsIn(settings)))) return null;
  return words.map((script) => ({ ...settings, script }));
}

/** @param {AppSettings[]} settings @param {Warn} warn @throws {NodeclusterError} E_CONFIG_INVALID */
export function resolveSettings(settings, warn) {
  const document = {
    value: settings.length === 1 ? settings[0] : settings,
    locate: () => null,
    written: () => null,
    label: settings.length === 1 ? 'The app' : 'The list of apps',
    file: null,
    directory: workingDirectory(),
  };
  const { specs, warnings } = resolveApps({ document, shellEnv: process.env });
  warnings.forEach(warn);
  return specs;
}

/**
 * @param {'start' | 'restart' | 'reload'} call
 * @param {unknown} target
 * @param {ReloadOptions} options
 * @returns {{kind: 'file', file: string} | {kind: 'selectors', selectors: string[]}}
 * @throws {TypeError | NodeclusterError} E_MIXED_TARGETS
 */
export function targetOf(call, target, options) {
  checkOptions(call, options);
  const selectors = readSelectors(call, target);
  const found = call === 'start' ? readDirectory(selectors, currentPlace()) : null;
  if (found?.kind === 'file') return found;
  const misfit = (/** @type {string} */ option, /** @type {string} */ expected) =>
    wrong(`the target of ${call}(), with the option "${option}",`, expected, target);
  const named = readTarget({ words: selectors, options: {}, command: call });
  if (named.kind === 'file' && 'settings' in options) throw misfit('settings', 'apps');
  if (named.kind === 'file') return named;
  const [useless] = Object.keys(options).filter((name) => FILE_OPTIONS.includes(name));
  if (useless === undefined) return { kind: 'selectors', selectors };
  throw misfit(useless, 'an ecosystem file');
}

/**
 * @param {string} file
 * @param {FileOptions} options
 * @param {Warn} warn
 * @returns {Promise<Omit<ApplyParams, 'action'>>}
 * @throws {NodeclusterError} the errors of ecosystem files
 */
export async function loadApplyParams(file, { env: envName, only, prune, updateEnv }, warn) {
  const document = await loadFile(file);
  const { specs, warnings } = resolveApps({ document, envName, only, shellEnv: process.env });
  warnings.forEach(warn);
  return {
    specs,
    file: document.file,
    only: only ? specs.map(({ name }) => name) : undefined,
    prune: prune === true,
    updateEnv: updateEnv === true,
  };
}
