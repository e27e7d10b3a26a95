/** What the daemon is asked when somebody has confirmed an action, in `monit` or on the page. */

/**
 * @import { CommandName, DaemonMethods } from '../protocol/methods.js'
 * @import { Confirmation } from './confirmation.js'
 */

/**
 * @param {Pick<Confirmation, 'action' | 'target' | 'options'>} confirmed
 * @returns {{method: CommandName, params: DaemonMethods[CommandName]['params']}}
 */
export function requestFor({ action, target, options }) {
  if (action === 'scale') {
    return { method: 'scale', params: { selector: target, instances: String(options.instances) } };
  }
  const method = /** @type {CommandName} */ (action === 'start' ? 'resume' : action);
  return { method, params: { selectors: [target] } };
}
