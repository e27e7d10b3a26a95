/** Empties log files, or reopens them after another program has moved them. */
import { runCommand } from '../control/run-command.js';
import { emptyLogFiles, logFilesOf } from '../apps/log-files.js';
import { emptyUserLogs } from '../users/user-primary.js';

/**
 * @import { Action } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @type {Action} */
export async function flushLogs({ paths }, app) {
  const { name, spec, slots } = app;
  const all = logFilesOf(spec, slots, paths).flatMap(({ out, error }) => [...out, ...error]);
  const files = [...new Set(all)];
  const { user } = paths.app(name, spec.uid);
  if (!app.isDown) await app.request('flush-logs', {});
  else if (user === null) await emptyLogFiles(files);
  else await emptyUserLogs(spec, user, files);
  return { ok: true };
}

/** @type {Action} */
export async function reopenLogs(_daemon, app) {
  if (!app.isDown) await app.request('reopen-logs', {});
  return { ok: true };
}

/** Runs after a signal. There is no client, so the outcome goes to daemon.log. @param {Daemon} daemon */
export async function reopenAllLogs(daemon) {
  const command = { action: 'reload-logs', run: reopenLogs, isQueued: false };
  const { apps } = await runCommand(daemon, command, { selectors: ['all'] }, { notify() {} });
  daemon.log.info('logs.reopened', { because: 'SIGUSR2', apps: apps.map(({ name }) => name) });
  for (const { name: app, failed } of apps) {
    if (failed.length > 0)
      daemon.log.error('logs.reopen-failed', { app, reason: failed[0].reason });
  }
}
