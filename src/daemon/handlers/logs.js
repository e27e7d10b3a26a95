import { NodeclusterError } from '../../errors/error.js';
import { emptyLogFiles, logFilesOf } from '../control/log-files.js';
import { appOutcome, failedOutcome } from '../apps/outcome.js';
import { selected } from './selected.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { World } from '../control/world.js'
 * @import { AsyncHandler, Handler } from './methods.js'
 */

/**
 * Who reads logs reads the files; no line goes through the daemon.
 * @type {Handler<'log-files'>}
 */
export function logFiles(world, { selectors }) {
  return {
    apps: selected(world, selectors).map(({ app, slots }) => {
      const { name, spec } = app;
      const style = { type: spec.logType, time: spec.time, dateFormat: spec.logDateFormat };
      const files = logFilesOf(spec, slots ?? app.slots, world.paths);
      return { name, slots, workers: app.slots, style, files };
    }),
  };
}

/** @type {AsyncHandler<'flush'>} */
export async function flush(world, { selectors }) {
  const chosen = selected(world, selectors);
  const part = chosen.find(({ slots }) => slots !== null);
  if (part) throw new NodeclusterError('E_LOG_OF_APP', { app: part.app.name });
  return onEach(chosen, 'flush', async (app) => {
    if (app.isDown) await emptyLogFiles(logFilesOf(app.spec, app.slots, world.paths));
    else await app.link.request('flush-logs', {});
  });
}

/**
 * @param {World} world
 * @param {{selectors: string[]}} params
 */
export function reloadLogs(world, { selectors }) {
  return onEach(selected(world, selectors), 'reload-logs', async (app) => {
    if (!app.isDown) await app.link.request('reopen-logs', {});
  });
}

/**
 * A signal asked for it, so there is nobody to answer.
 * @param {World} world
 */
export async function reopenAll(world) {
  const { apps } = await reloadLogs(world, { selectors: ['all'] });
  world.log.info('logs.reopened', { because: 'SIGUSR2', apps: apps.map(({ name }) => name) });
  for (const { name: app, failed } of apps) {
    if (failed.length > 0) world.log.error('logs.kept', { app, reason: failed[0].reason });
  }
}

/**
 * They do not wait for their turn: no reload is in their way.
 * @param {{app: App}[]} chosen
 * @param {string} action
 * @param {(app: App) => Promise<void>} command
 */
async function onEach(chosen, action, command) {
  const outcomes = chosen.map(async ({ app }) => {
    const outcome = await command(app).then(() => ({ ok: true }), failedOutcome);
    return appOutcome(app.name, action, outcome, app.ids);
  });
  return { apps: await Promise.all(outcomes) };
}
