/** Asks the daemon to bring its apps in line with an ecosystem file. */
import { jsonText, escapeLine } from '../../show/escape.js';
import { renderPlan, shellNote } from '../render/plan.js';
import { conclude, commandApps } from './request.js';
import { givenSettings, loadChangedSpecs, showResolutions, specParams } from './specs.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { fetchChangedSpecs, fetchSpecs } from '../../api/specs.js';
import { selectorsFor, readTarget } from '../../api/selectors.js';
import { changeByFlags } from '../../config/flags.js';

/**
 * @import { ApplyParams, DaemonClient, EnvironmentUpdate, Rolling } from '../../protocol/methods.js'
 * @import { Plan } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 * @import { Source } from '../render/plan.js'
 * @import { FileTarget } from '../../api/selectors.js'
 * @import { Spec } from '../../config/spec.js'
 */

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @param {Omit<ApplyParams, 'specs' | 'file' | 'only' | 'updateEnv'>} order
 * @throws {NodeclusterError} E_USAGE, the errors of ecosystem files, and what the daemon replies
 */
export async function applyFile(context, target, order) {
  const { options, print, stdout } = context;
  const { specs, file } = await loadChangedSpecs(context, target);
  showResolutions(context, specs);
  const client = await context.daemons.start();
  const { updateEnv = false } = options;
  const only = options.only ? specs.map(({ name }) => name) : null;
  const params = { ...specParams(context, specs), ...order, updateEnv, only, file };
  const source = { specs, apply: applyCommand(context, target) };
  const result = await context.request(client, 'apply', params, changeNoter(context, source));
  if (!order.dryRun) return conclude(context, result);
  print(options.json ? jsonText(result) : renderPlan(result.plan, result.unlisted, source, stdout));
  return 0;
}

/** @param {Context} context @param {Source} source */
function changeNoter({ note, stderr }, source) {
  return (/** @type {Plan} */ { plan, unlisted }) => {
    for (const entry of plan) if (entry.shell?.length) note(shellNote(entry));
    // The outcomes show the rest.
    const changed = plan.filter(({ changes = [] }) => changes.length > 0);
    if (changed.length + unlisted.length > 0) note(renderPlan(changed, unlisted, source, stderr));
  };
}

/** @param {Context} context @param {FileTarget} target */
function applyCommand(context, target) {
  const { options } = context;
  const file = target.kind === 'file' ? ` ${target.file}` : '';
  const env = options.env === undefined ? '' : ` --env ${options.env}`;
  // apply takes no settings.
  if (Object.keys(givenSettings(context)).length > 0) return `nodecluster reload${file}${env} …`;
  return `nodecluster apply${file}${env}`;
}

/** @param {Context} context @param {Spec[]} specs @throws {NodeclusterError} E_APP_EXISTS */
export async function startSpecs(context, specs) {
  showResolutions(context, specs);
  const client = await context.daemons.start();
  const start = (/** @type {Spec[]} */ now) => {
    const onPlan = changeNoter(context, { specs: now, apply: 'nodecluster apply' });
    const { force } = context.options;
    return context.request(client, 'start', { ...specParams(context, now), force }, onPlan);
  };
  const result = await start(specs).catch((error) => {
    if (!context.options.force) throw error;
    return start(withFreeNames(context, specs, error));
  });
  return conclude(context, result);
}

/** @param {Context} context @param {Spec[]} specs @param {unknown} thrown by their start */
function withFreeNames({ note }, specs, thrown) {
  const { code, data } = NodeclusterError.from(thrown);
  if (code !== 'E_APP_EXISTS') throw thrown;
  return specs.map((spec) => {
    const conflict = data.conflicts.find((/** @type {Spec} */ { name }) => name === spec.name);
    if (!conflict?.free) return spec;
    const names = [spec.name, conflict.free].map(escapeLine);
    note(`${names[0]} exists already: this copy of it is called ${names[1]}.`);
    return { ...spec, name: conflict.free };
  });
}

/**
 * @param {Context} context with settings on its command line
 * @param {string[]} words
 * @param {{action: 'apply' | 'reload' | 'restart', wait?: boolean} & Rolling} order
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and what the daemon replies
 */
export async function changeSettings(context, words, order) {
  const { options, cwd, command } = context;
  const client = await context.openForApps();
  const given = await selectorsFor(context, client, words);
  const { name, ...others } = givenSettings(context);
  const named = name === undefined ? [] : await fetchSpecs(client, given);
  // Scripts that deploy give an app its name again and again.
  const isOwn = named.length === 1 && named[0].name === name;
  const settings = name === undefined || isOwn ? others : { name, ...others };
  if (order.action === 'restart' && settings !== others) {
    return renameApp(context, client, named, settings);
  }
  const selectors = isOwn ? [named[0].name] : given;
  const change = { command, settings, cwd };
  const { specs, warnings } = await fetchChangedSpecs(client, selectors, change);
  context.warn(warnings);
  const { updateEnv = false } = options;
  const params = { ...specParams(context, specs), ...order, updateEnv };
  const onPlan = changeNoter(context, { specs, apply: 'nodecluster apply' });
  return conclude(context, await context.request(client, 'apply', params, onPlan));
}

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {Spec[]} specs of the apps that were named
 * @param {Record<string, unknown>} settings with a name
 */
async function renameApp(context, client, specs, { name, ...others }) {
  const { cwd, command } = context;
  const hasMore = Object.keys(others).length > 0;
  if (specs.length !== 1 || hasMore) {
    const problem = hasMore ? 'other settings beside it' : `${specs.length} apps`;
    throw usageError(command, `--name gives one app another name, and the command has ${problem}`);
  }
  // Checks the name.
  changeByFlags(specs[0], { name }, cwd);
  const params = { app: specs[0].name, name: String(name) };
  return conclude(context, await context.request(client, 'rename', params));
}

/**
 * `reload` and `restart`: of apps as they are, with new settings, or with those of a file.
 * @param {Context} context
 * @param {'reload' | 'restart'} action
 * @param {{wait?: boolean} & Rolling} [rolling]
 */
export function replaceWorkers(context, action, rolling = {}) {
  const target = readTarget(context);
  if (target.kind !== 'selectors') return applyFile(context, target, { action, ...rolling });
  const { selectors } = target;
  if (Object.keys(givenSettings(context)).length > 0) {
    return changeSettings(context, selectors, { action, ...rolling });
  }
  return commandApps(context, action, { selectors, ...environmentOf(context), ...rolling });
}

/** @param {Context} context @returns {EnvironmentUpdate} */
export function environmentOf({ options, env }) {
  return options.updateEnv ? { updateEnv: { ...env } } : { shellEnv: { ...env } };
}
