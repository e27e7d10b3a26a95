/** Sends the daemon what somebody confirmed in `monit` or on the page (src/show/confirmation.js). */

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { NotificationListener } from '../protocol/wire.js'
 * @import { ProgressEvent } from '../protocol/shapes.js'
 * @import { Confirmation } from '../show/confirmation.js'
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

/**
 * Resolves to the outcome of each app.
 * @param {DaemonClient} client
 * @param {ReturnType<typeof requestFor>} request
 * @param {(step: ProgressEvent) => void} onProgress
 * @throws {NodeclusterError} what the daemon replies, E_PROTOCOL_CLOSED
 */
export async function carryOut(client, { method, params }, onProgress) {
  /** @type {NotificationListener<DaemonMethods['apply']['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'progress') onProgress(payload);
  };
  return (await client.request(method, params, { onNotification })).apps;
}
