/** The rows of one or more runs, saved to a file after each measurement. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @import { Row } from './figures.js' */

const WHERE = ['measurement', 'node', 'scheduling', 'supervisor'];

export class Results {
  /** @type {Row[]} */
  rows = [];

  /** @param {string} file '': none. What is in it already is kept, unless it is measured again */
  constructor(file) {
    this.file = file;
    if (file && existsSync(file)) this.rows = readRows(file);
  }

  /**
   * @param {Omit<Row, 'table'>} where
   * @param {number} fraction of the repetitions
   * @returns {Row[]} what was measured there with as many repetitions
   */
  found(where, fraction) {
    const isThere = (/** @type {Row} */ row) => WHERE.every((key) => row[key] === where[key]);
    return this.rows.filter((row) => isThere(row) && row.fraction >= fraction);
  }

  /** @param {Row[]} rows of one measurement */
  add(rows) {
    const isMeasuredAgain = (/** @type {Row} */ old) =>
      rows.some((row) => WHERE.every((key) => row[key] === old[key]));
    this.rows = [...this.rows.filter((old) => !isMeasuredAgain(old)), ...rows];
    if (this.file) writeFileSync(this.file, `${JSON.stringify({ rows: this.rows }, null, 1)}\n`);
  }
}

/** @param {string} file @returns {Row[]} */
export function readRows(file) {
  return JSON.parse(readFileSync(file, 'utf8')).rows;
}
