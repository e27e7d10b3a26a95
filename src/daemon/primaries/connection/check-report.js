/**
 * Checks what a primary sends before the daemon uses it. A primary may run as another user, be of
 * another version or have a bug, and must not harm the other apps.
 */
import { NodeclusterError } from '../../../errors/error.js';
import { withoutOthers } from '../../../shared/checks.js';
import { primaryNotifications, primaryResults } from '../../checks.js';

/** @import { PrimaryMethods, Snapshot } from '../../../protocol/methods.js' */

/**
 * @param {Snapshot} snapshot
 * @param {string} app its name
 * @returns {Snapshot} the same
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedSnapshot(snapshot, app) {
  refuse(primaryNotifications.state(snapshot), 'state', app);
  if (snapshot.name !== app) refuse('name', 'state', app);
  return snapshot;
}

/**
 * @template {object} T
 * @param {'event' | 'progress'} kind
 * @param {T} event
 * @param {string} app its name
 * @returns {T} without the keys that its type does not have: one could be taken for one of the daemon's
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedEvent(kind, event, app) {
  const check = primaryNotifications[kind];
  refuse(check(event), kind, app);
  return withoutOthers(event, check);
}

/**
 * @param {keyof PrimaryMethods} method
 * @param {unknown} result of a request
 * @param {string} app its name
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkResult(method, result, app) {
  refuse(primaryResults[method](result), method, app);
}

/** @param {string | null} fault the path to it @param {string} message that has it @param {string} app */
function refuse(fault, message, app) {
  if (fault === null) return;
  const what = fault === '' ? message : `${fault} of ${message}`;
  throw new NodeclusterError('E_PRIMARY_REPORT', { app, what });
}
