/** A value in a file, with the way to it: what types and checks read from and complain at. */
/** @import { Problem } from '../../errors/codes/config.js' */

/** @typedef {(string|number)[]} Path */
/**
 * @typedef {object} Origin
 * @property {(path: Path, what?: 'key'|'value') => {line: number, column: number}|null} locate
 * @property {(path: Path) => string|null} written
 * @property {(path: Path) => string} nameOf how a message names the key
 * @property {Problem[]} problems grows as places refuse
 */

export class Place {
  /**
   * @param {any} value
   * @param {Path} path
   * @param {Origin} origin
   */
  constructor(value, path, origin) {
    this.value = value;
    this.path = path;
    this.origin = origin;
  }

  /** @param {string|number} step */
  child(step) {
    const value = Object.hasOwn(this.value, step) ? this.value[step] : undefined;
    return new Place(value, [...this.path, step], this.origin);
  }

  /** The text as it was written, where that is more than the value: an unquoted 1.10 or 007. */
  get written() {
    return this.origin.written(this.path);
  }

  /**
   * @param {string} expected
   * @param {string} [note] what the reader needs besides
   * @returns {undefined} so that `return place.refuse(…)` reads as "no value"
   */
  refuse(expected, note = '') {
    const got = describeValue(this.value);
    this.report(`expected ${expected}, got ${got}${note && ` (${note})`}`);
  }

  /**
   * @param {string} text
   * @param {'key'|'value'} [what] where the position points
   */
  report(text, what = 'value') {
    this.origin.problems.push(this.problem(text, what));
  }

  /**
   * @param {string} text
   * @param {'key'|'value'} [what]
   * @returns {Problem}
   */
  problem(text, what = 'value') {
    const { line, column } = this.origin.locate(this.path, what) ?? { line: null, column: null };
    return { line, column, key: this.origin.nameOf(this.path), text };
  }
}

/**
 * @param {Path} path
 * @returns {string} `apps[0].env.PORT`
 */
export function pathText(path) {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** @param {unknown} value */
export function describeValue(value) {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
