/** The logs of one app: which worker's stream goes where, and in which format. */
import { NodeclusterError } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { makeLineFormat } from '../../shared/log-files/log-line.js';
import { NOWHERE, logPaths } from '../../shared/log-files/log-paths.js';
import { StandardStream } from '../../shared/log-files/standard-stream.js';
import { Compressor } from './compressor.js';
import { LinePipe } from './line-pipe.js';
import { LogFile } from './log-file.js';

/**
 * @import { Readable } from 'node:stream'
 * @import { Spec } from '../../config/spec.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Output } from '../../shared/processes/records.js'
 * @import { Sink } from './line-pipe.js'
 */

/** @typedef {LogFile | StandardStream} Place */

const LOSS_REPORT_INTERVAL_MS = 1000;
/** Stray processes may hold streams open, and write, forever. The daemon waits longer than this. */
const SILENCE_TIMEOUT_MS = 500;
const END_TIMEOUT_MS = 2500;

export class AppLogs {
  /** @type {Map<string, LogFile>} by path */
  #files = new Map();
  /** By slot. @type {Map<number, {out: Place[], error: Place[]}>} */
  #routes = new Map();
  /** From streams of workers that have not ended. @type {Set<LinePipe>} */
  #pipes = new Set();
  #lastBytesMs = 0;
  /** Of `run`, and then no line goes to the standard files. @type {Record<'out' | 'error', StandardStream> | null} */
  #output = null;
  /** What its files need. */
  #services = {
    compressor: new Compressor(),
    ownLine: (/** @type {string} */ message) =>
      this.#format.writeOwn(this.#spec.name, message, Date.now()),
    onLoss: () => this.#reportLoss(),
  };
  /** Bytes lost by files that have been closed. */
  #earlierLoss = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #lossTimer;
  #spec;
  #format;

  /**
   * @param {Spec} spec
   * @param {Pick<HomePaths, 'logFile'>} paths
   * @param {object} [options]
   * @param {() => void} [options.onLoss] called about once a second while log is being lost
   * @param {Output} [options.output] where lines go instead of the standard files
   */
  constructor(spec, paths, { onLoss = () => {}, output } = {}) {
    this.paths = output ? { logFile: () => NOWHERE } : paths;
    this.onLoss = onLoss;
    this.#spec = spec;
    this.#format = formatOf(spec);
    if (!output) return;
    const [out, error] = [output.out, output.error].map(
      (fd) => new StandardStream(fd, this.#services),
    );
    this.#output = { out, error };
  }

  /** Takes effect at once, also for running workers. @param {Spec} spec */
  configure(spec) {
    this.#spec = spec;
    this.#format = formatOf(spec);
    const slots = [...this.#routes.keys()];
    this.#routes.clear();
    for (const slot of slots) this.#routeOf(slot);
    const used = [...this.#routes.values()].flatMap(({ out, error }) => [...out, ...error]);
    for (const file of this.#files.values()) {
      file.spec = spec;
      if (used.includes(file)) continue;
      this.#files.delete(file.path);
      void file.close().then(() => (this.#earlierLoss += file.loss.bytes));
    }
  }

  /**
   * When the stream has ended and everything is passed to its files.
   * @param {Readable} stream of a worker
   * @param {{slot: number, name: 'out' | 'error', filter?: (chunk: Buffer) => Buffer}} from
   */
  async follow(stream, { slot, name, filter = (chunk) => chunk }) {
    const pipe = new LinePipe(stream, this.#sink(slot, name), (chunk) => {
      this.#lastBytesMs = performance.now();
      return filter(chunk);
    });
    this.#pipes.add(pipe);
    await pipe.ended;
    this.#pipes.delete(pipe);
  }

  /** Adds a line of nodecluster to the stderr of a worker. @param {number} slot @param {string} message */
  note(slot, message) {
    for (const place of this.#routeOf(slot).error) place.write(this.#services.ownLine(message));
  }

  /** @returns {number} bytes of log lost since the primary started, or since `empty` */
  get droppedBytes() {
    return this.#places.reduce((total, { loss }) => total + loss.bytes, this.#earlierLoss);
  }

  get dropReason() {
    const reasons = this.#places.map(({ loss }) => loss.reason);
    return reasons.find((reason) => reason !== null) ?? null;
  }

  /** Moves away what the files have, in order with pending writes. @throws {NodeclusterError} E_LOG_FILE */
  rotate() {
    return this.#withEachFile((file) => file.rotate());
  }

  /**
   * Also removes rotated ones, in order with pending writes.
   * @param {Iterable<number>} slots
   * @throws E_LOG_FILE
   */
  async empty(slots) {
    for (const slot of slots) this.#routeOf(slot);
    this.#earlierLoss = 0;
    await this.#withEachFile((file) => file.empty());
    this.onLoss();
  }

  /** @returns {Promise<void>} when everything that dead workers wrote is in the files */
  async end() {
    const endMs = performance.now() + END_TIMEOUT_MS;
    let seenMs;
    do {
      seenMs = this.#lastBytesMs;
      await this.flushed(); // which resumes streams that were paused
      const ended = Promise.all([...this.#pipes].map((pipe) => pipe.ended));
      await within(ended, SILENCE_TIMEOUT_MS);
    } while (this.#pipes.size > 0 && this.#lastBytesMs > seenMs && performance.now() < endMs);
    for (const pipe of this.#pipes) pipe.endLine();
    await this.flushed();
    await Promise.allSettled([...this.#files.values()].map((file) => file.close()));
    await this.#services.compressor.stop();
  }

  /** @returns {Promise<void>} when everything so far is in the files, or counted as lost */
  async flushed() {
    await Promise.all(this.#places.map((place) => place.flushed()));
  }

  get #places() {
    return [...this.#files.values(), ...Object.values(this.#output ?? {})];
  }

  /** @param {(file: LogFile) => Promise<void>} action */
  async #withEachFile(action) {
    const act = async (/** @type {LogFile} */ file) => {
      await action(file).catch(({ code, message }) => {
        throw new NodeclusterError('E_LOG_FILE', { file: file.path, reason: code ?? message });
      });
    };
    await Promise.all([...this.#files.values()].map(act));
  }

  /** @param {number} slot @param {'out' | 'error'} name @returns {Sink} */
  #sink(slot, name) {
    return {
      write: (lines, goesOn) => {
        const places = this.#routeOf(slot)[name];
        const source = { app: this.#spec.name, worker: slot, stream: name };
        if (places.length === 0) return true;
        const written = this.#format.write(lines, source, Date.now(), goesOn);
        return places.map((place) => place.write(written)).every(Boolean);
      },
      drained: async () => {
        await Promise.all(this.#routeOf(slot)[name].map((place) => place.drained()));
      },
    };
  }

  /** @param {number} slot */
  #routeOf(slot) {
    const known = this.#routes.get(slot);
    if (known) return known;
    const paths = logPaths(this.#spec, this.paths, slot);
    const placesOf = (/** @type {'out' | 'error'} */ name) => [
      ...(this.#output ? [this.#output[name]] : []),
      ...paths[name].map((path) => this.#file(path)),
    ];
    const route = { out: placesOf('out'), error: placesOf('error') };
    this.#routes.set(slot, route);
    return route;
  }

  /** @param {string} path */
  #file(path) {
    const file = this.#files.get(path) ?? new LogFile(path, this.#spec, this.#services);
    this.#files.set(path, file);
    return file;
  }

  #reportLoss() {
    if (this.#lossTimer) return;
    this.#lossTimer = setTimeout(() => {
      this.#lossTimer = undefined;
      this.onLoss();
    }, LOSS_REPORT_INTERVAL_MS).unref();
  }
}

/** @param {Spec} spec */
function formatOf({ logType: type, time, logDateFormat: dateFormat }) {
  return makeLineFormat({ type, time, dateFormat });
}
