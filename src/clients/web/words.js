/** What the page of `web` shows, in the words of the other commands. */
import { homePaths } from '../../shared/home.js';
import { settingRows } from '../../cli/render/describe/settings.js';
import { eventText } from '../../cli/render/event.js';
import { renderOutcome } from '../../cli/render/outcome.js';
import { renderProgress } from '../../cli/render/progress.js';
import { appState, singleState, workerState } from '../../cli/render/state.js';
import { openForApps } from '../../cli/actions/request.js';

/**
 * @import { Source, Words } from './source.js'
 * @import { Context } from '../../cli/context.js'
 */

const plain = { width: null, colours: false };

/** @type {Words} */
const words = {
  app: (app) => (app.workers.length > 1 ? appState(app) : singleState(app)),
  worker: workerState,
  event: (event) => eventText(event, plain),
  progress: (progress) => renderProgress(progress, plain),
  outcome: (outcome) => renderOutcome(outcome, plain),
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
