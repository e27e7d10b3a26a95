/** `update --apps`: replaces primaries that another version of nodecluster, or of Node, started. */
import { NodeclusterError } from '../../errors/error.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { appOutcome, failedOutcome } from '../apps/outcome.js';
import { progressTo, runInTurn } from '../control/run-command.js';
import { removeUnusedCopies } from '../copies.js';
import { chosenNode } from '../primaries/launch.js';
import { replacePrimary } from './replace-primary.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { ReportProgress } from '../control/run-command.js'
 */

/**
 * One by one, so that a version that does not work out is noticed at the first app.
 * @type {Handler<'update-apps'>}
 */
export async function updateApps(daemon, _params, ctx) {
  const apps = [];
  for (const app of daemon.table.all()) {
    if (app.isDown || !isOutdated(app)) continue;
    try {
      daemon.features.check(app, 'update');
    } catch (refusal) {
      apps.push(appOutcome(app.name, 'update', failedOutcome(refusal), app.ids));
      continue;
    }
    let stays = false;
    const replace = (/** @type {ReportProgress} */ progress) =>
      replacePrimary(daemon, app, {}, progress).catch((thrown) => {
        stays = NodeclusterError.from(thrown).code === 'E_PRIMARY_STAYS';
        throw thrown;
      });
    const command = { action: 'update', run: replace, report: progressTo(ctx) };
    const outcome = await runInTurn(daemon, app, command).catch((thrown) =>
      appOutcome(app.name, 'update', failedOutcome(thrown), app.ids),
    );
    apps.push(outcome);
    // Sockets that cannot be handed over say nothing about the new version.
    if (!outcome.ok && !stays) break;
  }
  removeUnusedCopies(daemon);
  return { apps };
}

/**
 * @param {App} app
 * @returns {boolean} whether its primary runs other files than this daemon, or on another Node that
 *   it was not told to
 */
function isOutdated({ link: { state, record, snapshot }, spec }) {
  const node = chosenNode(spec) ? undefined : snapshot?.node;
  const isOtherNode = node !== undefined && node !== process.versions.node;
  return state !== 'none' && (record?.root !== PACKAGE_ROOT || isOtherNode);
}
