/** The workers of an app, or of all apps. */

/** @import { WorkerView } from '../../protocol/shapes.js' */
/** @import { Context } from '../../cli/context.js' */

/**
 * @param {Context} context
 * @param {string | null} name null: of all apps
 * @returns {Promise<WorkerView[]>} none for an unknown app
 */
export async function listWorkers({ daemons }, name) {
  const client = await daemons.open();
  const { apps } = client ? await client.request('list', {}) : { apps: [] };
  return apps.filter((app) => name === null || app.name === name).flatMap(({ workers }) => workers);
}
