/** The calls that features add to the API of programs. */
import { jobs } from './jobs/api.js';
import { why } from './why/api.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { FeatureCalls } from './record.js'
 *
 * @typedef {object} CallContext what they use of a connection
 * @property {(call: string, target: unknown) => Promise<string[]>} select what this call is pointed at; throws a TypeError
 * @property {DaemonClient['request']} request
 */

/** @param {CallContext} connection @returns {FeatureCalls} */
export function featureCalls(connection) {
  return { ...jobs(connection), ...why(connection) };
}
