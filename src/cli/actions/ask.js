/** A request to the daemon that takes its time: shows the progress, and then what became of it. */
import { exitCodes } from '../../errors/exit-codes.js';
import { jsonText, maskText } from '../render/mask.js';
import { renderOutcome } from '../render/outcome.js';
import { renderProgress } from '../render/progress.js';
import { renderNotes, renderTable } from '../render/table/ls.js';

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../../protocol/methods.js'
 * @import { Plan } from '../../protocol/shapes.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { Context } from '../context.js'
 * @import { AppOutcome } from '../render/outcome.js'
 */

/**
 * @typedef {{apps: AppOutcome[]}} Result
 */

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @template {CommandName | 'kill'} K
 * @param {K} method
 * @param {DaemonMethods[K]['params']} params
 * @param {(plan: Plan) => void} [onPlan] gets the plan before it is carried out
 * @returns {Promise<DaemonMethods[K]['result']>} the daemon's reply
 */
export async function ask({ waiting, note, stderr }, client, method, params, onPlan) {
  waiting.goesOn = true;
  try {
    /** @type {NotificationListener<DaemonMethods['apply']['notifications']>} */
    const onNotification = (kind, payload) => {
      if (kind === 'plan') onPlan?.(payload);
      if (kind === 'progress') note(renderProgress(payload, stderr));
    };
    /** @type {CommandName | 'kill'} */
    const name = method;
    const result = await client.request(name, params, { onNotification });
    return /** @type {DaemonMethods[K]['result']} */ (result);
  } finally {
    waiting.goesOn = false;
  }
}

/**
 * Ends a command: the outcomes on stderr, the table of all apps (or the answer as JSON) on stdout.
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {Result} result
 * @returns {Promise<number>} the exit code
 */
export async function conclude({ options, note, print, stderr, stdout }, client, result) {
  for (const outcome of result.apps) note(renderOutcome(outcome, stderr));
  if (options.json) {
    print(jsonText(result));
  } else {
    // The command is done, whatever becomes of the daemon now.
    await client.request('list', {}).then(
      ({ apps }) => {
        print(renderTable(apps, stdout));
        for (const line of renderNotes(apps, stderr)) note(line);
      },
      ({ message }) => note(maskText(message)),
    );
  }
  return result.apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
}
