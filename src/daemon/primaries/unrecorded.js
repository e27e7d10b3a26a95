/** Finds apps that run but are missing from desired.json, because the file was lost. */
import { readFileSync, readdirSync } from 'node:fs';
import { isAlive } from '../../shared/processes/identity.js';
import { readRecord } from './record.js';
import { readDesired } from '../control/validate.js';

/**
 * @import { HomePaths } from '../../shared/home.js'
 * @import { DesiredApp } from '../apps/store.js'
 * @import { AppTable } from '../apps/table.js'
 */

/**
 * @param {HomePaths} paths
 * @param {AppTable} table
 * @returns {DesiredApp[]} with the settings that their primaries were started with
 */
export function findUnrecordedApps(paths, table) {
  return readdirSync(paths.appsDir).flatMap((name) => {
    if (table.get(name)) return [];
    const { record: recordFile, launch } = paths.app(name);
    const record = readRecord(recordFile);
    return record !== null && isAlive(record) ? readLaunch(launch) : [];
  });
}

/** @param {string} file @returns {DesiredApp[]} one, or none when the file is not valid */
function readLaunch(file) {
  try {
    const { spec, generation, slots, stoppedSlots } = JSON.parse(readFileSync(file, 'utf8'));
    const started = { spec, generation, slots, stoppedSlots };
    const found = readDesired({ ...started, stopped: false, ids: {}, attempt: null });
    return found === null ? [] : [found];
  } catch {
    return [];
  }
}
