/** Checks of values from another process or a file. `npm run generate` writes those of the declared types with these. */

/** @typedef {(value: any) => string | null} Check null: it is valid; otherwise the path to what is not: `slots.0.pid`, '' */

/** Characters of a string that has no limit of its own: an argument of a program on Linux has no more. */
const MAX_LENGTH = 128 * 1024;

/** @param {any} value @returns {value is Record<string, any>} false for a list */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {any} value @returns {value is number} whether it is a whole number from 0 up */
export function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

/** @type {Check} */
export const anything = () => null;

/** @type {Check} */
export const boolean = (value) => (typeof value === 'boolean' ? null : '');

/** @param {...(string | number | boolean)} values @returns {Check} */
export function oneOf(...values) {
  return (value) => (values.includes(value) ? null : '');
}

/** @param {{integer?: boolean, minimum?: number, maximum?: number}} limits @returns {Check} */
export function numberOf({ integer = false, minimum = -Infinity, maximum = Infinity }) {
  const isNumber = integer ? Number.isSafeInteger : Number.isFinite;
  return (value) => (isNumber(value) && value >= minimum && value <= maximum ? null : '');
}

export const number = numberOf({});

/** @param {{maxLength?: number, pattern?: RegExp}} limits @returns {Check} */
export function stringOf({ maxLength = MAX_LENGTH, pattern }) {
  return (value) => {
    const isShort = typeof value === 'string' && value.length <= maxLength;
    return isShort && (pattern?.test(value) ?? true) ? null : '';
  };
}

export const string = stringOf({});

/** @param {number} maxLength in characters of JSON @returns {Check} of any value */
export function json(maxLength) {
  return (value) => {
    try {
      return JSON.stringify(value).length <= maxLength ? null : '';
    } catch {
      // It is nested too deeply to be written again.
      return '';
    }
  };
}

/** @param {Check} check @returns {Check} of a value that may be missing */
export function optional(check) {
  return (value) => (value === undefined ? null : check(value));
}

/** @param {Check} check @returns {Check} */
export function nullable(check) {
  return (value) => (value === null ? null : check(value));
}

/** @param {...Check} checks @returns {Check} of a value for which all of them hold */
export function every(...checks) {
  return (value) => checks.map((check) => check(value)).find((fault) => fault !== null) ?? null;
}

/** @param {...Check} checks @returns {Check} of a value for which one of them is enough; 'kind': none is of its kind */
export function either(...checks) {
  return (value) => {
    const faults = new Set(checks.map((check) => check(value)));
    if (faults.has(null)) return null;
    return faults.size === 1 && faults.has('kind') ? 'kind' : '';
  };
}

/** @param {Check} check of an object with a `kind` @returns {Check} also of one of a kind that only a newer version has */
export function orNewer(check) {
  const isSmall = json(MAX_LENGTH);
  return (value) => {
    const fault = check(value);
    return fault === 'kind' ? (string(value.kind) ?? isSmall(value)) : fault;
  };
}

/**
 * @param {Check} check of each item
 * @param {{minItems?: number, maxItems?: number, uniqueItems?: boolean}} [limits]
 * @returns {Check}
 */
export function list(check, { minItems = 0, maxItems = Infinity, uniqueItems = false } = {}) {
  return (value) => {
    if (!Array.isArray(value) || value.length > maxItems || value.length < minItems) return '';
    const isRepeated = uniqueItems && new Set(value).size < value.length;
    return firstFault(value, value.keys(), () => check) ?? (isRepeated ? '' : null);
  };
}

/** @param {...Check} checks @returns {Check} of a list with as many items */
export function tuple(...checks) {
  return (value) => {
    if (!Array.isArray(value) || value.length !== checks.length) return '';
    return firstFault(value, checks.keys(), (index) => checks[index]);
  };
}

/** @param {Check} name @param {Check} check @returns {Check} of an object with any keys */
export function map(name, check) {
  return (value) => {
    if (!isObject(value)) return '';
    return firstFault(value, Object.keys(value), (key) => (each) => name(key) ?? check(each));
  };
}

/**
 * @param {Record<string, Check>} checks by key
 * @returns {Check & {keys: string[]}} of an object that may have other keys too: those of another version
 */
export function object(checks) {
  const keys = Object.keys(checks);
  const check = (/** @type {any} */ value) =>
    isObject(value) ? firstFault(value, keys, (key) => checks[key]) : '';
  return Object.assign(check, { keys });
}

/**
 * Without the keys that the check does not have.
 * @template {object} T
 * @param {T} value
 * @param {{keys: string[]}} check
 */
export function withoutOthers(value, { keys }) {
  const known = Object.entries(value).filter(([key]) => keys.includes(key));
  return /** @type {T} */ (Object.fromEntries(known));
}

/**
 * @template {string | number} K
 * @param {any} value
 * @param {Iterable<K>} keys
 * @param {(key: K) => Check} checkOf
 */
function firstFault(value, keys, checkOf) {
  for (const key of keys) {
    const fault = checkOf(key)(value[key]);
    if (fault === null) continue;
    const shown = String(key).slice(0, 64);
    return fault === '' ? shown : `${shown}.${fault}`;
  }
  return null;
}
