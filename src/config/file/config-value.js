/** One value of a file or of the flags, with its path, for types and checks to read and reject. */

/**
 * @import { Problem } from '../../errors/codes/config.js'
 *
 * @typedef {(string | number)[]} Path
 *
 * @typedef {object} ConfigSource where values come from, and where their problems go
 * @property {(path: Path, part?: 'key' | 'value') => {line: number, column: number} | null} locate
 * @property {(path: Path) => string | null} written the text in the file, if it is not quoted: 1.10, 007
 * @property {(path: Path) => string} keyName how messages name the key
 * @property {Problem[]} problems grows as values are rejected
 */

export class ConfigValue {
  /** @param {any} value @param {Path} path @param {ConfigSource} source */
  constructor(value, path, source) {
    this.value = value;
    this.path = path;
    this.source = source;
  }

  /** @param {string|number} step */
  child(step) {
    const value = Object.hasOwn(this.value, step) ? this.value[step] : undefined;
    return new ConfigValue(value, [...this.path, step], this.source);
  }

  /** The text in the file, if the value alone would lose information: an unquoted 1.10 or 007. */
  get written() {
    return this.source.written(this.path);
  }

  /**
   * @param {string} expected @param {string} [note] in brackets
   * @returns {undefined} so that `return input.reject(…)` reads as "no value"
   */
  reject(expected, note = '') {
    const got = describeValue(this.value);
    this.report(`expected ${expected}, got ${got}${note && ` (${note})`}`);
  }

  /** @param {string} text @param {'key'|'value'} [part] what the position points at */
  report(text, part = 'value') {
    this.source.problems.push(this.problem(text, part));
  }

  /** @param {string} text @param {'key'|'value'} part */
  problem(text, part) {
    const { line, column } = this.source.locate(this.path, part) ?? { line: null, column: null };
    return { line, column, key: this.source.keyName(this.path), text };
  }
}

/** @param {(path: Path) => string} keyName @returns {ConfigSource} */
export function sourceWithoutFile(keyName) {
  return { locate: () => null, written: () => null, keyName, problems: [] };
}

/** @param {Path} path @returns {string} `apps[0].env.PORT` */
export function formatPath(path) {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** @param {unknown} value */
function describeValue(value) {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
