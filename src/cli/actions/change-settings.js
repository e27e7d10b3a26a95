/** Commands on apps that exist, with options of `start`: the apps get new settings, and keep all others. */
import { fetchChangedSpecs, fetchSpecs } from '../../api/running-specs.js';
import { selectorsFor } from '../../api/selectors.js';
import { changeByFlags, flagsToEntries } from '../../config/flags.js';
import { NodeclusterError } from '../../errors/error.js';
import { noteChanges, applyFile } from './apply-file.js';
import { conclude, commandApps } from './request.js';
import { specParams } from './specs.js';
import { givenSetting } from './load-changed-specs.js';
import { readTarget } from '../../api/selectors.js';

/**
 * @import { DaemonClient, Rolling } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 */

/**
 * @param {Context} context with settings on its command line
 * @param {string[]} words
 * @param {{action: 'apply' | 'reload' | 'restart', wait?: boolean} & Rolling} order
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and what the daemon replies
 */
export async function changeSettings(context, words, order) {
  const { options, programArgs: args, cwd, command } = context;
  const client = await context.openForApps();
  const given = await selectorsFor(context, client, words);
  const { selectors, settings } = await withoutOwnName(client, given, flagsToEntries(options));
  if (order.action === 'restart' && settings.name !== undefined) {
    return renameApp(context, client, selectors, settings);
  }
  const change = { command, settings, args, cwd };
  const { specs, warnings } = await fetchChangedSpecs(client, selectors, change);
  context.warn(warnings);
  const { updateEnv = false } = options;
  const params = { ...specParams(context, specs), ...order, updateEnv };
  const result = await context.request(client, 'apply', params, (plan) =>
    noteChanges(context, plan, { specs, apply: 'nodecluster apply' }),
  );
  return conclude(context, client, result);
}

/**
 * Scripts that deploy give an app its name again and again.
 * @param {DaemonClient} client
 * @param {string[]} selectors
 * @param {Record<string, unknown>} settings
 */
async function withoutOwnName(client, selectors, settings) {
  const { name, ...others } = settings;
  const specs = name === undefined ? [] : await fetchSpecs(client, selectors);
  const isOwn = specs.length === 1 && specs[0].name === name;
  return isOwn ? { selectors: [specs[0].name], settings: others } : { selectors, settings };
}

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {string[]} selectors
 * @param {Record<string, unknown>} settings with a name
 */
async function renameApp(context, client, selectors, { name, ...others }) {
  const { programArgs, cwd, command } = context;
  const specs = await fetchSpecs(client, selectors);
  const hasMore = Object.keys(others).length > 0 || programArgs.length > 0;
  if (specs.length !== 1 || hasMore) {
    const problem = hasMore ? 'other settings beside it' : `${specs.length} apps`;
    const detail = `--name gives one app another name, and the command has ${problem}`;
    throw new NodeclusterError('E_USAGE', { detail, command });
  }
  // Checks the name.
  changeByFlags(specs[0], { args: [], flags: { name }, cwd });
  const params = { app: specs[0].name, name: String(name) };
  return conclude(context, client, await context.request(client, 'rename', params));
}

/**
 * `reload` and `restart`: of apps as they are, with new settings, or with those of a file.
 * @param {Context} context
 * @param {'reload' | 'restart'} action
 * @param {{wait?: boolean} & Rolling} [rolling]
 * @returns {Promise<number>} the exit code
 */
export function replaceWorkers(context, action, rolling = {}) {
  const target = readTarget(context);
  if (target.kind !== 'selectors') return applyFile(context, target, { action, ...rolling });
  const { selectors } = target;
  if (givenSetting(context) !== null) {
    return changeSettings(context, selectors, { action, ...rolling });
  }
  const updateEnv = context.options.updateEnv ? { ...context.env } : null;
  return commandApps(context, action, { selectors, updateEnv, ...rolling });
}
