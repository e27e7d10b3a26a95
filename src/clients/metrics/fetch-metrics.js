/**
 * @import { Measurements } from '../../protocol/methods.js'
 * @import { Daemons } from '../../cli/context.js'
 */

const MEASURE_MS = 10_000;

/**
 * @param {Daemons} daemons
 * @returns {Promise<Measurements | null>} null: no daemon is running, and measuring does not start one
 */
export async function fetchMetrics(daemons) {
  const client = await daemons.find();
  return client ? client.request('metrics', {}, { timeoutMs: MEASURE_MS }) : null;
}
