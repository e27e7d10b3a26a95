/** `reload` and `restart` with options of `start`: apps get new settings, and keep all others. */
import { selectorsFor } from '../../../api/selectors.js';
import { changeByFlags, flagsToEntries } from '../../../config/flags.js';
import { NodeclusterError } from '../../../errors/error.js';
import { noteChanges } from '../apply-file.js';
import { conclude, openForApps, request } from '../request.js';
import { showWarnings, specParams } from '../specs.js';
import { fetchSpecs } from './running-specs.js';

/**
 * @import { Rolling } from '../../../protocol/methods.js'
 * @import { Context } from '../../context.js'
 */

/**
 * @param {Context} context with settings on its command line
 * @param {string[]} words
 * @param {{action: 'reload' | 'restart', wait?: boolean} & Rolling} order
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and what the daemon replies
 */
export async function changeSettings(context, words, order) {
  const { options, programArgs: args, cwd } = context;
  const flags = flagsToEntries(options);
  assertNoName(flags, order.action);
  const client = await openForApps(context);
  const selectors = await selectorsFor(context, client, words);
  const before = await fetchSpecs(client, selectors);
  assertWholeApps(selectors, before);
  const specs = before.map((spec) => {
    const changed = changeByFlags(spec, { args, flags, cwd });
    showWarnings(context, changed.warnings);
    return changed.spec;
  });
  const { updateEnv = false } = options;
  const params = { ...specParams(context, specs), ...order, updateEnv };
  const result = await request(context, client, 'apply', params, (plan) =>
    noteChanges(context, plan, { specs, apply: 'nodecluster apply' }),
  );
  return conclude(context, client, result);
}

/** @param {Record<string, unknown>} flags @param {string} command */
function assertNoName({ name }, command) {
  if (name === undefined) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `${command} cannot rename an app: its log files and its sockets have its name`,
    advice: `Start it as \`--name ${name}\`, and delete the old one when the new one is online.`,
  });
}

/** @param {string[]} selectors @param {{instances: number}[]} specs */
function assertWholeApps(selectors, specs) {
  const worker = selectors.find((selector) => /^(.+:)?\d+$/.test(selector));
  if (worker === undefined || specs.every(({ instances }) => instances === 1)) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `settings belong to a whole app, and ${worker} is one of its workers`,
    advice: 'Name the app; `nodecluster ls` shows its name.',
  });
}
