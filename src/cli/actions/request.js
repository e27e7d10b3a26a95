/** Sends a command to the daemon and shows its progress and its outcome. */
import { readTarget, selectorsFor } from '../../api/selectors.js';
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { escapeLine, jsonText } from '../../show/escape.js';
import { renderOutcome } from '../../show/outcome.js';
import { paint } from '../../show/terminal/palette.js';
import { renderTable } from '../render/ls.js';
import { renderNotes } from '../../show/terminal/notes.js';

/**
 * @import { CommandName, DaemonMethods } from '../../protocol/methods.js'
 * @import { App, AppOutcome } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 */

/** @typedef {{apps: AppOutcome[], table?: App[]}} Result table: missing with --json or --silent */

/**
 * @param {Context} context
 * @template {CommandName} K
 * @param {K} method
 * @param {DaemonMethods[K]['params']} params
 * @throws {NodeclusterError} E_NO_APPS, and the errors that the daemon replies with
 */
export async function commandApps(context, method, params) {
  const client = await context.openForApps();
  const targeted =
    'selectors' in params
      ? { ...params, selectors: await selectorsFor(context, client, params.selectors) }
      : params;
  const result = await context.request(client, method, targeted);
  // `all` in a home whose daemon runs without apps.
  if (result.apps.length === 0) {
    throw new NodeclusterError('E_NO_APPS', { home: context.daemons.home });
  }
  return conclude(context, result);
}

/**
 * Shows a command's result: the outcomes on stderr, the table of its apps (or JSON) on stdout.
 * @param {Context} context
 * @param {Result} result
 * @returns {number} the exit code
 */
export function conclude(context, result) {
  const { note, print, stderr, stdout } = context;
  const { table } = result;
  const exitCode = reportOutcomes(context, result);
  // Empty after `delete`, of which the lines above say all.
  if (!table || table.length === 0) return exitCode;
  print(renderTable(table, stdout));
  // The outcomes name them.
  const reasons = result.apps.flatMap(({ failed }) => failed.map(({ reason }) => reason));
  const isSaid = (/** @type {string} */ line) =>
    reasons.some((reason) => line.includes(escapeLine(reason)));
  for (const line of renderNotes(table, stderr)) if (!isSaid(line)) note(line);
  return exitCode;
}

/** @param {Context} context @param {Result} result @returns {number} the exit code */
export function reportOutcomes({ options, note, print, stderr }, result) {
  for (const outcome of result.apps) note(renderOutcome(outcome, paint(stderr)));
  if (options.json) print(jsonText(result));
  return result.apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
}

/**
 * For commands that need only the names of a file's apps.
 * @param {Context} context
 * @returns {Promise<string[]>} for an ecosystem file, those of its apps that the daemon knows
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function readSelectors(context) {
  const target = readTarget(context);
  if (target.kind === 'selectors') return target.selectors;
  // Imported only for a file, so that `stop api` does not load the table of options.
  const { loadSpecs } = await import('../../api/specs.js');
  const { specs, file } = await loadSpecs(context, target, context.options);
  const client = await context.openForApps();
  const { apps } = await client.request('list', {});
  const known = new Set(apps.map(({ name }) => name));
  const names = specs.map(({ name }) => name).filter((name) => known.has(name));
  if (names.length > 0) return names;
  const { home } = context.daemons;
  throw new NodeclusterError('E_NO_APPS', { home, file: file ?? 'standard input' });
}
