/** Apps in line with a file or with other settings, and their workers replaced: of a program and of the command line. */
import { NodeclusterError, usageError } from '../errors/error.js';
import { changeByFlags } from '../config/flags.js';
import { fetchSpecs, loadChangedSpecs } from './specs.js';
import { commandApps, fileAmong, selectorsFor } from './selectors.js';

/**
 * @import { ApplyParams, DaemonClient, EnvironmentUpdate, Rolling } from '../protocol/methods.js'
 * @import { AppOutcome, Plan } from '../protocol/shapes.js'
 * @import { Context } from '../cli/context.js'
 * @import { Spec } from '../config/spec.js'
 * @import { FileOptions } from './types.js'
 *
 * @typedef {Pick<Context, 'command' | 'cwd' | 'env' | 'stdin' | 'withStdoutOnStderr' | 'openForApps' | 'request' | 'warn' |
 *   'note'> & {daemons: Pick<Context['daemons'], 'home' | 'start'>}} Caller who gives a command
 *
 * @typedef {FileOptions & OrderParts} Order how, beside the target
 *
 * @typedef {object} OrderParts
 * @property {Record<string, unknown>} settings by option key, on top of those that the apps have
 * @property {boolean} [lenient] of an ecosystem file: unknown keys are warnings
 * @property {Rolling & Pick<ApplyParams, 'prune' | 'dryRun'>} [how]
 * @property {(specs: Spec[], file?: string) => (plan: Plan) => void} [onSpecs] gets those of the file, the programs or the apps;
 *   what it returns gets the plan before it is carried out
 *
 * @typedef {{apps: AppOutcome[]}} Result
 */

/**
 * @param {Caller} caller
 * @param {string} path
 * @param {Order & Pick<ApplyParams, 'action'>} order
 */
export async function applyFile(caller, path, order) {
  const { specs, file } = await loadChangedSpecs(caller, path, order);
  const onPlan = order.onSpecs?.(specs, path);
  const client = await caller.daemons.start();
  const only = order.only ? specs.map(({ name }) => name) : null;
  const params = { ...paramsOf(caller, specs, order), only, file };
  return caller.request(client, 'apply', params, onPlan);
}

/** @param {Caller} caller @param {Spec[]} specs @param {Order & Pick<ApplyParams, 'action'>} order */
function paramsOf(caller, specs, { action, how, settings, updateEnv = false }) {
  return { ...specParams(caller, specs, settings), action, ...how, updateEnv };
}

/** @param {Pick<Caller, 'env'>} caller @param {Spec[]} specs @param {Order['settings']} [settings] that were given */
export function specParams({ env }, specs, settings) {
  const dropEnv = Object.entries(settings?.env ?? {}).flatMap(([name, value]) =>
    value === null ? [name] : [],
  );
  const gone = Object.fromEntries(dropEnv.map((name) => [name, undefined]));
  // With the shell's environment once instead of in every spec.
  const ownless = specs.map((spec) => ({ ...spec, shellEnv: undefined }));
  return { specs: ownless, shellEnv: { ...env, ...gone }, dropEnv };
}

/** @param {Caller} caller @param {'reload' | 'restart'} action @param {string[]} words @param {Order} order */
export async function replaceWorkers(caller, action, words, order) {
  const file = fileAmong(caller, words, order);
  if (file !== null) return applyFile(caller, file, { ...order, action });
  if (hasSettings(order)) return changeSettings(caller, words, { ...order, action });
  return commandApps(caller, action, words, { ...environmentOf(caller, order), ...order.how });
}

/** @param {Order} order */
export const hasSettings = ({ settings }) => Object.keys(settings).length > 0;

/** @param {Pick<Caller, 'env'>} caller @param {Order} order @returns {EnvironmentUpdate} */
export function environmentOf({ env }, { updateEnv }) {
  return updateEnv ? { updateEnv: { ...env } } : { shellEnv: { ...env } };
}

/**
 * @param {Caller} caller
 * @param {string[]} words
 * @param {Order & {action: 'apply' | 'reload' | 'restart'}} order
 */
export async function changeSettings(caller, words, order) {
  const { cwd, warn } = caller;
  const client = await caller.openForApps();
  const selectors = await selectorsFor(caller, client, words);
  const before = await fetchSpecs(client, selectors);
  const { name, ...settings } = order.settings;
  // Scripts that deploy give an app its name again and again.
  const isOwn = before.length === 1 && before[0].name === name;
  if (name !== undefined && !isOwn) return renameApp(caller, client, before, order);
  if (!isOwn) assertWholeApps(selectors, before);
  const changed = before.map((spec) => changeByFlags(spec, settings, cwd));
  warn(changed.flatMap(({ warnings }) => warnings));
  const specs = changed.map(({ spec }) => spec);
  return caller.request(client, 'apply', paramsOf(caller, specs, order), order.onSpecs?.(specs));
}

/** @param {Caller} caller @param {DaemonClient} client @param {Spec[]} specs @param {Order & {action: string}} order */
function renameApp({ cwd, command, request }, client, specs, { action, settings }) {
  const name = String(settings.name);
  if (action !== 'restart') {
    throw new NodeclusterError('E_USAGE', {
      detail: `${command} cannot rename an app: its log files and its sockets have its name`,
      advice: `\`nodecluster restart <app> --name ${name}\` does. Without an interruption: start it as \`--name ${name}\`, and delete the old one.`,
    });
  }
  const hasMore = Object.keys(settings).length > 1;
  if (specs.length !== 1 || hasMore) {
    const problem = hasMore ? 'other settings beside it' : `${specs.length} apps`;
    throw usageError(command, `--name gives one app another name, and the command has ${problem}`);
  }
  // Checks the name.
  changeByFlags(specs[0], { name }, cwd);
  return request(client, 'rename', { app: specs[0].name, name });
}

/** @param {string[]} selectors @param {Pick<Spec, 'instances'>[]} specs */
function assertWholeApps(selectors, specs) {
  const worker = selectors.find((selector) => /^(.+:)?\d+$/.test(selector));
  if (worker === undefined || specs.every(({ instances }) => instances === 1)) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `Settings belong to a whole app, and ${worker} is one of its workers`,
    advice: 'Name the app; `nodecluster ls` shows its name.',
  });
}
