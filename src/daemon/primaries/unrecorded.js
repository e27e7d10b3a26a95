/** Recovers apps that run but are missing from desired.json, because the file was lost. */
import { readdirSync } from 'node:fs';
import { attempt } from '../../errors/error.js';
import { readLiveRecord } from '../../shared/processes/primary-record.js';
import { readSmallFile } from '../../shared/files/small-file.js';
import { withCount } from '../apps/app.js';
import { NEW_APP, readDesired } from '../apps/store.js';
import { checkSpec } from '../../config/check-spec.js';

/**
 * @import { HomePaths } from '../../shared/home.js'
 * @import { App } from '../apps/app.js'
 * @import { DesiredApp } from '../apps/desired.js'
 * @import { AppTable } from '../apps/table.js'
 */

/** Bytes; one app with a long environment takes some 100 KB. */
const MAX_LAUNCH_BYTES = 16 * 1024 * 1024;

/**
 * @param {HomePaths} paths
 * @param {AppTable} table
 * @returns {DesiredApp[]} with the settings that their primaries were started with
 */
export function findUnrecordedApps(paths, table) {
  return readdirSync(paths.appsDir).flatMap((name) => {
    if (table.get(name)) return [];
    const { record: recordFile, launch } = paths.app(name);
    return readLiveRecord(recordFile) === null ? [] : readLaunch(launch);
  });
}

/**
 * Recovers what has changed since the primary was started; it is the only one that knows.
 * @param {AppTable} table
 * @param {App} app that findUnrecordedApps found
 * @throws {NodeclusterError} what `request` of a link throws, E_REQUEST_INVALID
 */
export async function recoverChanges(table, app) {
  const { snapshot } = app.link;
  if (app.link.state !== 'connected' || snapshot === null) return;
  // Another user could make it an app of root; what its daemon started it with is certain.
  if (app.link.record?.uid !== undefined) return;
  const spec = checkSpec((await app.request('spec', {})).spec);
  const slots = snapshot.slots.map(({ slot }) => slot);
  const isFixed = typeof spec.instances === 'number' && spec.instances > 0;
  app.spec = isFixed ? withCount(spec, slots.length) : spec;
  app.generation = snapshot.generation;
  table.setSlots(app, slots);
  const stopped = snapshot.slots.filter(({ status }) => status === 'stopped');
  app.stoppedSlots = stopped.map(({ slot }) => slot);
}

/** @param {string} file @returns {DesiredApp[]} one, or none when the file is not valid */
function readLaunch(file) {
  const launch = attempt(() => JSON.parse(readSmallFile(file, MAX_LAUNCH_BYTES)), null);
  const { spec, generation, slots, stoppedSlots } = launch ?? {};
  const { app } = readDesired({ ...NEW_APP, spec, generation, slots, stoppedSlots });
  return app === null ? [] : [app];
}
