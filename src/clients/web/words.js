/** What the page of `web` shows, in the words of the other commands. */
import { homePaths } from '../../shared/home.js';
import { settingRows } from '../../cli/render/describe/settings.js';
import { eventText } from '../../show/event.js';
import { renderOutcome } from '../../show/outcome.js';
import { renderProgress } from '../../show/progress.js';
import { appState, singleState, workerState } from '../../show/state.js';
import { openForApps } from '../../cli/actions/request.js';

/**
 * @import { Source, Words } from './source.js'
 * @import { Context } from '../../cli/context.js'
 */

/** @type {Words} */
const words = {
  app: (app) => (app.workers.length > 1 ? appState(app) : singleState(app)),
  worker: workerState,
  event: (event) => eventText(event),
  progress: (progress) => renderProgress(progress),
  outcome: (outcome) => renderOutcome(outcome),
  settings: (app) => settingRows(app).map(([key, value, source]) => ({ key, value, source })),
};

/**
 * Starts the daemon if there are apps and none runs; later it starts none.
 * @param {Context} context
 * @returns {Promise<Source>}
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function openSource(context) {
  await openForApps(context);
  context.daemons.close();
  return { paths: homePaths(context.daemons.home), words };
}
