/** Compares the lines that each worker wrote with those in the log, while it is rotated. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { listRotated } from '../../src/shared/log-files/rotated-files.js';

const LINE = /(\d+-\d+) (\d+) x{80}$/;

export class LineAccount {
  /** @type {Map<string, number>} worker → the number of its next line */
  #next = new Map();
  #lastRotated = 0;
  #isComplete = false;
  found = 0;
  /** Numbers that are missing between two lines of a worker. */
  missing = 0;
  /** Lines that are not as a program wrote them, or come again, or too early. */
  wrong = 0;

  /** @param {string} log @param {string} notes where each worker wrote how many lines it had written */
  constructor(log, notes) {
    this.log = log;
    this.notes = notes;
  }

  /** Reads what has been rotated since the last time, which must be before it is deleted. */
  async readRotated() {
    const isNew = (/** @type {{number: number}} */ { number }) => number > this.#lastRotated;
    for (const { number, path } of (await listRotated(this.log)).filter(isNew)) {
      if (!(await this.#read(path))) return;
      this.#lastRotated = number;
    }
  }

  /** After the last worker has exited. */
  async readRest() {
    await this.readRotated();
    await this.#read(this.log);
    this.#isComplete = true;
  }

  /** @param {string} file @returns {Promise<boolean>} false: it has just been compressed */
  async #read(file) {
    try {
      const bytes = await readFile(file);
      const text = file.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes;
      for (const line of text.toString('latin1').split('\n').filter(Boolean)) this.#count(line);
      return true;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** @param {string} line */
  #count(line) {
    const [, worker, text] = LINE.exec(line) ?? [];
    const [number, next] = [Number(text), this.#next.get(worker) ?? 0];
    if (worker === undefined || number < next) return void (this.wrong += 1);
    this.found += 1;
    this.missing += number - next;
    this.#next.set(worker, number + 1);
  }

  /**
   * @returns {{written: number, found: number, lost: number, wrong: number, unknown: number}}
   *   `written` by workers that have exited; `unknown`: workers that did not say how many
   */
  total() {
    const { found, missing, wrong } = this;
    const noted = notesIn(this.notes);
    const written = [...noted.values()].reduce((sum, lines) => sum + lines, 0);
    if (!this.#isComplete) return { written, found, lost: missing, wrong, unknown: 0 };
    const unread = [...noted].map(([worker, lines]) => lines - (this.#next.get(worker) ?? 0));
    const lost = unread.reduce((sum, lines) => sum + lines, missing);
    const unknown = [...this.#next.keys()].filter((worker) => !noted.has(worker)).length;
    return { written, found, lost, wrong, unknown };
  }
}

/** @param {string} file @returns {Map<string, number>} worker → lines */
function notesIn(file) {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [worker, count] = line.split(' ');
      return [worker, Number(count)];
    }),
  );
}
