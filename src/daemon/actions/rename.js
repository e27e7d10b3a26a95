/** `restart --name`: an app goes on under another name, with its worker ids. Its log files stay. */
import { progressTo, runInTurn } from '../control/run-command.js';
import { resolveTargets } from '../control/targets.js';
import { checkSpec } from '../../config/check-spec.js';
import { refuseWhenEnding, startSlots } from './start.js';
import { shutDownPrimary } from './stop.js';

/**
 * @import { Handler } from '../control/methods.js'
 * @import { ReportProgress } from '../control/run-command.js'
 */

/** @type {Handler<'rename'>} */
export async function renameApp(daemon, { app: selector, name }, ctx) {
  const [{ app }] = resolveTargets(daemon, [selector]);
  const renamed = () => checkSpec({ ...app.spec, name });
  renamed();
  daemon.table.refuseName(name);
  const run = async (/** @type {ReportProgress} */ report) => {
    await shutDownPrimary(app, report);
    refuseWhenEnding(daemon);
    await daemon.table.rename(app, renamed()).catch(async (error) => {
      await startSlots(daemon, app, app.desiredSlots, report);
      throw error;
    });
    return startSlots(daemon, app, app.slots, report);
  };
  const report = progressTo(ctx);
  return { apps: [await runInTurn(daemon, app, { action: 'restart', report, run })] };
}
