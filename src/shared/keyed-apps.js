/** The records of apps by name, with their workers by slot, so that a JSON Merge Patch can say what has changed. Pure. */
/** @import { App, KeyedApp, Watched } from '../protocol/shapes.js' */

/**
 * @param {App[]} apps
 * @returns {Pick<Watched, 'order' | 'apps'>}
 */
export function byName(apps) {
  const entries = apps.map(({ workers, ...app }) => [
    app.name,
    { ...app, workers: Object.fromEntries(workers.map((worker) => [worker.slot, worker])) },
  ]);
  return { order: apps.map(({ name }) => name), apps: Object.fromEntries(entries) };
}

/**
 * @param {Pick<Watched, 'order' | 'apps'>} keyed
 */
export function inOrder({ order, apps }) {
  return order.flatMap((name) => (Object.hasOwn(apps, name) ? [unkeyed(apps[name])] : []));
}

/** @param {KeyedApp} app @returns {App} its workers in ascending order, as the keys of an object that are numbers are */
export function unkeyed({ workers, ...app }) {
  return { ...app, workers: Object.values(workers) };
}
