/** What a confirmed question asks of the daemon. */

/**
 * @import { CommandName, DaemonMethods } from '../../protocol/methods.js'
 * @import { Confirmation } from '../../show/confirmation.js'
 */

/**
 * @param {Confirmation} confirmation
 * @returns {{method: CommandName, params: DaemonMethods[CommandName]['params']}}
 */
export function requestFor({ action, target, options }) {
  if (action === 'scale') {
    return { method: 'scale', params: { selector: target, instances: String(options.instances) } };
  }
  if (action === 'run-now') return { method: 'run-now', params: { selectors: [target] } };
  const method = /** @type {CommandName} */ (action === 'start' ? 'resume' : action);
  return { method, params: { selectors: [target], updateEnv: null } };
}
