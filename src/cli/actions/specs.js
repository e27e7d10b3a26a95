/** The specs of programs that a command line names, and specs as a request to the daemon has them. */
import { resolve } from 'node:path';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { resolutionNote } from '../render/plan.js';
import { inspectPath } from '../../shared/files/inspect-path.js';
import { flagsToEntries, fromFlags, changeByFlags } from '../../config/flags.js';
import { fileName } from '../../config/resolve/names.js';
import { loadSpecs } from '../../api/specs.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../context.js'
 * @import { FileTarget } from '../../api/selectors.js'
 */

/** @param {Context} context @param {Spec[]} specs */
export function showResolutions({ note }, specs) {
  for (const spec of specs) {
    const text = spec.execMode === 'cluster' ? resolutionNote(spec) : null;
    if (text !== null) note(text);
  }
}

/** @param {Context} context @param {Spec[]} specs @returns parameters of a request */
export function specParams({ env }, specs) {
  // With the shell's environment once instead of in every spec.
  return { specs: specs.map((spec) => ({ ...spec, shellEnv: undefined })), shellEnv: { ...env } };
}

/**
 * The specs of programs that a command line names.
 * @param {Context} context
 * @param {{script: string, args: string[], cwd?: string}[]} programs
 * @throws {NodeclusterError} E_FLAG_INVALID, E_USAGE
 */
export function programSpecs(context, programs) {
  const { options, programArgs, cwd, env } = context;
  const flags = flagsToEntries(options);
  const scripts = programs.map(({ script }) => script);
  if (flags.watch) assertNoWatchPath(scripts, cwd);
  if (scripts.length > 1 && flags.name !== undefined) {
    throw new NodeclusterError('E_USAGE', {
      detail: `--name can name only one app, but ${scripts.length} programs were given`,
      command: context.command,
      advice: flags.watch && '--watch takes no path: set `watch` in an ecosystem file.',
    });
  }
  const specs = programs.map(({ script, args, ...place }) => {
    const settings = { ...place, ...flags, script, args: [...args, ...programArgs] };
    const { spec, warnings } = fromFlags(settings, { cwd, shellEnv: env });
    context.warn(warnings);
    return spec;
  });
  return withOwnNames(specs);
}

/** Twins, named after their package, get the names of their files. @param {Spec[]} specs */
function withOwnNames(specs) {
  return specs.map((spec) => {
    const hasTwin = specs.some((other) => other !== spec && other.name === spec.name);
    return hasTwin ? { ...spec, name: fileName(spec.script) ?? spec.name } : spec;
  });
}

/** @param {string[]} words @param {string} cwd @throws {NodeclusterError} E_USAGE */
function assertNoWatchPath(words, cwd) {
  // `start app.js --watch src` looks as if it watched src.
  const path = words.find(
    (word) => word.includes('*') || inspectPath(resolve(cwd, word)).kind === 'directory',
  );
  if (path === undefined) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `--watch takes no path, and ${path} is not a program`,
    advice: `--watch watches the working directory. To watch a path, set \`watch: [${path}]\` in an ecosystem file.`,
  });
}

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @returns {Promise<{specs: Spec[], file: string | null}>} of the apps that the command takes, each
 *   with the settings of the command line
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and as loadSpecs
 */
export async function loadChangedSpecs(context, target) {
  const { name, ...flags } = flagsToEntries(context.options);
  if (name !== undefined) throw notForFiles('--name works', context);
  if (context.programArgs.length > 0) throw notForFiles('Arguments after -- work', context);
  const { specs, file, warnings } = await loadSpecs(context, target, context.options);
  context.warn(warnings);
  if (Object.keys(flags).length === 0) return { specs, file };
  const changed = specs.map((spec) => {
    const { spec: next, warnings: more } = changeByFlags(spec, flags, context.cwd);
    // The file has had the same ones, in front of them its lines.
    const isNew = (/** @type {string} */ text) =>
      !warnings.some((each) => each.endsWith(text.slice(text.indexOf(' '))));
    context.warn(more.filter(isNew));
    return next;
  });
  return { specs: changed, file };
}

/** @param {string} what @param {Context} context */
function notForFiles(what, { command }) {
  const reason = 'an ecosystem file has names and arguments of its own';
  return usageError(command, `${what} only with a program or an app: ${reason}`);
}

/** @param {Pick<Context, 'options' | 'programArgs'>} context @returns settings of an app */
export function givenSettings({ options, programArgs }) {
  const flags = flagsToEntries(options);
  return programArgs.length > 0 ? { ...flags, args: programArgs } : flags;
}
