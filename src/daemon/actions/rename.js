/** `restart --name`: an app goes on under another name, with its worker ids and its log files. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { listRotated } from '../../shared/log-files/rotated-files.js';
import { progressTo, runInTurn } from '../control/run-command.js';
import { resolveTargets } from '../control/targets.js';
import { checkSpec } from '../../config/check-spec.js';
import { allLogFiles } from './logs.js';
import { refuseWhenEnding, startSlots } from './start.js';
import { shutDownPrimary } from './stop.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @type {Handler<'rename'>} */
export async function renameApp(daemon, { app: selector, name }, ctx) {
  const [{ app }] = resolveTargets(daemon, [selector]);
  const renamed = () => checkSpec({ ...app.spec, name });
  renamed();
  daemon.table.refuseName(name);
  const run = async (/** @type {ReportProgress} */ report) => {
    const before = app.spec;
    // Its workers write to the log files, and their sockets are in the directory of the app.
    await shutDownPrimary(app, report);
    refuseWhenEnding(daemon);
    await daemon.table.rename(app, renamed()).catch(async (error) => {
      await startSlots(daemon, app, app.desiredSlots, report);
      throw error;
    });
    await moveFiles(daemon, before, app);
    return startSlots(daemon, app, app.slots, report);
  };
  const report = progressTo(ctx);
  return { apps: [await runInTurn(daemon, app, { action: 'restart', report, run })] };
}

/** A file that cannot be moved stays. @param {Daemon} daemon @param {Spec} before @param {App} app */
async function moveFiles({ paths, log }, before, { spec, slots }) {
  const move = async (/** @type {string} */ from, /** @type {string} */ to) => {
    if (from === to || !existsSync(from)) return;
    const reason = existsSync(to) ? 'EEXIST' : await rename(from, to).catch(({ code }) => code);
    if (reason) log.error('rename.failed', { from, to, reason });
  };
  const targets = allLogFiles(spec, slots, paths).map((file) => path.basename(file));
  for (const [index, file] of allLogFiles(before, slots, paths).entries()) {
    const target = path.join(path.dirname(file), targets[index]);
    for (const { path: old } of await listRotated(file)) {
      await move(old, target + path.basename(old).slice(path.basename(file).length));
    }
    await move(file, target);
  }
  await move(paths.app(before.name).dir, paths.app(spec.name).dir);
}
