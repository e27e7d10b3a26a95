/** The results file: saved after each measurement, so that a run can be stopped and continued. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** @template {Record<string, any>} Row */
export class Results {
  /** @type {Row[]} */
  rows = [];
  /** @type {import('./comparison/types.js').Environment | undefined} of the latest run */
  environment;
  #file;
  #keys;

  /** @param {string} file '': none. What is in it is kept @param {(keyof Row)[]} keys that tell measurements apart */
  constructor(file, keys) {
    this.#file = file;
    this.#keys = keys;
    if (existsSync(file)) Object.assign(this, JSON.parse(readFileSync(file, 'utf8')));
  }

  /** @param {Partial<Row>} where @returns {Row[]} of the same measurement */
  of(where) {
    return this.rows.filter((row) => this.#keys.every((key) => row[key] === where[key]));
  }

  /** @param {Partial<Row>} where @param {Row[]} rows what came of it */
  replace(where, rows) {
    const old = this.of(where);
    this.rows = [...this.rows.filter((row) => !old.includes(row)), ...rows];
    if (this.#file) this.#save();
  }

  /** One row a line, so that a difference between two runs can be read. */
  #save() {
    const rows = this.rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
    const environment = JSON.stringify(this.environment ?? {});
    const text = `{\n "environment": ${environment},\n "rows": [\n${rows}\n ]\n}\n`;
    writeFileSync(`${this.#file}.new`, text);
    renameSync(`${this.#file}.new`, this.#file);
  }
}
