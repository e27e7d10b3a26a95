/** What the options of `start`, `reload`, `restart`, `apply` and `run` ask for. */
import { usageError } from '../errors/error.js';
import { flagsToEntries, fromFlags } from '../config/flags.js';
import { fileName } from '../config/resolve/names.js';
import { hasSettings } from '../api/replace.js';
import { renderPlan, resolutionNote } from './render/plan.js';

/**
 * @import { Order } from '../api/replace.js'
 * @import { Program, StartOrder } from '../api/start.js'
 * @import { Context } from './context.js'
 */

/** @param {Context} context @param {Order['how']} [how] @returns {Order & StartOrder & Required<Pick<Order, 'onSpecs'>> & {areLeft: () => boolean}} areLeft: settings of the command line, since apps of a file run with others */
export function orderOf(context, how) {
  const { options, programArgs, note, stderr } = context;
  const { env, only, lenient, updateEnv } = options;
  const flags = flagsToEntries(options);
  const settings = programArgs.length > 0 ? { ...flags, args: programArgs } : flags;
  const given = { env, only, lenient, updateEnv, settings, how };
  let areLeft = false;
  return {
    ...given,
    areLeft: () => areLeft,
    toSpecs: (programs) => programSpecs(context, programs, settings),
    onSpecs(specs, file) {
      for (const spec of specs) {
        const text = spec.execMode === 'cluster' ? resolutionNote(spec) : null;
        if (text !== null) note(text);
      }
      const source = { specs, apply: applyCommand(context, file, settings) };
      return ({ plan, unlisted }) => {
        areLeft = hasSettings(given) && plan.some(({ pending }) => pending);
        // The outcomes show the rest.
        const changed = plan.filter(({ changes = [] }) => changes.length > 0);
        if (changed.length + unlisted.length === 0) return;
        note(renderPlan(changed, unlisted, source, stderr));
      };
    },
  };
}

/** @param {Context} context @param {string} [file] @param {object} [settings] */
export function applyCommand({ words, options }, file, settings = {}) {
  const named = words.length > 0 && file !== undefined ? ` ${file}` : '';
  const env = options.env === undefined ? '' : ` --env ${options.env}`;
  // apply takes no settings.
  if (Object.keys(settings).length > 0) return `nodecluster reload${named}${env} …`;
  return `nodecluster apply${named}${env}`;
}

/** @param {Context} context @param {Program[]} programs @param {Record<string, any>} settings by option key */
function programSpecs({ cwd, env, command, warn }, programs, { args: more = [], ...flags }) {
  if (programs.length > 1 && flags.name !== undefined) {
    throw usageError(
      command,
      `--name can name only one app, but ${programs.length} programs were given`,
    );
  }
  const specs = programs.map(({ args, ...program }) => {
    const settings = { ...program, ...flags, args: [...args, ...more] };
    const { spec, warnings } = fromFlags(settings, { cwd, shellEnv: env });
    warn(warnings);
    return spec;
  });
  // Twins, named after their package, get the names of their files.
  return specs.map((spec) => {
    const hasTwin = specs.some((other) => other !== spec && other.name === spec.name);
    return hasTwin ? { ...spec, name: fileName(spec.script) ?? spec.name } : spec;
  });
}
