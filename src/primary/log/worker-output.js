/** Passes what one worker writes to the logs of its app, and keeps its last lines. */
import { fileURLToPath } from 'node:url';
import { causeOf, lastErrorAt, lastLines } from '../../lifecycle/cause.js';
import { readRecord } from '../../lifecycle/log-record.js';
import { within } from '../../shared/deadline.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/** The longest wait for a dead worker's pipes to close: stray processes may hold them open. */
const PIPE_TIMEOUT_MS = 500;
/** Of stdout, to which pino and winston write errors too. */
const MAX_OUT_LINES = 3;
/** What stderr got as long before stdout did says nothing about the end. */
const STALE_MS = 10_000;
const NODE_WARNING = /^\(node:\d+\)|^\(Use `node --/;

export class WorkerOutput {
  #errorLines = new LastLines();
  #outLines = new LastLines();
  /** @type {Promise<unknown>} */
  #ended = Promise.resolve();
  /** @type {Promise<unknown>} */
  #written = Promise.resolve();

  /** @param {ChildProcess} child @param {Pick<WorkerHandle, 'slot' | 'logs' | 'parts'>} worker */
  attach({ stdout, stderr }, { slot, logs, parts }) {
    const ofStdout = (/** @type {Buffer} */ chunk) => this.#outLines.add(chunk);
    const ofStderr = (/** @type {Buffer} */ chunk) => this.#errorLines.add(parts.stderr(chunk));
    this.#ended = Promise.all([
      stdout && logs.follow(stdout, { slot, name: 'out', filter: ofStdout }),
      stderr && logs.follow(stderr, { slot, name: 'error', filter: ofStderr }),
    ]);
    this.#written = this.#ended.then(() => logs.flushed());
  }

  /** @param {string} line that the worker could not write itself */
  add(line) {
    this.#errorLines.add(Buffer.from(`${line}\n`));
  }

  /** Of stderr or, if it says nothing about the end, of stdout. */
  get linesSoFar() {
    const lines = this.#errorLines.lines();
    const isStale = this.#outLines.lastMs - this.#errorLines.lastMs > STALE_MS;
    const saysNothing = isStale || lines.every((line) => NODE_WARNING.test(line));
    const others = saysNothing ? this.#outLines.lines(MAX_OUT_LINES) : [];
    return others.length > 0 ? others : lines;
  }

  /** @returns {string | null} in one line, what it last wrote to stderr that is no warning of Node */
  get lastError() {
    return causeOf(this.#errorLines.lines().filter((line) => !NODE_WARNING.test(line)));
  }

  /** @returns {Promise<string[]>} those that arrive in time */
  async lastLines() {
    await within(this.#ended, PIPE_TIMEOUT_MS);
    return this.linesSoFar;
  }

  /** @returns {Promise<void>} when everything that arrives in time is in the logs */
  async written() {
    await within(this.#written, PIPE_TIMEOUT_MS);
  }
}

/** Some errors print all that they know: a request, a query, the settings of a client. */
const MAX_BYTES = 32 * 1024;
const MAX_LINES = 20;
/** Characters. */
const MAX_LINE = 1000;
/** Of an error that has more lines. */
const HEAD_LINES = 12;

/** The last lines that a worker wrote: they explain its failure. */
export class LastLines {
  /** @type {Buffer[]} */
  #chunks = [];
  #bytes = 0;
  /** When the last of them came, on the monotonic clock. */
  lastMs = -Infinity;

  /** @param {Buffer} chunk @returns {Buffer} the same */
  add(chunk) {
    this.lastMs = performance.now();
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Joined only when they are read: a program may write a million.
    while (this.#bytes - this.#chunks[0].length >= MAX_BYTES) {
      this.#bytes -= /** @type {Buffer} */ (this.#chunks.shift()).length;
    }
    return chunk;
  }

  /** Of a long error its head and its tail. @param {number} [most] lines without an error; a record of JSON is one */
  lines(most = Infinity) {
    const tail = Buffer.concat(this.#chunks).subarray(-MAX_BYTES);
    const lines = tail.toString('utf8').split('\n');
    if (tail.length === MAX_BYTES && lines.length > 1) lines.shift();
    const written = lines.filter((line) => line.trim() !== '');
    const from = lastErrorAt(written) === -1 ? -most : 0;
    const texts = written.slice(from).flatMap((line) => readRecord(line)?.lines ?? [line]);
    const shown = lastLines(quoteLines(texts), MAX_LINES, HEAD_LINES, (left) => `… ${left} lines`);
    return shown.map((line) => line.slice(0, MAX_LINE));
  }
}

const AGENT = fileURLToPath(new URL('../../agent/', import.meta.url));
/** Frames without a brace at the end, where the properties of the error begin; and what Node writes last. */
const OF_NODE = /^\s+at (?:[^()]* \()?(?:async )?(?:node:.*[^{]|<anonymous>\))$|^Node\.js v[\d.]+$/;

/** Leaves out what says nothing about the program. @param {readonly string[]} lines */
export function quoteLines(lines) {
  const own = lines.filter((line) => !line.includes(AGENT) && !OF_NODE.test(line));
  // What Node adds to the error of an event, whose message has it all.
  const end = own.findIndex((line) => line.startsWith("Emitted 'error' event on "));
  return end === -1 ? own : own.slice(0, end);
}
