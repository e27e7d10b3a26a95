/** Reads a worker's lines back from log files: whole, torn, missing, out of order. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { listRotated } from '../../src/shared/log-files/rotated-files.js';

const NEWLINE = 0x0a;

/**
 * @typedef {object} Found
 * @property {number} lines whole ones
 * @property {number} torn lines that the program did not write in this form
 * @property {number} disordered lines that follow a later line of the same worker
 * @property {number} files
 */

/**
 * @param {string} log
 * @param {{lineBytes: number, read: (line: string) => string}} form `read`: a line of the log → what
 *   the program wrote
 * @returns {Promise<Found>}
 */
export async function findLines(log, { lineBytes, read }) {
  const files = [...(await listRotated(log)).map(({ path }) => path), log];
  const found = { lines: 0, torn: 0, disordered: 0, files: files.length };
  /** @type {Map<string, number>} */
  const last = new Map();
  const look = (/** @type {string} */ text) => {
    const line = read(text);
    const match = line.length === lineBytes - 1 && /^(\d+) (\d{7}) x+$/.exec(line);
    if (!match) return void (found.torn += 1);
    const [, slot, number] = match;
    found.lines += 1;
    if (Number(number) <= (last.get(slot) ?? -1)) found.disordered += 1;
    last.set(slot, Number(number));
  };
  for (const file of files) await eachLine(file, look);
  return found;
}

/**
 * @param {string} file
 * @param {(line: string) => void} look
 */
export async function eachLine(file, look) {
  let rest = Buffer.alloc(0);
  const split = async (/** @type {AsyncIterable<Buffer>} */ chunks) => {
    for await (const chunk of chunks) {
      const bytes = Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end > 0)
        bytes
          .toString('latin1', 0, end - 1)
          .split('\n')
          .forEach(look);
      rest = bytes.subarray(end);
    }
    if (rest.length > 0) look(rest.toString('latin1'));
  };
  const input = createReadStream(file, { highWaterMark: 1024 * 1024 });
  if (file.endsWith('.gz')) await pipeline(input, createGunzip(), split);
  else await pipeline(input, split);
}
