/** `update --apps`: replaces primaries that another version of nodecluster started. */
import { PACKAGE_ROOT } from '../../../shared/package/copy.js';
import { appOutcome, failedOutcome } from '../../apps/outcome.js';
import { progressTo, runInTurn } from '../../control/run-command.js';
import { removeUnusedCopies } from '../../copies/unused-copies.js';
import { replacePrimary } from './replace-primary.js';

/**
 * @import { App } from '../../apps/app.js'
 * @import { Handler } from '../../control/methods.js'
 * @import { ReportProgress } from '../../control/run-command.js'
 */

/**
 * One by one, so that a version that does not work out is noticed at the first app.
 * @type {Handler<'update-apps'>}
 */
export async function updateApps(daemon, _params, ctx) {
  const apps = [];
  for (const app of daemon.table.all()) {
    if (app.isDown || !isOutdated(app)) continue;
    const command = {
      action: 'update',
      run: (/** @type {ReportProgress} */ report) => replacePrimary(daemon, app, {}, report),
      report: progressTo(ctx),
    };
    const refused = (/** @type {unknown} */ thrown) =>
      appOutcome(app.name, 'update', failedOutcome(thrown), app.ids);
    const outcome = await runInTurn(daemon, app, command).catch(refused);
    apps.push(outcome);
    if (!outcome.ok) break;
  }
  removeUnusedCopies(daemon);
  return { apps };
}

/**
 * @param {App} app
 * @returns {boolean} whether its primary runs other files than this daemon
 */
function isOutdated({ link }) {
  return link.state !== 'none' && link.record?.root !== PACKAGE_ROOT;
}
