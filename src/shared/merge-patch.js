/** JSON Merge Patch (RFC 7396): the difference of two states, and the records of apps in a form whose changes it can say. Pure; the page uses it too. */

import { isObject } from './checks.js';

/** @import { Known, App, Watched } from '../protocol/shapes.js' */

/** @typedef {Record<string, any>} JsonObject without members that are null */

/** @param {JsonObject} before @param {JsonObject} after @returns {JsonObject | null} null: they are equal */
export function patchBetween(before, after) {
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key) => [key, null]);
  const changed = Object.entries(after).flatMap(([key, value]) => {
    if (!Object.hasOwn(before, key)) return [[key, value]];
    if (isObject(before[key]) && isObject(value)) {
      const inner = patchBetween(before[key], value);
      return inner === null ? [] : [[key, inner]];
    }
    const isSame = Array.isArray(value)
      ? JSON.stringify(before[key]) === JSON.stringify(value)
      : before[key] === value;
    return isSame ? [] : [[key, value]];
  });
  const members = [...removed, ...changed];
  return members.length > 0 ? Object.fromEntries(members) : null;
}

/**
 * What a patch does not mention stays the same object, and the target is not changed.
 * @param {unknown} target
 * @param {unknown} patch null removes a member
 * @returns {any}
 */
export function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key);
    else members.set(key, mergePatch(members.get(key), value));
  }
  // Unlike an assignment it also makes a member that is called __proto__.
  return Object.fromEntries(members);
}

/**
 * Without members that are null, which a patch could not say.
 * @template T
 * @param {T} value
 * @returns {Known<T>}
 */
export function withoutNulls(value) {
  if (Array.isArray(value)) return /** @type {Known<T>} */ (value.map(withoutNulls));
  if (!isObject(value)) return /** @type {Known<T>} */ (value);
  const known = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  const members = known.map(([key, each]) => [key, withoutNulls(each)]);
  return /** @type {Known<T>} */ (Object.fromEntries(members));
}

/** @param {App[]} apps @returns {Pick<Watched, 'order' | 'apps'>} */
export function byName(apps) {
  const entries = apps.map(({ workers, ...app }) => [
    app.name,
    { ...app, workers: Object.fromEntries(workers.map((worker) => [worker.slot, worker])) },
  ]);
  return { order: apps.map(({ name }) => name), apps: Object.fromEntries(entries) };
}

/** @param {Pick<Watched, 'order' | 'apps'>} keyed */
export function inOrder({ order, apps }) {
  const known = order.filter((name) => Object.hasOwn(apps, name));
  // The keys of an object that are numbers are in ascending order.
  return known.map((name) => ({ ...apps[name], workers: Object.values(apps[name].workers) }));
}
