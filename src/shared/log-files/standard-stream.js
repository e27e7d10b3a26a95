/**
 * stdout or stderr of `run`, to which several processes write. Its reader may be slow, stopped or gone: what does not fit
 * into the buffer is lost, and declared there as soon as there is room.
 */
import { closeSync, constants, fstatSync, openSync, write } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { within } from '../deadline.js';
import { LineQueue } from './line-queue.js';

/** Buffered bytes at which writers pause, below which its reader has kept up, and beyond which lines are lost. */
const HIGH_WATER = 512 * 1024;
const LOW_WATER = HIGH_WATER / 2;
const MAX_WAITING = 2 * HIGH_WATER;
/** ms that writers pause for a reader that is busy; then they go on, and lines are lost. */
const PAUSE_MS = 100;
/** ms for the reader to take the rest when the process ends. */
const END_MS = 1000;
const FULL_RETRY_MS = 20;
/** A pipe takes as many bytes as a whole or not at all (PIPE_BUF), so that lines never mix. */
const ATOMIC_BYTES = 4096;
const NEWLINE = 0x0a;
const { O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;
const writeToFile = promisify(write);

export class StandardStream extends LineQueue {
  /** Its reader did not keep up, so nobody waits for it. */
  #isLate = false;
  #put;

  /**
   * @param {number} fd which this process inherited
   * @param {{ownLine: (message: string) => Buffer, onLoss?: () => void}} options ownLine: formats a line of nodecluster
   */
  constructor(fd, { ownLine, onLoss = () => {} }) {
    super(HIGH_WATER, (waiting) => this.#writePiece(waiting));
    this.ownLine = ownLine;
    this.onLoss = onLoss;
    this.#put = openTarget(fd);
  }

  /** @override @param {Buffer} lines that are complete @returns {boolean} false: pause until it is `drained` */
  write(lines) {
    if (this.waitingBytes + lines.length <= MAX_WAITING) return super.write(lines) || this.#isLate;
    this.#countLoss(lines, { message: 'its reader was too slow' });
    return true;
  }

  /** @override @returns {Promise<void>} when there is room again, or its reader turns out to be slow */
  async drained() {
    if (this.#isLate || this.waitingBytes < HIGH_WATER) return;
    await within(super.drained(), PAUSE_MS);
    if (this.waitingBytes >= LOW_WATER) this.#isLate = true;
  }

  /** @override @returns {Promise<void>} when everything is written, or its reader does not take it in time */
  async flushed() {
    if (!this.#isLate) await within(super.flushed(), END_MS);
  }

  /** @param {Buffer[]} waiting */
  async #writePiece(waiting) {
    const piece = takePiece(waiting);
    try {
      if (this.loss.isUndeclared) {
        await this.#put(this.loss.declaration(this.ownLine));
        this.loss.declared();
      }
      await this.#put(piece);
    } catch (error) {
      this.#countLoss(piece, /** @type {NodeJS.ErrnoException} */ (error));
    }
    if (this.waitingBytes - piece.length < LOW_WATER) this.#isLate = false;
    return piece.length;
  }

  /** @param {Buffer} lost @param {NodeJS.ErrnoException | {message: string}} error */
  #countLoss(lost, error) {
    this.loss.count(lost, /** @type {NodeJS.ErrnoException} */ (error));
    this.onLoss();
  }
}

/** @param {Buffer[]} waiting @returns {Buffer} lines that are written as a whole; one longer line, if it comes first */
function takePiece(waiting) {
  const [lines] = waiting;
  const limit = Math.min(lines.length, ATOMIC_BYTES);
  const last = lines.lastIndexOf(NEWLINE, limit - 1);
  const end = (last === -1 ? lines.indexOf(NEWLINE, limit) : last) + 1 || lines.length;
  waiting.splice(0, 1, ...(end < lines.length ? [lines.subarray(end)] : []));
  return lines.subarray(0, end);
}

/** @param {number} inherited @returns {(bytes: Buffer) => Promise<void>} never blocks this process */
function openTarget(inherited) {
  const stats = fstatSync(inherited);
  const fd = stats.isFIFO() || stats.isCharacterDevice() ? reopen(inherited) : inherited;
  if (!stats.isFIFO() && !stats.isSocket()) return (bytes) => writeAll(fd, bytes);
  const socket = new net.Socket({ fd, readable: false, writable: true });
  socket.on('error', () => {}).unref();
  return (bytes) =>
    new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(brokenPipe) : resolve()));
    });
}

/**
 * Other programs may share the pipe or terminal, and must not find it non-blocking. Where it cannot be opened again, it is
 * used as it is.
 * @param {number} fd
 */
function reopen(fd) {
  try {
    const own = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    if (fstatSync(own).ino === fstatSync(fd).ino) return own;
    closeSync(own);
  } catch {
    // There is no /proc, or it may not be opened.
  }
  return fd;
}

/** @param {number} fd @param {Buffer} bytes @param {(count: number) => void} [onWritten] called for each part, also before an error */
export async function writeAll(fd, bytes, onWritten = () => {}) {
  for (let at = 0; at < bytes.length;) {
    try {
      const { bytesWritten } = await writeToFile(fd, bytes, at);
      at += bytesWritten;
      onWritten(bytesWritten);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
      await sleep(FULL_RETRY_MS);
    }
  }
}

/** Whatever a stream that is closed already says. */
const brokenPipe = Object.assign(new Error('EPIPE'), { code: 'EPIPE' });
