/** The specs of programs that a command line names, and specs as a request to the daemon has them. */
import { resolve } from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { resolutionNote } from '../render/program.js';
import { inspectPath } from '../../shared/files/inspect-path.js';
import { flagsToEntries, fromFlags } from '../../config/flags.js';
import { fileName } from '../../config/resolve/default-name.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../context.js'
 */

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

/**
 * The specs of programs that a command line names.
 * @param {Context} context
 * @param {{script: string, args: string[], cwd?: string}[]} programs
 * @returns {Spec[]}
 * @throws {NodeclusterError} E_FLAG_INVALID, E_USAGE
 */
export function programSpecs(context, programs) {
  const { options, programArgs, cwd, env } = context;
  const flags = flagsToEntries(options);
  const scripts = programs.map(({ script }) => script);
  if (flags.watch) assertNoWatchPath(scripts, cwd);
  if (scripts.length > 1 && flags.name !== undefined) {
    const detail = `--name can name only one app, but ${scripts.length} programs were given`;
    throw new NodeclusterError('E_USAGE', { detail, command: context.command });
  }
  const specs = programs.map(({ script, args, ...place }) => {
    const { spec, warnings } = fromFlags({
      script,
      args: [...args, ...programArgs],
      flags: { ...place, ...flags },
      cwd,
      shellEnv: env,
    });
    context.warn(warnings);
    return spec;
  });
  return withOwnNames(specs);
}

/**
 * Programs that would all have the name of their package get those of their files.
 * @param {Spec[]} specs
 */
function withOwnNames(specs) {
  return specs.map((spec) => {
    const hasTwin = specs.some((other) => other !== spec && other.name === spec.name);
    return hasTwin ? { ...spec, name: fileName(spec.script) ?? spec.name } : spec;
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
