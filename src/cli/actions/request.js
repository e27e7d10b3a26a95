/** A command's request to the daemon: progress while it runs, the outcome when it is done. */
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { jsonText, maskText } from '../render/mask.js';
import { renderOutcome } from '../render/outcome.js';
import { renderProgress } from '../render/progress.js';
import { renderNotes, renderTable } from '../render/table/ls.js';

/**
 * @import { Client } from '../../protocol/client.js'
 * @import { Context } from '../context.js'
 * @import { AppOutcome } from '../render/outcome.js'
 */

/** @typedef {{apps: AppOutcome[]}} Result */

/**
 * @param {Context} context
 * @param {string} method
 * @param {object} params
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_APPS, and whatever the daemon replies
 */
export async function commandApps(context, method, params) {
  const client = await openForApps(context);
  return conclude(context, client, await request(context, client, method, params));
}

/**
 * @param {Context} context
 * @returns {Promise<Client>} of a home that has apps
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function openForApps({ daemons, command }) {
  const client = await daemons.open();
  if (!client) throw new NodeclusterError('E_NO_APPS', { command, home: daemons.home });
  return client;
}

/**
 * @param {Context} context
 * @param {Client} client
 * @param {string} method
 * @param {object} params
 * @param {(plan: any) => void} [onPlan] gets the plan before it is carried out
 * @returns {Promise<any>} the result
 */
export async function request({ daemonWork, note, stderr }, client, method, params, onPlan) {
  daemonWork.isRunning = true;
  try {
    return await client.request(method, params, {
      onNotification: (kind, event) => {
        if (kind === 'plan') onPlan?.(event);
        if (kind === 'progress') note(renderProgress(/** @type {any} */ (event), stderr));
      },
    });
  } finally {
    daemonWork.isRunning = false;
  }
}

/**
 * Ends a command: the outcomes on stderr, the table of all apps (or the result as JSON) on stdout.
 * @param {Context} context
 * @param {Client} client
 * @param {Result} result
 * @returns {Promise<number>} the exit code
 */
export async function conclude(context, client, result) {
  const { options, note, print, stderr, stdout } = context;
  const exitCode = reportOutcomes(context, result);
  if (options.json) return exitCode;
  await client.request('list').then(
    ({ apps }) => {
      print(renderTable(apps, stdout));
      for (const line of renderNotes(apps, stderr)) note(line);
    },
    // The command itself is done, so a lost daemon does not make it fail.
    ({ message }) => note(maskText(message)),
  );
  return exitCode;
}

/**
 * @param {Context} context
 * @param {Result} result
 * @returns {number} the exit code
 */
export function reportOutcomes({ options, note, print, stderr }, result) {
  for (const outcome of result.apps) note(renderOutcome(outcome, stderr));
  if (options.json) print(jsonText(result));
  return result.apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
}
