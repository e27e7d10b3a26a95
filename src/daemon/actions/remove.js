/** Deletes an app, or some of its workers. Log files stay. */
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { ignoreError } from '../../errors/error.js';
import { withCount } from '../apps/app.js';
import { clearUserDirectory } from '../users/user-primary.js';
import { scaleApp } from './scale.js';
import { saveThenStop, shutDownApp } from './stop.js';

/**
 * @import { AppPaths } from '../../shared/home.js'
 * @import { Action } from '../control/run-command.js'
 */

/** @type {Action} */
export async function removeApp(daemon, app, { slots }, report) {
  if (slots !== null) {
    const rest = app.slots.filter((slot) => !slots.includes(slot));
    // One that scales itself gets another worker when it needs one.
    const isFixed = typeof app.spec.instances === 'number';
    const spec = isFixed ? withCount(app.spec, rest.length) : app.spec;
    const outcome = await scaleApp(daemon, app, { slots: rest, spec }, report);
    return { ...outcome, done: slots };
  }
  const done = app.isDown ? [] : app.desiredSlots;
  app.deleting = true;
  const outcome = await shutDownApp(daemon, app, report);
  await removeFiles(daemon.paths.app(app.name, app.spec.uid));
  daemon.table.remove(app);
  await saveThenStop(daemon, app, async () => {});
  return { ...outcome, ok: true, done };
}

/** @param {AppPaths} paths */
async function removeFiles(paths) {
  if (paths.user) clearUserDirectory(paths.user, paths);
  const reading = readdir(paths.dir, { withFileTypes: true });
  // Directories of other users are left as they are, with their log files.
  for (const entry of (await reading.catch(ignoreError('ENOENT'))) ?? []) {
    if (!entry.isDirectory()) await rm(path.join(paths.dir, entry.name), { force: true });
  }
  await rmdir(paths.dir).catch(() => {});
}
