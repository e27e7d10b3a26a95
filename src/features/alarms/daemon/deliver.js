/** One attempt to deliver a notice: by a command, or by a request. */
import { commandFailure, isResourceShortage } from '../../../lifecycle/exits.js';
import { runBounded } from '../../../shared/processes/bounded-command.js';
import { appVariables, commandContext } from './context.js';
import { expandVariables } from './expand-variables.js';
import { messageOf } from './message.js';
import { postJson } from './post.js';

/**
 * @import { Alarm, Spec } from '../../../config/spec.js'
 * @import { Failure, Notice } from '../decide.js'
 * @import { CommandContext, CommandLimits } from '../../../shared/processes/bounded-command.js'
 */

/**
 * Never rejects.
 * @param {Spec} spec of the app
 * @param {Alarm} alarm
 * @param {Notice} notice
 * @param {string} home
 * @param {AbortSignal} ended nothing is delivered any more
 * @returns {Promise<Failure | null>} null: it was delivered
 */
export async function deliver(spec, alarm, notice, home, ended) {
  const { run, post, timeoutMs } = alarm;
  const limits = { timeoutMs, ended };
  if (ended.aborted) return { reason: 'the daemon ended', isFinal: true };
  try {
    const { json, variables } = messageOf(notice);
    if (run !== null) {
      const { env, ...context } = await commandContext(spec, home);
      return await runCommand(run, { ...context, env: { ...env, ...variables } }, limits, json);
    }
    const expand = (/** @type {string} */ text) => expandVariables(text, appVariables(spec));
    const headers = Object.entries(alarm.headers).map(([name, text]) => [name, expand(text)]);
    return await postJson(expand(String(post)), Object.fromEntries(headers), json, limits);
  } catch (thrown) {
    // A variable that is not set, or that no header can have; a user without a group.
    return { reason: /** @type {Error} */ (thrown).message, isFinal: true };
  }
}

/**
 * @param {string[]} command
 * @param {CommandContext} context
 * @param {CommandLimits} limits
 * @param {string} json
 * @returns {Promise<Failure | null>}
 */
async function runCommand(command, context, limits, json) {
  const outcome = await runBounded(command, context, limits, json);
  const reason = commandFailure(command[0], outcome);
  if (reason === null) return null;
  const { exit } = outcome;
  return { reason, isFinal: exit.error !== null && !isResourceShortage(exit) };
}
