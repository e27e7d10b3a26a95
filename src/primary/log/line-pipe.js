/**
 * From a worker's stdout or stderr to a log file: only whole lines are handed on, so that lines
 * of different workers never mix; a worker that writes faster than the disk is slowed by its own
 * pipe.
 */

const NEWLINE = 0x0a;
/** Bytes. A line that is longer is broken here, with a newline of its own. */
export const MAX_LINE = 256 * 1024;

/**
 * @param {import('node:stream').Readable} stream
 * @param {import('./log-file.js').LogFile} file
 * @param {(chunk: Buffer) => void} [seen] gets every chunk as it comes
 * @returns {Promise<void>} when the stream has ended and all of it is handed on
 */
export function pipeLines(stream, file, seen = () => {}) {
  /** @type {Buffer[]} */
  let rest = [];
  let restBytes = 0;

  const hand = (/** @type {Buffer} */ lines) => {
    if (file.write(lines)) return;
    stream.pause();
    file.whenDrained(() => stream.resume());
  };
  const breakLine = () => {
    hand(Buffer.concat([...rest, Buffer.of(NEWLINE)]));
    rest = [];
    restBytes = 0;
  };

  stream.on('data', (/** @type {Buffer} */ chunk) => {
    seen(chunk);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      hand(
        rest.length > 0 ? Buffer.concat([...rest, chunk.subarray(0, end)]) : chunk.subarray(0, end),
      );
      rest = [];
      restBytes = 0;
    }
    if (end === chunk.length) return;
    rest.push(chunk.subarray(end));
    restBytes += chunk.length - end;
    if (restBytes > MAX_LINE) breakLine();
  });
  return new Promise((resolve) => {
    stream.once('error', () => {});
    stream.once('close', () => {
      if (restBytes > 0) breakLine();
      resolve();
    });
  });
}
