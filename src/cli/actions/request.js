/** Sends a command to the daemon and shows its progress and its outcome. */
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { poll } from '../../shared/deadline.js';
import { jsonText, maskText } from '../../show/mask.js';
import { renderOutcome } from '../../show/outcome.js';
import { renderProgress } from '../../show/progress.js';
import { paint } from '../render/palette.js';
import { renderNotes, renderTable } from '../render/ls.js';

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../../protocol/methods.js'
 * @import { AppOutcome, CommandNotifications, Plan } from '../../protocol/shapes.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { Context } from '../context.js'
 */

/** @typedef {{apps: AppOutcome[]}} Result */

/**
 * @param {Context} context
 * @template {CommandName} K
 * @param {K} method
 * @param {DaemonMethods[K]['params']} params
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_APPS, and the errors that the daemon replies with
 */
export async function commandApps(context, method, params) {
  const client = await openForApps(context);
  const targeted =
    'selectors' in params
      ? { ...params, selectors: await selectorsFor(context, client, params.selectors) }
      : params;
  const result = await request(context, client, method, targeted);
  // `all` in a home whose daemon runs without apps.
  if (result.apps.length === 0) throw noApps(context);
  return conclude(context, client, result);
}

/**
 * @param {Context} context
 * @returns {Promise<DaemonClient>}
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function openForApps(context) {
  const client = await context.daemons.open();
  if (!client) throw noApps(context);
  return client;
}

/** @param {Context} context */
function noApps({ daemons }) {
  return new NodeclusterError('E_NO_APPS', { home: daemons.home });
}

/** ms in which a primary, or an init system, starts the next daemon. */
const NEXT_DAEMON_MS = 1500;
const POLL_MS = 100;

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @template {CommandName | 'kill' | 'save'} K
 * @param {K} method
 * @param {DaemonMethods[K]['params']} params
 * @param {(plan: Plan) => void} [onPlan] called with the plan before it is carried out
 * @returns {Promise<DaemonMethods[K]['result']>}
 * @throws {NodeclusterError} E_DAEMON_LOST, and the errors that the daemon replies with
 */
export async function request(context, client, method, params, onPlan) {
  const { daemonWork, daemons, note, stderr } = context;
  daemonWork.isRunning = true;
  try {
    /** @type {NotificationListener<CommandNotifications>} */
    const onNotification = (kind, payload) => {
      if (kind === 'plan') onPlan?.(payload);
      if (kind === 'progress') note(renderProgress(payload, paint(stderr)));
    };
    /** @type {CommandName | 'kill' | 'save'} */
    const name = method;
    const result = await client.request(name, params, { onNotification });
    return /** @type {DaemonMethods[K]['result']} */ (result);
  } catch (thrown) {
    if (NodeclusterError.from(thrown).code !== 'E_PROTOCOL_CLOSED') throw thrown;
    if (method !== 'kill') await ensureDaemon(daemons);
    throw new NodeclusterError('E_DAEMON_LOST', { method }, thrown);
  } finally {
    daemonWork.isRunning = false;
  }
}

/**
 * The next daemon completes what the lost one had begun. Without a primary, only this command can
 * start it.
 * @param {Context['daemons']} daemons
 */
async function ensureDaemon(daemons) {
  const find = () => daemons.find().catch(() => null);
  const found = await poll(find, { timeoutMs: NEXT_DAEMON_MS, everyMs: POLL_MS });
  // The command has failed anyway, and `ls` shows why there is no daemon.
  if (found === null) await daemons.open().catch(() => {});
}

/**
 * Shows a command's result: the outcomes on stderr, the table of all apps (or JSON) on stdout.
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {Result} result
 * @returns {Promise<number>} the exit code
 */
export async function conclude(context, client, result) {
  const { options, note, print, stderr, stdout } = context;
  const exitCode = reportOutcomes(context, result);
  if (options.json || options.silent) return exitCode;
  await client.request('list', {}).then(
    ({ apps }) => {
      print(renderTable(apps, stdout));
      for (const line of renderNotes(apps, stderr)) note(line);
    },
    // The command itself is done, so losing the daemon now does not make it fail.
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
  for (const outcome of result.apps) note(renderOutcome(outcome, paint(stderr)));
  if (options.json) print(jsonText(result));
  return result.apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
}
