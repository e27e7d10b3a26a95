/** What the page shows comes from the daemon of one home, in the words of the command line. */
import { connectToDaemon } from '../../api/find-daemon.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { AppDescription, AppOutcome, AppView, Event, ProgressEvent, WorkerView } from '../../protocol/shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Details } from './shapes.js'
 */

/**
 * @typedef {object} Words how the command line says it, in one line each
 * @property {(app: AppView) => string} app its state, as `ls` shows it
 * @property {(worker: WorkerView, app: AppView) => string} worker its state, as `ls` shows it
 * @property {(event: Event) => string} event without its time
 * @property {(progress: ProgressEvent) => string} progress
 * @property {(outcome: AppOutcome) => string} outcome
 * @property {(app: AppDescription) => Details['settings']} settings
 *
 * @typedef {object} Source
 * @property {HomePaths} paths
 * @property {Words} words
 */

export const ROLE = 'web';

/**
 * On a connection of its own, so that none is open while nothing is asked.
 * @template T
 * @param {Source} source
 * @param {(client: DaemonClient) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function askDaemon({ paths }, use) {
  const client = await connectToDaemon(paths, ROLE);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
