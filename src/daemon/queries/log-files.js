import { logFilesOf } from '../apps/log-files.js';
import { isOtherUser } from '../../shared/home.js';
import { resolveTargets } from '../control/targets.js';

/** @import { Handler } from '../control/methods.js' */

/**
 * Clients read the files themselves; no line goes through the daemon.
 * @type {Handler<'log-files'>}
 */
export async function logFiles(daemon, { selectors }) {
  const apps = resolveTargets(daemon, selectors).map(({ app, currentSlots }) => {
    const { name, spec } = app;
    const slots = currentSlots();
    const style = { type: spec.logType, time: spec.time, dateFormat: spec.logDateFormat };
    const files = logFilesOf(spec, slots ?? app.slots, daemon.paths);
    const user = isOtherUser(spec.uid) ? spec.uid : null;
    const isForeground = daemon.output !== null;
    return { name, user, slots, workers: app.slots, style, files, isForeground };
  });
  return { apps };
}
