/** Whether the requests of `prove` reach the app that it is about. */

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { AppView } from '../../protocol/shapes.js'
 * @import { Event } from './verdict.js'
 */

/**
 * @param {DaemonClient} client
 * @param {Pick<AppView, 'name'>} app
 * @returns {Promise<number | null>} responses of its workers since they began to measure, which this
 *   makes them do; null: one of them does not measure
 */
export async function countAnswered(client, { name }) {
  const { apps } = await client.request('metrics', {});
  const reports = apps.find((each) => each.name === name)?.workers.map(({ report }) => report);
  if (!reports?.every((report) => report !== null)) return null;
  return reports.reduce((sum, { requests }) => sum + requests, 0);
}

/**
 * @param {Pick<Event, 'requests'>} before
 * @param {number | null} from count before them
 * @param {number | null} to and after them
 * @returns {boolean} whether the app has answered so few that another program, or a cache, has
 */
export function wentElsewhere({ requests }, from, to) {
  return from !== null && to !== null && to - from < requests / 2;
}
