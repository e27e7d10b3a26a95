/** JSON Merge Patch (RFC 7396). What a patch does not mention stays the same object. */

/**
 * @param {unknown} target
 * @param {unknown} patch null removes a member
 * @returns {any} the target with the patch applied; the target itself is not changed
 */
export function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  /** @type {Record<string, unknown>} */
  const merged = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value);
  }
  return merged;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
