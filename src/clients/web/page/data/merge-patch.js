/** JSON Merge Patch (RFC 7396). What a patch does not mention stays the same object. */

/**
 * @param {unknown} target
 * @param {unknown} patch null removes a member
 * @returns {any} the target with the patch applied; the target itself is not changed
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

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
