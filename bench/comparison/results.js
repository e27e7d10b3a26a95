/** The results file: saved after each measurement, so that a run can be stopped and continued. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** @import { Environment, Row } from './types.js' */

export class Results {
  /** @type {Row[]} */
  rows = [];
  /** @type {Environment | undefined} of the latest run */
  environment;

  /** @param {string} file what is in it is kept */
  constructor(file) {
    this.file = file;
    if (existsSync(file)) Object.assign(this, JSON.parse(readFileSync(file, 'utf8')));
  }

  /** @param {Row} row @returns {boolean} a gap is measured again, since it may have been closed */
  has(row) {
    return this.rows.some((old) => old.figures !== undefined && isSame(old, row));
  }

  /** @param {Row} key of the measurement @param {Row[]} rows what came of it */
  replace(key, rows) {
    this.rows = [...this.rows.filter((old) => !isSame(old, key)), ...rows];
    this.save();
  }

  /** One row a line, so that a difference between two runs can be read. */
  save() {
    const rows = this.rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
    const environment = JSON.stringify(this.environment ?? {});
    const text = `{\n "environment": ${environment},\n "rows": [\n${rows}\n ]\n}\n`;
    writeFileSync(`${this.file}.new`, text);
    renameSync(`${this.file}.new`, this.file);
  }
}

/** @param {Row} one @param {Row} other @returns {boolean} of the same measurement, whatever the variant */
function isSame(one, other) {
  return (
    one.case === other.case &&
    one.node === other.node &&
    one.candidate === other.candidate &&
    one.round === other.round
  );
}
