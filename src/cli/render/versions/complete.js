/** What a daemon of another version lists may lack fields, and have values that this one does not know. */
/** @import { AppView, WorkerView } from '../../../protocol/shapes.js' */

/** @type {Omit<AppView, 'name' | 'workers'>} */
const APP = {
  namespace: 'default',
  status: 'unknown',
  mode: 'cluster',
  script: '',
  user: null,
  instances: 0,
  scheduling: 'round-robin',
  generation: 0,
  primaryPid: null,
  primaryVersion: null,
  primaryNode: null,
  restarts: 0,
  busy: null,
  logDroppedBytes: 0,
  note: null,
};

/** @type {Omit<WorkerView, 'id' | 'slot' | 'isReady'>} */
const WORKER = {
  pid: null,
  status: 'unknown',
  health: null,
  cpu: null,
  memory: null,
  uptimeMs: null,
  restarts: 0,
  generation: 0,
  blockedMs: null,
  stack: null,
  listening: [],
  retryInMs: null,
  reason: null,
};

/**
 * @param {(Pick<AppView, 'name'> & {workers?: (Pick<WorkerView, 'id' | 'slot'> &
 *   Partial<WorkerView>)[]} & Partial<Omit<AppView, 'workers'>>)[]} [apps] as a daemon listed them
 * @returns {AppView[]} with every field
 */
export function completeApps(apps = []) {
  return apps.map(({ workers = [], ...app }) => ({
    ...complete(app, APP),
    workers: workers.map((worker) => ({
      isReady: worker.status === 'online',
      ...complete(worker, WORKER),
    })),
  }));
}

/**
 * @template {object} Given
 * @template {object} Defaults
 * @param {Given} given
 * @param {Defaults} defaults
 * @returns {Given & Defaults}
 */
function complete(given, defaults) {
  const missing = Object.entries(defaults).filter(([key]) => !(key in given));
  return /** @type {Given & Defaults} */ ({ ...given, ...Object.fromEntries(missing) });
}
