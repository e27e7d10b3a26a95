/** One value of a file or of the flags, with its path, for types and checks to read and reject. */

/**
 * @import { Problem } from '../../errors/codes/bad-file.js'
 *
 * @typedef {(string | number)[]} Path
 *
 * @typedef {object} SourceOptions by default, of no file
 * @property {string | null} [label] how messages name it
 * @property {(path: Path, part?: 'key' | 'value') => {line: number, column: number} | null} [locate]
 * @property {(path: Path) => string} [keyName] how messages name the key
 * @property {boolean} [isLenient] unknown keys are warnings
 */

/** Where values come from, and where their problems and warnings go. */
export class ConfigSource {
  /** Grows as values are rejected. @type {Problem[]} */
  problems = [];
  /** @type {string[]} */
  warnings = [];
  #label;
  #isLenient;

  /** @param {SourceOptions} [options] */
  constructor({ label, locate, keyName, isLenient = false } = {}) {
    this.#label = label ?? null;
    this.#isLenient = isLenient;
    this.locate = locate ?? (() => null);
    this.keyName = keyName ?? formatPath;
  }

  /** @param {ConfigValue} input @param {string|null} nearest */
  unknownKey(input, nearest) {
    const guess = nearest ? `; did you mean ${nearest}?` : '';
    if (this.#isLenient) input.warn(`unknown key, ignored${guess}`);
    else this.problems.push({ ...input.problem(`unknown key${guess}`, 'key'), meant: nearest });
  }

  /** @param {Problem} remark */
  warn({ line, column, key, text }) {
    const position = line === null ? '' : `:${line}:${column}`;
    const at = this.#label === null ? key : `${this.#label}${position} ${key}:`;
    this.warnings.push(`${at} ${text}`);
  }
}

export class ConfigValue {
  /** @param {any} value @param {Path} path @param {ConfigSource} source */
  constructor(value, path, source) {
    this.value = value instanceof Number ? Number(value) : value;
    /** Of a number, what stands in the file. */
    this.written = value;
    this.path = path;
    this.source = source;
  }

  /** @param {string|number} step */
  child(step) {
    const value = Object.hasOwn(this.value, step) ? this.value[step] : undefined;
    return new ConfigValue(value, [...this.path, step], this.source);
  }

  /** @param {string} expected @param {string} [note] in brackets @returns {undefined} for `return input.reject(…)` */
  reject(expected, note = '') {
    const got = describeValue(this.value);
    this.report(`expected ${expected}, got ${got}${note && ` (${note})`}`);
  }

  /** @param {string} text of a warning */
  warn(text) {
    this.source.warn(this.problem(text, 'key'));
  }

  /** @param {string} text @param {'key'|'value'} [part] what the position points at @returns {undefined} */
  report(text, part = 'value') {
    this.source.problems.push(this.problem(text, part));
  }

  /** @param {string} text @param {'key'|'value'} part */
  problem(text, part) {
    const { line, column } = this.source.locate(this.path, part) ?? { line: null, column: null };
    return { line, column, key: this.source.keyName(this.path), text };
  }
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
