/** The difference of two states as a JSON Merge Patch (RFC 7396). Pure. */

/** @typedef {Record<string, any>} JsonObject without members that are null */

/**
 * @param {JsonObject} before
 * @param {JsonObject} after
 * @returns {JsonObject | null} null: they are equal
 */
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
    return isSame(before[key], value) ? [] : [[key, value]];
  });
  const members = [...removed, ...changed];
  return members.length > 0 ? Object.fromEntries(members) : null;
}

/**
 * @param {unknown} value anything that JSON can hold
 * @returns {any} the same without members that are null, which a patch could not say; arrays stay as they are
 */
export function withoutNulls(value) {
  if (!isObject(value)) return value;
  const known = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(known.map(([key, each]) => [key, withoutNulls(each)]));
}

/** @param {unknown} value @returns {value is JsonObject} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} one @param {unknown} other */
function isSame(one, other) {
  return one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other));
}
